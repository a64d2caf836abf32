// Command values_oracle answers what Kubernetes' Go code makes of a text.
//
//	duration	316d33307300	->	error: time: unknown unit ...
//	quantity	31303234		->	1024 ...
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"kube/tests/oracle"
)

var functions = map[string]func(string) (string, error){
	"time":         parseTime,
	"time_unix":    timeOfUnix,
	"micro":        parseMicroTime,
	"micro_unix":   microTimeOfUnix,
	"duration":     parseDuration,
	"nanoseconds":  formatDuration,
	"base64":       decodeBase64,
	"to_base64":    encodeBase64,
	"utf8":         validUTF8,
	"json_string":  decodeString,
	"quantity":     parseQuantity,
	"values":       quantityValues,
	"compare":      compareQuantities,
	"trim":         func(text string) (string, error) { return hex.EncodeToString([]byte(strings.TrimSpace(text))), nil },
	"int_or_text":  parseIntOrString,
	"content_type": rawExtension,
}

// The text as a JSON string.
func quoted(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return b
}

type anyTime interface {
	json.Marshaler
	Marshal() ([]byte, error)
	IsZero() bool
}

// What JSON and protobuf make of the value: the text, the seconds and the nanoseconds since 1970. The zero time, which is
// null for one and no bytes for the other, reads "zero".
func encodings(v anyTime) (string, error) {
	if v.IsZero() {
		return "zero", nil
	}
	j, err := v.MarshalJSON()
	if err != nil {
		return "", err
	}
	p, err := v.Marshal()
	if err != nil {
		return "", err
	}
	var t metav1.Timestamp
	if err := t.Unmarshal(p); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d %d", bytes.Trim(j, `"`), t.Seconds, t.Nanos), nil
}

// Only seconds count: JSON and protobuf cut the rest off, and so does C++ when it reads.
func parseTime(text string) (string, error) {
	var t metav1.Time
	if err := t.UnmarshalJSON(quoted(text)); err != nil {
		return "", err
	}
	t.Time = t.Truncate(time.Second)
	return encodings(&t)
}

func parseMicroTime(text string) (string, error) {
	var t metav1.MicroTime
	if err := t.UnmarshalJSON(quoted(text)); err != nil {
		return "", err
	}
	return encodings(&t)
}

// Reads "seconds nanoseconds" as a message, as a server may send it.
func timestamp(text string) []byte {
	var t metav1.Timestamp
	if _, err := fmt.Sscan(text, &t.Seconds, &t.Nanos); err != nil {
		panic(err)
	}
	b, err := t.Marshal()
	if err != nil {
		panic(err)
	}
	return b
}

func timeOfUnix(text string) (string, error) {
	var t metav1.Time
	if err := t.Unmarshal(timestamp(text)); err != nil {
		return "", err
	}
	return encodings(&t)
}

func microTimeOfUnix(text string) (string, error) {
	var t metav1.MicroTime
	if err := t.Unmarshal(timestamp(text)); err != nil {
		return "", err
	}
	return encodings(&t)
}

func parseDuration(text string) (string, error) {
	var d metav1.Duration
	if err := d.UnmarshalJSON(quoted(text)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %s", int64(d.Duration), d.Duration), nil
}

func formatDuration(text string) (string, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	return time.Duration(n).String(), err
}

func decodeBase64(text string) (string, error) {
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, []byte(text))
	return hex.EncodeToString(b[:n]), err
}

func encodeBase64(text string) (string, error) {
	return base64.StdEncoding.EncodeToString([]byte(text)), nil
}

func validUTF8(text string) (string, error) {
	return strconv.FormatBool(utf8.ValidString(text)), nil
}

// The text has no character that JSON escapes.
func decodeString(text string) (string, error) {
	var s string
	err := kjson.Unmarshal([]byte(`"`+text+`"`), &s)
	return hex.EncodeToString([]byte(s)), err
}

func parseQuantity(text string) (string, error) {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d", q.String(), q.Sign()), nil
}

func quantityValues(text string) (string, error) {
	q, err := resource.ParseQuantity(text)
	return fmt.Sprint(q.Value(), q.MilliValue()), err
}

// Two quantities, with a bar between them.
func compareQuantities(text string) (string, error) {
	a, b, _ := strings.Cut(text, "|")
	q := resource.MustParse(a)
	return strconv.Itoa(q.Cmp(resource.MustParse(b))), nil
}

func parseIntOrString(text string) (string, error) {
	v := intstr.Parse(text)
	s := intstr.FromString(text)
	return fmt.Sprintf("%d %d %s %d", v.Type, v.IntVal, hex.EncodeToString([]byte(v.String())), s.IntValue()), nil
}

func rawExtension(text string) (string, error) {
	b, err := runtime.RawExtension{Raw: []byte(text)}.MarshalJSON()
	return hex.EncodeToString(b), err
}

func main() { oracle.Serve(functions) }
