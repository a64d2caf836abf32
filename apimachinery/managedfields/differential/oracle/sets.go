package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// A path element as a question has it, an object with one member: {"f": "name"}, {"k": {"name": "web"}}, {"v": 1}, {"i": 3}, or,
// in a pattern, {"any": true}.
type element map[string]any

func toElement(description element) fieldpath.PathElement {
	for kind, content := range description {
		switch kind {
		case "f":
			name := content.(string)
			return fieldpath.PathElement{FieldName: &name}
		case "k":
			fields := value.FieldList{}
			for name, field := range content.(map[string]any) {
				fields = append(fields, value.Field{Name: name, Value: value.NewValueInterface(field)})
			}
			fields.Sort()
			return fieldpath.PathElement{Key: &fields}
		case "v":
			item := value.NewValueInterface(content)
			return fieldpath.PathElement{Value: &item}
		case "i":
			index := int(content.(int64))
			return fieldpath.PathElement{Index: &index}
		}
	}
	panic(fmt.Sprintf("%v is not a path element", description))
}

func toPath(elements []element) fieldpath.Path {
	path := fieldpath.Path{}
	for _, each := range elements {
		path = append(path, toElement(each))
	}
	return path
}

func toSet(paths [][]element) *fieldpath.Set {
	set := fieldpath.NewSet()
	for _, elements := range paths {
		set.Insert(toPath(elements))
	}
	return set
}

func setJSON(set *fieldpath.Set) string {
	text, err := set.ToJSON()
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}

func readSet(text string) (*fieldpath.Set, error) {
	set := &fieldpath.Set{}
	return set, set.FromJSON(strings.NewReader(text))
}

// A filter of excluded fields, or of patterns, or nil.
func toFilter(excluded [][]element, included [][]element) fieldpath.Filter {
	if len(excluded) > 0 {
		return fieldpath.NewExcludeSetFilter(toSet(excluded))
	}
	if len(included) == 0 {
		return nil
	}
	matchers := []*fieldpath.SetMatcher{}
	for _, pattern := range included {
		parts := []any{}
		for _, each := range pattern {
			if _, isAny := each["any"]; isAny {
				parts = append(parts, fieldpath.MatchAnyPathElement())
			} else {
				parts = append(parts, toElement(each))
			}
		}
		matchers = append(matchers, fieldpath.MakePrefixMatcherOrDie(parts...))
	}
	return fieldpath.NewIncludeMatcherFilter(matchers...)
}

type setsQuestion struct {
	A        [][]element `json:"a"`
	B        [][]element `json:"b"`
	Excluded [][]element `json:"excluded"`
	Included [][]element `json:"included"`
	Paths    [][]element `json:"paths"` // is each of them in A?
}

func fieldSets(text []byte) (any, error) {
	q := setsQuestion{}
	if err := kjson.Unmarshal(text, &q); err != nil {
		return nil, err
	}
	a, b := toSet(q.A), toSet(q.B)
	filtered := a
	if filter := toFilter(q.Excluded, q.Included); filter != nil {
		filtered = filter.Filter(a)
	}
	has := []any{}
	for _, elements := range q.Paths {
		has = append(has, a.Has(toPath(elements)))
	}
	return []any{
		setJSON(a), setJSON(b), a.String(), int64(a.Size()), has,
		setJSON(a.Union(b)), setJSON(a.Intersection(b)), setJSON(a.Difference(b)), setJSON(a.RecursiveDifference(b)),
		setJSON(a.Leaves()), setJSON(filtered), a.Equals(b),
	}, nil
}

// decodeSet returns what is read from any text: the set or nil, and whether encoding/json would read it, too.
func decodeSet(text []byte) (any, error) {
	strict := isStrict(text)
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader(text)); err != nil {
		return []any{nil, strict}, nil
	}
	return []any{setJSON(set), strict}, nil
}

// decodeElement does the same for a path element, and returns its text for people, too. An element of an unknown type is
// "unknown".
func decodeElement(text []byte) (any, error) {
	strict := isStrictElement(string(text))
	decoded, err := fieldpath.DeserializePathElement(string(text))
	if errors.Is(err, fieldpath.ErrUnknownPathElementType) {
		return []any{"unknown", "", strict}, nil
	}
	if err != nil {
		return []any{nil, "", strict}, nil
	}
	serialized, err := fieldpath.SerializePathElement(decoded)
	if err != nil {
		return nil, err
	}
	return []any{serialized, decoded.String(), strict}, nil
}

func isStrict(text []byte) bool {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	for name, below := range members {
		if !isStrictElement(name) || !isStrict(below) {
			return false
		}
	}
	return true
}

// An element is also not strict if a key field occurs twice in it: upstream keeps both.
func isStrictElement(text string) bool {
	if content, ok := strings.CutPrefix(text, "v:"); ok {
		return json.Valid([]byte(content))
	}
	content, ok := strings.CutPrefix(text, "k:")
	if !ok {
		return true
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(content), &fields) != nil {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(content))
	if _, err := decoder.Token(); err != nil {
		return false
	}
	names := 0
	for decoder.More() {
		if _, err := decoder.Token(); err != nil {
			return false
		}
		if err := decoder.Decode(new(any)); err != nil {
			return false
		}
		names++
	}
	return names == len(fields)
}
