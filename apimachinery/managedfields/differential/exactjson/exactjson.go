// Package exactjson writes values as JSON in which integers and doubles stay apart: a double always has a fraction or an
// exponent.
package exactjson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Encode returns the JSON of a value that JSON or YAML was decoded into. The members of objects are sorted. Members whose keys
// are not strings, which only YAML has, are left out, as structured-merge-diff does it.
func Encode(value any) string {
	var out strings.Builder
	write(&out, value)
	return out.String()
}

func write(out *strings.Builder, value any) {
	switch value := value.(type) {
	case map[string]any:
		writeObject(out, value)
	case map[any]any:
		members := map[string]any{}
		for key, member := range value {
			if name, ok := key.(string); ok {
				members[name] = member
			}
		}
		writeObject(out, members)
	case []any:
		out.WriteByte('[')
		for i, element := range value {
			if i > 0 {
				out.WriteByte(',')
			}
			write(out, element)
		}
		out.WriteByte(']')
	case float64:
		text := plain(value)
		out.WriteString(text)
		if !strings.ContainsAny(text, ".e") {
			out.WriteString(".0")
		}
	default:
		out.WriteString(plain(value))
	}
}

func writeObject(out *strings.Builder, members map[string]any) {
	out.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(plain(name))
		out.WriteByte(':')
		write(out, members[name])
	}
	out.WriteByte('}')
}

func plain(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Errorf("encode %T: %w", value, err))
	}
	return string(text)
}
