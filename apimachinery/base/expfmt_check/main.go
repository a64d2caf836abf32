// Command expfmt_check reads the Prometheus text format from standard input with Prometheus' own parser and prints what
// it understood: one JSON object a line for each metric family, sorted by name. It exits with 1 and the parser's
// message where the text is wrong.
//
//	{"name":"requests_total","type":"COUNTER","help":"Requests.","samples":[{"labels":[["code","200"]],"value":"3"}]}
//
// Numbers are strings, because JSON has no NaN and no infinity. Labels are sorted by name, samples keep their order.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"kube/tests/oracle"
)

type family struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Help    string   `json:"help"`
	Samples []sample `json:"samples"`
}

// A sample holds a value, or a sum and a count with buckets (histogram) or quantiles (summary).
type sample struct {
	Labels    [][2]string `json:"labels"`
	Value     string      `json:"value,omitempty"`
	Sum       string      `json:"sum,omitempty"`
	Count     string      `json:"count,omitempty"`
	Buckets   [][2]string `json:"buckets,omitempty"`
	Quantiles [][2]string `json:"quantiles,omitempty"`
	Timestamp *int64      `json:"timestamp_ms,omitempty"`
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func toSample(m *dto.Metric) (sample, error) {
	s := sample{Labels: [][2]string{}, Timestamp: m.TimestampMs}
	for _, l := range m.Label {
		s.Labels = append(s.Labels, [2]string{l.GetName(), l.GetValue()})
	}
	slices.SortFunc(s.Labels, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	switch {
	case m.Counter != nil:
		s.Value = number(m.Counter.GetValue())
	case m.Gauge != nil:
		s.Value = number(m.Gauge.GetValue())
	case m.Untyped != nil:
		s.Value = number(m.Untyped.GetValue())
	case m.Histogram != nil:
		s.Sum = number(m.Histogram.GetSampleSum())
		s.Count = strconv.FormatUint(m.Histogram.GetSampleCount(), 10)
		for _, b := range m.Histogram.Bucket {
			s.Buckets = append(s.Buckets, [2]string{number(b.GetUpperBound()), strconv.FormatUint(b.GetCumulativeCount(), 10)})
		}
	case m.Summary != nil:
		s.Sum = number(m.Summary.GetSampleSum())
		s.Count = strconv.FormatUint(m.Summary.GetSampleCount(), 10)
		for _, q := range m.Summary.Quantile {
			s.Quantiles = append(s.Quantiles, [2]string{number(q.GetQuantile()), number(q.GetValue())})
		}
	default:
		return s, fmt.Errorf("metric %v has no value of a known type", m)
	}
	return s, nil
}

func run(in io.Reader, out io.Writer) error {
	// The legacy scheme is the strict one: names of [a-zA-Z_:][a-zA-Z0-9_:]* and nothing in quotes.
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(in)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, name := range slices.Sorted(maps.Keys(families)) {
		mf := families[name]
		f := family{Name: name, Type: mf.GetType().String(), Help: mf.GetHelp(), Samples: []sample{}}
		for _, m := range mf.Metric {
			s, err := toSample(m)
			if err != nil {
				return fmt.Errorf("family %q: %w", name, err)
			}
			f.Samples = append(f.Samples, s)
		}
		if err := encoder.Encode(f); err != nil {
			return err
		}
	}
	return nil
}

func main() { oracle.Check(run(os.Stdin, os.Stdout)) }
