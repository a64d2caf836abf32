package main

import (
	"maps"
	"math/rand"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// Makes objects of others. All that it makes of valid objects of a kind is valid too: values only come from the same place of
// another.
type mutator struct {
	*rand.Rand
}

func (m *mutator) chance(percent int) bool { return m.Intn(100) < percent }

func sortedKeys(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

func copyOf[T any](value T) T {
	copied, _ := runtime.DeepCopyJSONValue(any(value)).(T)
	return copied
}

// The union: lists of both, and of maps all keys.
func (m *mutator) union(a, b any) any {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for _, key := range sortedKeys(b) {
				if old, found := a[key]; found {
					a[key] = m.union(old, b[key])
				} else if m.chance(70) {
					a[key] = b[key]
				}
			}
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) < 5 {
			return append(a, b...)
		}
	}
	return a
}

// A copy of `value`, changed in about one place of PERCENT hundredths; what is new comes from `donor`.
func (m *mutator) vary(value, donor any, percent int) any {
	if m.chance(percent/2) && donor != nil {
		return copyOf(donor)
	}
	switch value := value.(type) {
	case map[string]any:
		donor, _ := donor.(map[string]any)
		return m.varyMap(value, donor, percent)
	case []any:
		donor, _ := donor.([]any)
		return m.varyList(value, donor, percent)
	}
	if m.chance(percent) && donor != nil {
		return copyOf(donor)
	}
	return value
}

func (m *mutator) varyMap(value, donor map[string]any, percent int) map[string]any {
	result := map[string]any{}
	for _, key := range sortedKeys(value) {
		if key == "apiVersion" || key == "kind" || !m.chance(percent) {
			result[key] = m.vary(value[key], donor[key], percent)
		}
	}
	for _, key := range sortedKeys(donor) {
		if _, found := value[key]; !found && m.chance(percent) {
			result[key] = copyOf(donor[key])
		}
	}
	return result
}

func (m *mutator) varyList(value, donor []any, percent int) []any {
	result := []any{}
	for _, element := range value {
		if m.chance(percent) {
			continue
		}
		var other any
		if len(donor) > 0 {
			other = donor[m.Intn(len(donor))]
		}
		result = append(result, m.vary(element, other, percent))
	}
	for _, element := range donor {
		if m.chance(percent) {
			result = slices.Insert(result, m.Intn(len(result)+1), copyOf(element))
		}
	}
	if m.chance(percent) {
		m.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
	}
	return result
}
