// Command fields_oracle answers what apimachinery's fields package makes of a text. Parts of a text are separated by a byte
// 0x1f.
package main

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/fields"

	"kube/tests/oracle"
)

var functions = map[string]func(string) (string, error){
	"parse":     parse,
	"transform": transform,
	"matches":   matches,
	"escape":    func(text string) (string, error) { return fields.EscapeValue(text), nil },
	"unescape":  fields.UnescapeValue,
}

// The selector's text, its requirements, and the values that it requires.
func describe(s fields.Selector) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s empty=%t", s, s.Empty())
	for _, r := range s.Requirements() {
		value, found := s.RequiresExactMatch(r.Field)
		fmt.Fprintf(&b, ";%s %s %s <%s> %t", r.Field, r.Operator, r.Value, value, found)
	}
	return b.String()
}

func parse(text string) (string, error) {
	s, err := fields.ParseSelector(text)
	if err != nil {
		return "", err
	}
	return describe(s), nil
}

// Drops "b", renames "a" and refuses values "x".
func transform(text string) (string, error) {
	s, err := fields.ParseAndTransformSelector(text, func(field, value string) (string, string, error) {
		switch {
		case value == "x":
			return "", "", errors.New("no x for " + field)
		case field == "b":
			return "", "", nil
		case field == "a":
			return "metadata.name", value + value, nil
		default:
			return field, value, nil
		}
	})
	if err != nil {
		return "", err
	}
	return describe(s), nil
}

// A selector, and fields with their values in turn.
func matches(text string) (string, error) {
	parts := strings.Split(text, "\x1f")
	s, err := fields.ParseSelector(parts[0])
	if err != nil {
		return "", err
	}
	set := fields.Set{}
	for i := 1; i+1 < len(parts); i += 2 {
		set[parts[i]] = parts[i+1]
	}
	return fmt.Sprint(s.Matches(set)), nil
}

// One line: line feeds and backslashes are escaped.

func main() { oracle.Serve(functions) }
