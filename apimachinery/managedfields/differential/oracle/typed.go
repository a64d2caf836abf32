package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// How often an operation is repeated that fails because of an undeclared field. Upstream does not look further into a map after
// such a field, so that the order of a Go map decides which mistakes the error names.
const attempts = 40

// failures returns the different texts of the errors of an operation, and its result if it succeeds.
func failures[T any](operation func() (T, error)) (result T, texts []any) {
	seen := map[string]bool{}
	for range attempts {
		made, err := guarded(operation)
		if err == nil {
			return made, nil
		}
		seen[err.Error()] = true
		if !strings.Contains(err.Error(), "field not declared in schema") {
			break
		}
	}
	for _, text := range slices.Sorted(maps.Keys(seen)) {
		texts = append(texts, text)
	}
	return result, texts
}

func guarded[T any](operation func() (T, error)) (result T, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	return operation()
}

type typedQuestion struct {
	Schema string `json:"schema"`
	Root   string `json:"root"`
	A      any    `json:"a"`
	B      any    `json:"b"`
	Set    string `json:"set"`
}

// An answer is the result alone in a list, or "error" and the texts of the errors, or nothing if the operation has no sense.
func answerOf[T any](operation func() (T, error), show func(T) any) any {
	result, texts := failures(operation)
	if texts != nil {
		return append([]any{"error"}, texts...)
	}
	return []any{show(result)}
}

// Questions about one schema come one after the other.
var latest struct {
	text   string
	parser *typed.Parser
}

func parserOf(text string) (*typed.Parser, error) {
	if latest.text != text {
		parser, err := typed.NewParser(typed.YAMLObject(text))
		if err != nil {
			return nil, err
		}
		latest.text, latest.parser = text, parser
	}
	return latest.parser, nil
}

func showSet(set *fieldpath.Set) any { return setJSON(set) }

func showValue(value *typed.TypedValue) any {
	if value.AsValue() == nil {
		return nil
	}
	return value.AsValue().Unstructured()
}

// typedValues answers with: is A valid, and with duplicates; likewise B; the sets of A and B; how they differ; A merged with B;
// A without the set, what A has of it, and that with keys; the set reconciled with the schema; the set with its named fields.
func typedValues(text []byte) (any, error) {
	q := typedQuestion{}
	if err := kjson.Unmarshal(text, &q); err != nil {
		return nil, err
	}
	parser, err := parserOf(q.Schema)
	if err != nil {
		return nil, err
	}
	root := parser.Type(q.Root)
	set, err := readSet(q.Set)
	if err != nil {
		return nil, err
	}
	read := func(value any, opts ...typed.ValidationOptions) func() (*typed.TypedValue, error) {
		return func() (*typed.TypedValue, error) { return root.FromUnstructured(value, opts...) }
	}
	isValid := func(*typed.TypedValue) any { return true }
	answers := []any{
		answerOf(read(q.A), isValid), answerOf(read(q.A, typed.AllowDuplicates), isValid),
		answerOf(read(q.B), isValid), answerOf(read(q.B, typed.AllowDuplicates), isValid),
	}
	a, wrong := failures(read(q.A, typed.AllowDuplicates))
	b, wrongB := failures(read(q.B, typed.AllowDuplicates))
	if wrong != nil || wrongB != nil {
		return answers, nil
	}
	merged := any([]any{})
	if _, duplicates := failures(read(q.B)); duplicates == nil {
		merged = answerOf(func() (*typed.TypedValue, error) { return a.Merge(b) }, showValue)
	}
	return append(answers,
		answerOf(a.ToFieldSet, showSet), answerOf(b.ToFieldSet, showSet),
		answerOf(func() (*typed.Comparison, error) { return a.Compare(b) }, showComparison),
		merged,
		answerOf(func() (*typed.TypedValue, error) { return a.RemoveItems(set), nil }, showValue),
		answerOf(func() (*typed.TypedValue, error) { return a.ExtractItems(set), nil }, showValue),
		answerOf(func() (*typed.TypedValue, error) {
			return a.ExtractItems(set, typed.WithAppendKeyFields()), nil
		}, showValue),
		answerOf(func() (*fieldpath.Set, error) { return typed.ReconcileFieldSetWithSchema(set, a) }, showReconciled),
		answerOf(func() (*fieldpath.Set, error) {
			return set.EnsureNamedFieldsAreMembers(root.Schema, root.TypeRef), nil
		}, showSet),
	), nil
}

func showComparison(c *typed.Comparison) any {
	return []any{setJSON(c.Removed), setJSON(c.Modified), setJSON(c.Added)}
}

// A set that needs no change is nil.
func showReconciled(set *fieldpath.Set) any {
	if set == nil {
		return nil
	}
	return setJSON(set)
}
