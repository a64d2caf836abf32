// Command labels_oracle answers what apimachinery's labels package makes of a text. Parts of a text are separated by a byte
// 0x1f.
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"kube/tests/oracle"
)

var functions = map[string]func(string) (string, error){
	"parse":             parse,
	"parse_at":          parseAt,
	"matches":           matches,
	"requirement":       requirement,
	"set":               set,
	"sets":              sets,
	"parse_set":         parseSet,
	"label_selector":    labelSelector,
	"selector_map":      selectorMap,
	"format":            format,
	"to_label_selector": toLabelSelector,
}

// The selector's text, its requirements, and the values that it requires.
func describe(s labels.Selector) string {
	var b strings.Builder
	requirements, selectable := s.Requirements()
	fmt.Fprintf(&b, "%s empty=%t selectable=%t", s, s.Empty(), selectable)
	for _, r := range requirements {
		value, found := s.RequiresExactMatch(r.Key())
		fmt.Fprintf(&b, ";%s %s [%s] %q %t", r.Key(), r.Operator(), strings.Join(r.Values().List(), ","), value, found)
	}
	return b.String()
}

func parse(text string) (string, error) {
	s, err := labels.Parse(text)
	if err != nil {
		return "", err
	}
	return describe(s), nil
}

func parseAt(text string) (string, error) {
	s, err := labels.Parse(text, field.WithPath(field.NewPath("spec", "selector")))
	if err != nil {
		return "", err
	}
	return describe(s), nil
}

// Keys and values in turn.
func pairs(parts []string) labels.Set {
	set := labels.Set{}
	for i := 0; i+1 < len(parts); i += 2 {
		set[parts[i]] = parts[i+1]
	}
	return set
}

// A selector, and labels.
func matches(text string) (string, error) {
	parts := strings.Split(text, "\x1f")
	s, err := labels.Parse(parts[0])
	if err != nil {
		return "", err
	}
	return fmt.Sprint(s.Matches(pairs(parts[1:]))), nil
}

// A key, an operator and values.
func requirement(text string) (string, error) {
	parts := strings.Split(text, "\x1f")
	var values []string
	if len(parts) > 2 {
		values = parts[2:]
	}
	r, err := labels.NewRequirement(parts[0], selection.Operator(parts[1]), values)
	if err != nil {
		return "", err
	}
	return r.String(), nil
}

// Labels; of at most one, also what their validation says.
func set(text string) (string, error) {
	set := pairs(strings.Split(text, "\x1f"))
	result := fmt.Sprintf("%s;%s;%s", set, labels.FormatLabels(set), describe(labels.SelectorFromSet(set)))
	if len(set) <= 1 {
		if _, err := labels.ValidatedSelectorFromSet(set); err != nil {
			result += ";" + err.Error()
		}
	}
	return result, nil
}

// Two sets of labels, with a part "|" between them.
func sets(text string) (string, error) {
	a, b, _ := strings.Cut(text, "\x1f|\x1f")
	x, y := pairs(strings.Split(a, "\x1f")), pairs(strings.Split(b, "\x1f"))
	return fmt.Sprintf("%t %t %t %s", labels.Conflicts(x, y), labels.Equals(x, y), labels.ValidatedSetSelector(x).Matches(y),
		labels.Merge(x, y)), nil
}

func parseSet(text string) (string, error) {
	set, err := labels.ConvertSelectorToLabelsMap(text)
	if err != nil {
		return "", err
	}
	return set.String(), nil
}

func decode(text string) *metav1.LabelSelector {
	var s *metav1.LabelSelector
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic(err)
	}
	return s
}

func labelSelector(text string) (string, error) {
	s, err := metav1.LabelSelectorAsSelector(decode(text))
	if err != nil {
		return "", err
	}
	return describe(s), nil
}

func selectorMap(text string) (string, error) {
	set, err := metav1.LabelSelectorAsMap(decode(text))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%t %s", set == nil, labels.Set(set)), nil
}

func format(text string) (string, error) {
	return metav1.FormatLabelSelector(decode(text)), nil
}

func toLabelSelector(text string) (string, error) {
	s, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(s)
	return string(b), err
}

// One line: line feeds and backslashes are escaped.

func main() { oracle.Serve(functions) }
