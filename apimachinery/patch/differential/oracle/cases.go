package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func writePart(out *bufio.Writer, part []byte) error {
	if err := binary.Write(out, binary.BigEndian, uint32(len(part))); err != nil {
		return err
	}
	_, err := out.Write(part)
	return err
}

// A result is "k" and it; an error "e" and its text; "c" and the text of a conflict; "p" where Go's code panics.
func writeResult(out *bufio.Writer, call func() ([]byte, error)) ([]byte, error) {
	result, err := guarded(call)
	part := append([]byte{'k'}, result...)
	switch {
	case err == nil:
	case errors.Is(err, errPanic):
		part = append([]byte{'p'}, err.Error()...)
	case mergepatch.IsConflict(err):
		part = append([]byte{'c'}, err.Error()...)
	default:
		part = append([]byte{'e'}, err.Error()...)
	}
	return result, writePart(out, part)
}

// The objects of a case: what was, what is wanted, and what is there meanwhile.
func (m *mutator) triple(objects []map[string]any) (original, modified, current map[string]any) {
	pick := func() map[string]any { return copyOf(objects[m.Intn(len(objects))]) }
	base := m.union(m.union(pick(), pick()), pick())
	original = m.vary(base, pick(), 2).(map[string]any)
	modified = m.vary(original, pick(), 1+m.Intn(12)).(map[string]any)
	current = m.vary(original, pick(), 1+m.Intn(8)).(map[string]any)
	return original, modified, current
}

// Writes the parts of a case: three objects; the patch from the first to the second and what it makes of the first; the
// three-way patch that overwrites, what it makes of the third, and the one that does not overwrite; merge patches likewise; a
// hostile patch, what it makes of the third as a strategic merge patch and as a merge patch; a JSON patch, and what it makes
// of the third.
func writeCase(out *bufio.Writer, m *mutator, object runtime.Object, objects []map[string]any) error {
	originalMap, modifiedMap, currentMap := m.triple(objects)
	texts := [][]byte{}
	for _, each := range []any{originalMap, modifiedMap, currentMap} {
		text, err := json.Marshal(each)
		if err != nil {
			return err
		}
		texts = append(texts, text)
		if err := writePart(out, text); err != nil {
			return err
		}
	}
	original, modified, current := texts[0], texts[1], texts[2]
	var patch, threeWayPatch, mergePatch []byte
	for _, each := range []struct {
		result *[]byte
		call   func() ([]byte, error)
	}{
		{&patch, func() ([]byte, error) { return strategicpatch.CreateTwoWayMergePatch(original, modified, object) }},
		{nil, func() ([]byte, error) { return applyStrategic(original, patch, object) }},
		{&threeWayPatch, func() ([]byte, error) { return threeWay(original, modified, current, object, true) }},
		{nil, func() ([]byte, error) { return applyStrategic(current, threeWayPatch, object) }},
		{nil, func() ([]byte, error) { return threeWay(original, modified, current, object, false) }},
		{&mergePatch, func() ([]byte, error) { return jsonpatch.CreateMergePatch(original, modified) }},
		{nil, func() ([]byte, error) { return jsonpatch.MergePatch(current, mergePatch) }},
		{nil, func() ([]byte, error) {
			return jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current)
		}},
	} {
		result, err := writeResult(out, each.call)
		if err != nil {
			return err
		}
		if each.result != nil {
			*each.result = result
		}
	}
	return writeHostile(out, m, object, patch, modifiedMap, currentMap)
}

func writeHostile(out *bufio.Writer, m *mutator, object runtime.Object, patch []byte, modified, current map[string]any) error {
	text, err := json.Marshal(current)
	if err != nil {
		return err
	}
	toSpoil := modified
	if m.chance(60) {
		// Of an error there is no patch.
		if toSpoil, err = decode(patch); err != nil {
			toSpoil = map[string]any{}
		}
	}
	hostile, err := json.Marshal(m.spoil(toSpoil, current, 4+m.Intn(12)))
	if err != nil {
		return err
	}
	operations, err := json.Marshal(m.operations(current))
	if err != nil {
		return err
	}
	if err := writePart(out, hostile); err != nil {
		return err
	}
	if _, err := writeResult(out, func() ([]byte, error) { return applyStrategic(text, hostile, object) }); err != nil {
		return err
	}
	if _, err := writeResult(out, func() ([]byte, error) { return jsonpatch.MergePatch(text, hostile) }); err != nil {
		return err
	}
	if err := writePart(out, operations); err != nil {
		return err
	}
	_, err = writeResult(out, func() ([]byte, error) { return applyJSONPatch(text, operations) })
	return err
}
