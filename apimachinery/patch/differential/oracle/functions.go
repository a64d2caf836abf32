package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Go's code panics on some patches; a server answers these with an error.
var errPanic = errors.New("panic")

func guarded(call func() ([]byte, error)) (result []byte, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			result, err = nil, fmt.Errorf("%w: %v", errPanic, reason)
		}
	}()
	return call()
}

func decode(text []byte) (map[string]any, error) {
	object := map[string]any{}
	err := kjson.Unmarshal(text, &object)
	return object, err
}

// As a server does it, whose lists have no room behind their elements: where they do, merging lists that have duplicates may
// write there.
func applyStrategic(original, patch []byte, object runtime.Object) ([]byte, error) {
	originalMap, err := decode(original)
	if err != nil {
		return nil, mergepatch.ErrBadJSONDoc
	}
	patchMap, err := decode(patch)
	if err != nil {
		return nil, mergepatch.ErrBadJSONDoc
	}
	result, err := strategicpatch.StrategicMergeMapPatch(runtime.DeepCopyJSON(originalMap), runtime.DeepCopyJSON(patchMap), object)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

func applyJSONPatch(original, patch []byte) ([]byte, error) {
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	return decoded.Apply(original)
}

func threeWay(original, modified, current []byte, object runtime.Object, overwrite bool, fns ...mergepatch.PreconditionFunc) ([]byte, error) {
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(original, modified, current, meta, overwrite, fns...)
}

func haveConflicts(left, right []byte, object runtime.Object) ([]byte, error) {
	leftMap, err := decode(left)
	if err != nil {
		return nil, err
	}
	rightMap, err := decode(right)
	if err != nil {
		return nil, err
	}
	conflicts := false
	if object == nil {
		conflicts, err = mergepatch.HasConflicts(leftMap, rightMap)
	} else {
		var meta strategicpatch.PatchMetaFromStruct
		if meta, err = strategicpatch.NewPatchMetaFromStruct(object); err == nil {
			conflicts, err = strategicpatch.MergingMapsHaveConflicts(leftMap, rightMap, meta)
		}
	}
	if err != nil {
		return nil, err
	}
	return []byte(fmt.Sprint(conflicts)), nil
}

func ask(function string, q *question, object runtime.Object) ([]byte, error) {
	var fns []mergepatch.PreconditionFunc
	for _, key := range q.Unchanged {
		if name, isMetadata := strings.CutPrefix(key, "metadata."); isMetadata {
			fns = append(fns, mergepatch.RequireMetadataKeyUnchanged(name))
		} else {
			fns = append(fns, mergepatch.RequireKeyUnchanged(key))
		}
	}
	return guarded(func() ([]byte, error) {
		switch function {
		case "strategic":
			return strategicpatch.CreateTwoWayMergePatch(q.Original, q.Modified, object, fns...)
		case "strategic3":
			return threeWay(q.Original, q.Modified, q.Current, object, q.Overwrite, fns...)
		case "strategic_apply":
			return applyStrategic(q.Original, q.Patch, object)
		case "conflicts":
			return haveConflicts(q.Original, q.Modified, object)
		case "merge":
			return jsonpatch.CreateMergePatch(q.Original, q.Modified)
		case "merge3":
			return jsonmergepatch.CreateThreeWayJSONMergePatch(q.Original, q.Modified, q.Current, fns...)
		case "merge_apply":
			return jsonpatch.MergePatch(q.Original, q.Patch)
		case "json_apply":
			return applyJSONPatch(q.Original, q.Patch)
		}
		return nil, fmt.Errorf("there is no function %q", function)
	})
}
