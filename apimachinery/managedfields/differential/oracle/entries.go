package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type entriesQuestion struct {
	Entries      json.RawMessage        `json:"entries"`
	ScaleEntries json.RawMessage        `json:"scale_entries"`
	Version      string                 `json:"version"`
	Paths        map[string][][]element `json:"paths"` // of the replicas: none or one for each version
	Updater      string                 `json:"updater"`
	Applier      string                 `json:"applier"`
	Subresource  string                 `json:"subresource"`
	Operation    string                 `json:"operation"`
	Fields       string                 `json:"fields"`
}

// owner returns an object with its own copy of the entries: upgrades write into those that they are given.
func (q *entriesQuestion) owner() (*tracked, error) {
	return readTracked([]byte(`{"metadata":{"name":"n","resourceVersion":"7"}}`), q.Entries)
}

func entriesJSON(entries []metav1.ManagedFieldsEntry) any {
	if len(entries) == 0 {
		return "null"
	}
	text, err := json.Marshal(entries)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(text)
}

// entries answers with: the entries of the Scale, those of the object after a write to the Scale, those after a migration from
// client-side apply, the patch of this migration, and the entries that own the fields.
func entries(text []byte) (any, error) {
	q := entriesQuestion{}
	if err := kjson.Unmarshal(text, &q); err != nil {
		return nil, err
	}
	object, err := q.owner()
	if err != nil {
		return nil, err
	}
	scale := &tracked{Unstructured: &unstructured.Unstructured{Object: map[string]any{}}}
	if err := json.Unmarshal(q.ScaleEntries, &scale.managed); err != nil {
		return nil, err
	}
	gv, err := schema.ParseGroupVersion(q.Version)
	if err != nil {
		return nil, err
	}
	mappings := managedfields.ResourcePathMappings{}
	for version, paths := range q.Paths {
		mappings[version] = nil
		for _, path := range paths {
			mappings[version] = toPath(path)
		}
	}
	fields, err := readSet(q.Fields)
	if err != nil {
		return nil, err
	}
	handler := managedfields.NewScaleHandler(object.managed, gv, mappings)
	return []any{
		answerOf(handler.ToSubresource, entriesJSON),
		answerOf(func() ([]metav1.ManagedFieldsEntry, error) { return handler.ToParent(scale.managed) }, entriesJSON),
		answerOf(q.upgrade, entriesJSON),
		answerOf(q.upgradePatch, func(patch []byte) any { return string(patch) }),
		[]any{entriesJSON(owners(object, q.Operation, fields))},
	}, nil
}

func (q *entriesQuestion) upgrade() ([]metav1.ManagedFieldsEntry, error) {
	object, err := q.owner()
	if err != nil {
		return nil, err
	}
	err = csaupgrade.UpgradeManagedFields(object, sets.New(q.Updater), q.Applier, csaupgrade.Subresource(q.Subresource))
	return object.managed, err
}

func (q *entriesQuestion) upgradePatch() ([]byte, error) {
	object, err := q.owner()
	if err != nil {
		return nil, err
	}
	return csaupgrade.UpgradeManagedFieldsPatch(object, sets.New(q.Updater), q.Applier, csaupgrade.Subresource(q.Subresource))
}

func owners(object *tracked, operation string, fields *fieldpath.Set) []metav1.ManagedFieldsEntry {
	return csaupgrade.FindFieldsOwners(object.managed, metav1.ManagedFieldsOperationType(operation), fields)
}
