// Command version_oracle answers what Kubernetes' Go code makes of versions, spans of time and percentages. "|" is between
// several arguments.
package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	apiversion "k8s.io/apimachinery/pkg/version"

	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/version"

	"kube/tests/oracle"
)

type parser func(string) (*version.Version, error)

var functions = map[string]func(string) (string, error){
	"generic":         parse(version.ParseGeneric),
	"semantic":        parse(version.ParseSemantic),
	"any":             parse(version.Parse),
	"major_minor":     parse(version.ParseMajorMinor),
	"compare_generic": compare(version.ParseGeneric),
	"compare":         compare(version.Parse),
	"compare_text":    compareText,
	"compare_api":     compareAPI,
	"human":           human(duration.HumanDuration),
	"short":           human(duration.ShortHumanDuration),
	"percent_up":      percent(intstr.GetScaledValueFromIntOrPercent, true),
	"percent_down":    percent(intstr.GetScaledValueFromIntOrPercent, false),
	"percent_legacy":  percent(intstr.GetValueFromIntOrPercent, true),
}

func parse(f parser) func(string) (string, error) {
	return func(text string) (string, error) {
		v, err := f(text)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(v, " ", v.Major(), " ", v.Minor(), " ", v.Patch(), " ", v.WithMajor(7), " ", v.WithMinor(7), " ",
			v.WithPatch(7), " ", v.WithPreRelease("p"), " ", v.WithBuildMetadata("b"), " ", v.OffsetMinor(-2), " ", v.AddMinor(3)), nil
	}
}

func sign(order int) string {
	return strconv.Itoa(max(-1, min(1, order)))
}

func compare(f parser) func(string) (string, error) {
	return func(text string) (string, error) {
		a, b, _ := strings.Cut(text, "|")
		va, err := f(a)
		if err != nil {
			return "", err
		}
		vb, err := f(b)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(va.LessThan(vb), va.AtLeast(vb), va.GreaterThan(vb), va.EqualTo(vb)), nil
	}
}

func compareText(text string) (string, error) {
	a, b, _ := strings.Cut(text, "|")
	v, err := version.Parse(a)
	if err != nil {
		return "", err
	}
	order, err := v.Compare(b)
	return sign(order), err
}

func compareAPI(text string) (string, error) {
	a, b, _ := strings.Cut(text, "|")
	return sign(apiversion.CompareKubeAwareVersionStrings(a, b)), nil
}

func human(f func(time.Duration) string) func(string) (string, error) {
	return func(text string) (string, error) {
		nanoseconds, err := strconv.ParseInt(text, 10, 64)
		return f(time.Duration(nanoseconds)), err
	}
}

func percent(f func(*intstr.IntOrString, int, bool) (int, error), up bool) func(string) (string, error) {
	return func(text string) (string, error) {
		total, value, _ := strings.Cut(text, "|")
		n, err := strconv.Atoi(total)
		if err != nil {
			panic(err)
		}
		v := intstr.Parse(value)
		result, err := f(&v, n, up)
		return strconv.Itoa(result), err
	}
}

func main() { oracle.Serve(functions) }
