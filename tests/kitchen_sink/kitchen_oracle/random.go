package main

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

func pick[T any](c randfill.Continue, values ...T) T { return values[c.Intn(len(values))] }

var alphabet = []rune("abcdefghijklmnopqrstuvwxyz0123456789-./_ABCXYZ")

// Runes that some encoder treats in a way of their own.
var awkward = []rune("\x00\x01\b\t\n\f\r\x1f \"#&'*+,-/:<=>?@[\\]`{|}~\x7f\u0080\u00e9\u07ff\u0800\u2028\u2029\ufeff\ufffd\U00010000\U0001f600\U0010ffff")

func text(c randfill.Continue) string {
	switch c.Intn(12) {
	case 0:
		return ""
	case 1: // that YAML would take for something else
		return pick(c, "true", "no", "null", "~", "1", "0x1f", "1e3", "-", ".inf", "2001-01-01", "010", "1_000", "y", "<<", " a ", "a: b")
	case 2:
		sizes := []int{7, 8, 15, 16, 17, 63, 64, 65, 127, 128, 300}
		if c.Intn(50) == 0 {
			sizes = []int{5000, 17000} // two and three bytes on the wire
		}
		return strings.Repeat(string(alphabet[c.Intn(26)]), pick(c, sizes...))
	}
	from, size := alphabet, c.Intn(24)
	if c.Intn(4) == 0 {
		from, size = awkward, c.Intn(8)
	}
	runes := make([]rune, size)
	for i := range runes {
		runes[i] = from[c.Intn(len(from))]
	}
	return string(runes)
}

// Compact, as encoding/json leaves it: sorted keys are not asked of raw values.
func rawJSON(c randfill.Continue, depth int) string {
	switch n := c.Intn(8); {
	case n == 0:
		return pick(c, "true", "false", "0", "-1", "1.5", "1e30", "12345678901234567890", `""`, "{}", "[]")
	case n == 1:
		return strconv.Quote(strconv.Itoa(c.Int()))
	case n < 4 && depth > 0:
		return "[" + rawJSON(c, depth-1) + "," + rawJSON(c, depth-1) + "]"
	default:
		value := "null"
		if depth > 0 {
			value = rawJSON(c, depth-1)
		}
		return fmt.Sprintf(`{"f:%d":%s,"f:metadata":{"f:labels":{".":{},"k:{\"a\":1}":{}}}}`, c.Intn(100), value)
	}
}

