package main

import (
	"fmt"
	"strings"
)

// Something that is wrong in most places.
func (m *mutator) wrong() any {
	return []any{
		nil, true, int64(7), 1.5, "x", map[string]any{}, []any{}, []any{"a", "a"}, []any{nil}, []any{[]any{}}, []any{"a", int64(1)},
		map[string]any{"name": "x"}, []any{map[string]any{"name": "x"}}, []any{map[string]any{"name": map[string]any{}}},
		[]any{map[string]any{"$patch": "delete"}}, []any{map[string]any{"$patch": "replace"}},
		[]any{map[string]any{"$patch": "delete", "name": "x"}}, map[string]any{"$retainKeys": []any{"name"}},
		map[string]any{"a": nil, "b": []any{map[string]any{"c": nil, "$patch": "delete"}}},
	}[m.Intn(19)]
}

// One of the keys of `object`, or none of them.
func (m *mutator) keyOf(object map[string]any) string {
	keys := sortedKeys(object)
	if len(keys) == 0 || m.chance(3) {
		return []string{"nosuch", "", "$patch", "metadata"}[m.Intn(4)]
	}
	return keys[m.Intn(len(keys))]
}

var mergeKeys = []string{"name", "type", "uid", "ip", "port", "containerPort", "mountPath", "devicePath", "rule", "topologyKey"}

// What `element` is found by in a list: itself, or an object that has but its merge key.
func (m *mutator) handle(element any) any {
	object, ok := element.(map[string]any)
	if !ok {
		return element
	}
	for _, key := range mergeKeys {
		if value, found := object[key]; found && !m.chance(2) {
			return map[string]any{key: value}
		}
	}
	return element
}

func (m *mutator) someHandles(list []any) []any {
	handles := []any{}
	for _, element := range list {
		if !m.chance(10) {
			handles = append(handles, m.handle(element))
		}
	}
	if m.chance(20) {
		m.Shuffle(len(handles), func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
	}
	return handles
}

// A strategic merge patch with a mistake or a directive in some places. `object` is what it is for.
func (m *mutator) spoil(patch, object map[string]any, percent int) map[string]any {
	result := map[string]any{}
	for _, key := range sortedKeys(patch) {
		value := patch[key]
		inner, _ := object[key].(map[string]any)
		switch {
		case m.chance(percent / 4):
			value = m.wrong()
		case m.chance(percent / 8):
			key = strings.ToUpper(key[:min(1, len(key))]) + key[min(1, len(key)):]
		default:
			switch typed := value.(type) {
			case map[string]any:
				value = m.spoil(typed, inner, percent)
			case []any:
				value = m.spoilList(typed, percent)
			}
		}
		result[key] = value
	}
	if m.chance(percent) {
		m.addDirective(result, object)
	}
	return result
}

func (m *mutator) spoilList(list []any, percent int) []any {
	result := []any{}
	for _, element := range list {
		switch {
		case m.chance(percent / 8):
			result = append(result, m.wrong())
			continue
		case m.chance(percent / 4):
			if handle, ok := m.handle(element).(map[string]any); ok {
				handle = copyOf(handle)
				handle["$patch"] = []any{"delete", "delete", "replace", "merge", "bogus", int64(1)}[m.Intn(6)]
				result = append(result, handle)
			}
		case m.chance(percent / 8):
			result = append(result, element)
		}
		if typed, ok := element.(map[string]any); ok {
			element = m.spoil(typed, nil, percent/2)
		}
		result = append(result, element)
	}
	return result
}

func (m *mutator) addDirective(patch, object map[string]any) {
	switch m.Intn(5) {
	case 0:
		patch["$patch"] = []any{"replace", "replace", "delete", "delete", "merge", "bogus", int64(5), nil, map[string]any{}}[m.Intn(9)]
	case 1:
		keys := []any{}
		for _, key := range sortedKeys(patch) {
			if !m.chance(5) {
				keys = append(keys, key)
			}
		}
		for _, key := range sortedKeys(object) {
			if m.chance(30) {
				keys = append(keys, key)
			}
		}
		patch["$retainKeys"] = keys
		if m.chance(10) {
			patch["$retainKeys"] = m.wrong()
		}
	case 2, 3:
		m.addListDirective(patch, object)
	case 4:
		patch[m.keyOf(object)] = m.wrong()
	}
}

func (m *mutator) addListDirective(patch, object map[string]any) {
	lists := []string{}
	for _, key := range sortedKeys(object) {
		if _, ok := object[key].([]any); ok {
			lists = append(lists, key)
		}
	}
	if len(lists) == 0 {
		patch["$setElementOrder"+[]string{"", "/", "/a", "X/a", "/a/b"}[m.Intn(5)]] = m.wrong()
		return
	}
	key := lists[m.Intn(len(lists))]
	list := object[key].([]any)
	if m.chance(50) {
		order := m.someHandles(list)
		if added, ok := patch[key].([]any); ok {
			order = append(m.someHandles(added), order...)
		}
		patch["$setElementOrder/"+key] = order
	} else {
		// Otherwise it depends on the order of a Go map which of them comes first.
		if _, found := patch["$setElementOrder/"+key]; !found {
			delete(patch, key)
		}
		patch["$deleteFromPrimitiveList/"+key] = m.someHandles(list)
	}
	if m.chance(5) {
		patch["$deleteFromPrimitiveList"+[]string{"", "/", "X/a"}[m.Intn(3)]] = m.wrong()
	}
}

// A JSON pointer's text and the value there.
type place struct {
	path  string
	value any
}

func placesOf(value any, path string, places []place) []place {
	places = append(places, place{path, value})
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			places = placesOf(value[key], path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), places)
		}
	case []any:
		for i, element := range value {
			places = placesOf(element, fmt.Sprintf("%s/%d", path, i), places)
		}
	}
	return places
}

func (m *mutator) path(places []place) place {
	found := places[m.Intn(len(places))]
	if m.chance(88) {
		return found
	}
	parent := found.path[:max(0, strings.LastIndex(found.path, "/"))]
	found.path = []string{
		parent + "/-", parent + "/-1", parent + "/0", parent + "/00", parent + "/+1", parent + "/99", parent + "/nosuch",
		found.path + "/a", found.path + "/-", found.path + "/", strings.TrimPrefix(found.path, "/"), "", parent + "/~01~1", found.path + "~",
	}[m.Intn(14)]
	return found
}

// Operations of a JSON patch for `object`.
func (m *mutator) operations(object map[string]any) []any {
	places := placesOf(object, "", nil)
	operations := []any{}
	for i := 1 + m.Intn(4); i > 0; i-- {
		at, from := m.path(places), m.path(places)
		operation := map[string]any{"path": at.path, "op": []string{"add", "remove", "replace", "move", "copy", "test"}[m.Intn(6)]}
		switch operation["op"] {
		case "move", "copy":
			operation["from"] = from.path
		case "test":
			if operation["value"] = at.value; m.chance(10) {
				operation["value"] = from.value
			}
		case "add", "replace":
			if operation["value"] = from.value; m.chance(20) {
				operation["value"] = m.wrong()
			}
		}
		if m.chance(2) {
			operation[[]string{"op", "path", "from"}[m.Intn(3)]] = m.wrong()
		}
		if m.chance(2) {
			delete(operation, []string{"op", "path", "from"}[m.Intn(3)])
		}
		operations = append(operations, operation)
	}
	return operations
}