func rawObject(c randfill.Continue) []byte {
	return []byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"Some","value":%s}`, rawJSON(c, 2)))
}

// Whole seconds from the year 1 to 9999; one in eight is none.
func seconds(c randfill.Continue) int64 {
	switch c.Intn(8) {
	case 0:
		return time.Time{}.Unix()
	case 1:
		return pick[int64](c, 0, 1, -1, 253402300799, -62135596799, math.MaxInt32, math.MaxInt32+1)
	case 2:
		return c.Int63n(253402300799+62135596800) - 62135596800
	default:
		return c.Int63n(4_000_000_000)
	}
}

func number(c randfill.Continue) int64 {
	switch c.Intn(4) {
	case 0:
		return pick[int64](c, 0, 1, -1, 127, 128, 16383, 16384, math.MaxInt32, math.MinInt32, math.MaxUint32, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64)
	case 1:
		return int64(c.Uint64())
	default:
		return c.Int63n(2000) - 1000
	}
}

// Functions for what randfill knows nothing of, and to bound recursion and size.
func fillers() []any {
	depth := 0
	return []any{
		func(v *string, c randfill.Continue) { *v = text(c) },
		func(v *int64, c randfill.Continue) { *v = number(c) },
		func(v *int32, c randfill.Continue) { *v = int32(number(c)) },
		func(v *float64, c randfill.Continue) {
			*v = pick(c, 0, math.Copysign(0, -1), 1, -1, 0.5, 0.1, 1e21, 1e20, 1e-6, 1e-7, 1<<53, math.MaxFloat64, math.SmallestNonzeroFloat64,
				c.NormFloat64(), c.NormFloat64()*1e10, float64(c.Intn(1000)))
		},
		func(v *metav1.TypeMeta, c randfill.Continue) { *v = metav1.TypeMeta{} },
		func(v *metav1.Time, c randfill.Continue) { *v = metav1.Unix(seconds(c), 0) },
		func(v *metav1.MicroTime, c randfill.Continue) {
			*v = metav1.NewMicroTime(time.Unix(seconds(c), int64(pick(c, 0, 0, 1, 999_999, c.Intn(1_000_000)))*1000))
		},
		func(v *metav1.Duration, c randfill.Continue) {
			v.Duration = time.Duration(pick(c, number(c), c.Int63n(1000)*int64(time.Second), c.Int63n(100)*int64(time.Minute)))
		},
		func(v *resource.Quantity, c randfill.Continue) {
			n := strconv.FormatInt(pick(c, c.Int63n(2000)-1000, c.Int63n(1_000_000_000_000)), 10)
			suffix := pick(c, "", "", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E2", "u", "n", ".5", ".25Gi")
			*v = resource.MustParse(n + suffix)
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			if *v = intstr.FromInt32(int32(number(c))); c.Bool() {
				*v = intstr.FromString(text(c))
			}
		},
		func(v *runtime.RawExtension, c randfill.Continue) {
			if *v = (runtime.RawExtension{}); c.Intn(4) > 0 {
				v.Raw = rawObject(c)
			}
		},
		func(v *metav1.FieldsV1, c randfill.Continue) {
			if *v = (metav1.FieldsV1{}); c.Intn(4) > 0 {
				v.Raw = rawObject(c)
			}
		},
		func(v *apiextensionsv1.JSON, c randfill.Continue) {
			if *v = (apiextensionsv1.JSON{}); c.Intn(4) > 0 {
				v.Raw = []byte(rawJSON(c, 2))
			}
		},
		func(v *SinkSpec, c randfill.Continue) {
			c.FillNoCustom(v)
			members := reflect.ValueOf(v).Elem()
			for i := range members.NumField() {
				if c.Intn(4) > 0 {
					members.Field(i).SetZero()
				}
			}
		},
		func(v *Schema, c randfill.Continue) {
			if depth++; depth <= 2 {
				c.FillNoCustom(v)
			} else {
				*v = Schema{ID: text(c), Type: text(c), AdditionalItems: SchemaOrBool{Allows: c.Bool()}}
			}
			depth--
		},
		func(v *SchemaOrBool, c randfill.Continue) {
			if c.FillNoCustom(v); v.Schema != nil {
				v.Allows = true
			}
		},
		func(v *SchemaOrArray, c randfill.Continue) {
			if c.FillNoCustom(v); len(v.Schemas) == 0 {
				*v = SchemaOrArray{Schema: &Schema{Type: text(c)}}
			} else {
				v.Schema = nil
			}
		},
		func(v *SchemaOrStringArray, c randfill.Continue) {
			if c.FillNoCustom(v); len(v.Property) == 0 {
				*v = SchemaOrStringArray{Schema: &Schema{Type: text(c)}}
			} else {
				v.Schema = nil
			}
		},
	}
}

// A kind says what it is; on the wire its envelope does.
func setKind(m message) {
	object, ok := m.(runtime.Object)
	if !ok {
		return
	}
	kinds, _, err := scheme.ObjectKinds(object)
	if err == nil {
		object.GetObjectKind().SetGroupVersionKind(kinds[0])
	}
}

// The same seed, count and type give the same objects. JSON and protobuf are of one Go value, which neither of them need give
// back: lists that are empty and lists that are not there are one on the wire, and a pointer to an empty RawExtension is null.
func randomObjects(into message, in [][]byte) (result, error) {
	seed, err := strconv.ParseInt(string(in[0]), 10, 64)
	if err != nil {
		return nil, err
	}
	count, err := strconv.Atoi(string(in[1]))
	if err != nil {
		return nil, err
	}
	filler := randfill.New().RandSource(rand.NewSource(seed)).NilChance(.4).NumElements(0, 3).MaxDepth(24).Funcs(fillers()...)
	out := result{}
	for range count {
		m := newLike(into)
		filler.Fill(m)
		setKind(m)
		text, err := toJSON(m)
		if err != nil {
			return nil, err
		}
		wire, err := toPB(m)
		if err != nil {
			return nil, err
		}
		out = append(out, string(text), string(wire))
	}
	return out, nil
}
