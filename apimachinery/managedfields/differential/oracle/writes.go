package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"kube/apimachinery/managedfields/differential/exactjson"
)

// ---- Objects.

// tracked is an object whose managed fields are kept beside it, as they are in Kubernetes' Go types: their bytes stay what the
// field manager made them, and times keep their fractions within a write.
type tracked struct {
	*unstructured.Unstructured
	managed []metav1.ManagedFieldsEntry
}

func (t *tracked) GetManagedFields() []metav1.ManagedFieldsEntry { return t.managed }

func (t *tracked) SetManagedFields(managed []metav1.ManagedFieldsEntry) { t.managed = managed }

func (t *tracked) DeepCopyObject() runtime.Object {
	copied := &tracked{Unstructured: t.Unstructured.DeepCopy()}
	for i := range t.managed {
		copied.managed = append(copied.managed, *t.managed[i].DeepCopy())
	}
	return copied
}

func readTracked(object, managed []byte) (*tracked, error) {
	read := &tracked{Unstructured: &unstructured.Unstructured{Object: map[string]any{}}}
	if err := kjson.Unmarshal(object, &read.Object); err != nil {
		return nil, err
	}
	if len(managed) == 0 {
		return read, nil
	}
	return read, json.Unmarshal(managed, &read.managed)
}

// ---- What a field manager is given.

type typeConverter struct{ managedfields.TypeConverter }

func (c typeConverter) ObjectToTyped(object runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	if t, ok := object.(*tracked); ok {
		object = t.Unstructured
	}
	return c.TypeConverter.ObjectToTyped(object, opts...)
}

func (c typeConverter) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	object, err := c.TypeConverter.TypedToObject(value)
	if err != nil {
		return nil, err
	}
	return &tracked{Unstructured: object.(*unstructured.Unstructured)}, nil
}

// A byGroup knows all kinds of Kubernetes.
type byGroup struct{}

func (byGroup) ObjectToTyped(object runtime.Object, opts ...typed.ValidationOptions) (*typed.TypedValue, error) {
	_, converter := sourceOf(object.GetObjectKind().GroupVersionKind())
	return converter.ObjectToTyped(object, opts...)
}

func (byGroup) TypedToObject(value *typed.TypedValue) (runtime.Object, error) {
	return clientGo().TypedToObject(value)
}

// An objectConverter converts between the given versions. An object is the same in all of them, except that a member of spec
// may have another name in each.
type objectConverter struct {
	versions []string
	renamed  map[string]string // the name in each version
}

func (c *objectConverter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object, ok := in.(*tracked)
	if !ok {
		return nil, fmt.Errorf("convert %T", in)
	}
	gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{object.GroupVersionKind()})
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", object.GroupVersionKind())
	}
	from, to := object.GetAPIVersion(), gvk.GroupVersion().String()
	if from == to {
		return object, nil
	}
	if !slices.Contains(c.versions, from) || !slices.Contains(c.versions, to) {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", gvk)
	}
	converted := object.DeepCopyObject().(*tracked)
	converted.SetAPIVersion(to)
	if spec, ok := converted.Object["spec"].(map[string]any); ok {
		if member, found := spec[c.renamed[from]]; found {
			delete(spec, c.renamed[from])
			spec[c.renamed[to]] = member
		}
	}
	return converted, nil
}

func (c *objectConverter) Convert(in, out, context any) error { return errors.New("not implemented") }

func (c *objectConverter) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("not implemented")
}

type defaulter struct{}

func (defaulter) Default(runtime.Object) {}

// A creater makes the object that a new one is compared with.
type creater struct{ zero map[string]any }

func (c creater) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	object := &tracked{Unstructured: &unstructured.Unstructured{Object: runtime.DeepCopyJSON(c.zero)}}
	object.SetGroupVersionKind(gvk)
	return object, nil
}

// ---- Sequences.

type writesQuestion struct {
	Schema     string            `json:"schema"`     // "built-in", "deduced" or "crd"
	Definition json.RawMessage   `json:"definition"` // of a CRD
	Kind       string            `json:"kind"`
	Versions   []string          `json:"versions"`
	Renamed    map[string]string `json:"renamed"`
	Zero       map[string]any    `json:"zero"`
	Writes     []write           `json:"writes"`
}

type write struct {
	Apply       bool            `json:"apply"`
	Force       bool            `json:"force"`
	New         bool            `json:"new"` // there is no live object any more
	At          int64           `json:"at"`  // milliseconds since 1970
	Version     string          `json:"version"`
	Subresource string          `json:"subresource"`
	Manager     string          `json:"manager"`
	UID         string          `json:"uid"` // given to the object afterwards
	Object      json.RawMessage `json:"object"`
	Managed     json.RawMessage `json:"managed"`
	Excluded    [][]element     `json:"excluded"` // reset fields
	Included    [][]element     `json:"included"`
}

// A sequence is an object to which is written. What is stored is JSON, as in a server's storage.
type sequence struct {
	converter managedfields.TypeConverter
	objects   *objectConverter
	zero      map[string]any
	kind      string
	object    string // empty if there is no object
	managed   []byte
}

func (s *sequence) live(gv schema.GroupVersion) (*tracked, error) {
	if s.object == "" {
		object, err := creater{s.zero}.New(gv.WithKind(s.kind))
		if err != nil {
			return nil, err
		}
		return object.(*tracked), nil
	}
	object, err := readTracked([]byte(s.object), s.managed)
	if err != nil {
		return nil, err
	}
	converted, err := s.objects.ConvertToVersion(object, gv)
	if err != nil {
		return nil, err
	}
	return converted.(*tracked), nil
}

func (s *sequence) store(object *tracked, uid string) error {
	if uid != "" {
		if err := unstructured.SetNestedField(object.Object, uid, "metadata", "uid"); err != nil {
			return err
		}
	}
	managed, err := json.Marshal(object.managed)
	if err != nil {
		return err
	}
	s.object, s.managed = exactjson.Encode(object.Object), managed
	if len(object.managed) == 0 {
		s.managed = []byte("null")
	}
	return nil
}

func (s *sequence) fieldManager(w *write, gv schema.GroupVersion) (*managedfields.FieldManager, error) {
	resetFields := map[fieldpath.APIVersion]fieldpath.Filter{}
	if filter := toFilter(w.Excluded, w.Included); filter != nil {
		resetFields[fieldpath.APIVersion(w.Version)] = filter
	}
	return managedfields.NewDefaultCRDFieldManager(typeConverter{s.converter}, s.objects, defaulter{}, creater{s.zero},
		gv.WithKind(s.kind), gv, w.Subresource, resetFields)
}

// do makes the write with objects of its own, as neither a write nor an error may change others.
func (s *sequence) do(w *write, gv schema.GroupVersion) (*tracked, error) {
	manager, err := s.fieldManager(w, gv)
	if err != nil {
		return nil, err
	}
	live, err := s.live(gv)
	if err != nil {
		return nil, err
	}
	object, err := readTracked(w.Object, w.Managed)
	if err != nil {
		return nil, err
	}
	var written runtime.Object
	if w.Apply {
		written, err = manager.Apply(live, object, w.Manager, w.Force)
	} else {
		written, err = manager.Update(live, object, w.Manager)
	}
	if err != nil {
		return nil, err
	}
	return written.(*tracked), nil
}

// answer returns "ok", the object and its managed fields; "error" and the texts of the error; or "status" and the Status.
func (s *sequence) answer(w *write) (any, error) {
	time.Sleep(time.Until(time.UnixMilli(w.At)))
	if w.New {
		s.object, s.managed = "", nil
	}
	gv, err := schema.ParseGroupVersion(w.Version)
	if err != nil {
		return nil, err
	}
	var status *apierrors.StatusError
	written, texts := failures(func() (*tracked, error) {
		object, err := s.do(w, gv)
		if errors.As(err, &status) {
			return nil, nil
		}
		return object, err
	})
	if status != nil {
		return describeStatus(status), nil
	}
	if texts != nil {
		if !w.Apply {
			// The server stores the object all the same.
			untracked, err := readTracked(w.Object, nil)
			if err != nil {
				return nil, err
			}
			if err := s.store(untracked, w.UID); err != nil {
				return nil, err
			}
		}
		return append([]any{"error"}, texts...), nil
	}
	if err := s.store(written, w.UID); err != nil {
		return nil, err
	}
	return []any{"ok", s.object, string(s.managed)}, nil
}

func describeStatus(err *apierrors.StatusError) []any {
	status := err.Status()
	described := []any{"status", int64(status.Code), string(status.Reason), status.Message}
	causes := []string{}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			causes = append(causes, string(cause.Type)+"|"+cause.Field+"|"+cause.Message)
		}
	}
	slices.Sort(causes)
	for _, cause := range causes {
		described = append(described, cause)
	}
	return described
}

func writes(text []byte) (any, error) {
	q := writesQuestion{}
	if err := kjson.Unmarshal(text, &q); err != nil {
		return nil, err
	}
	s := &sequence{
		objects: &objectConverter{versions: q.Versions, renamed: q.Renamed},
		zero:    q.Zero,
		kind:    q.Kind,
	}
	switch q.Schema {
	case "built-in":
		s.converter = byGroup{}
	case "deduced":
		s.converter = managedfields.NewDeducedTypeConverter()
	default:
		converter, err := crdConverter(q.Definition)
		if err != nil {
			return nil, err
		}
		s.converter = converter
	}
	answers := []any{}
	for i := range q.Writes {
		answer, err := s.answer(&q.Writes[i])
		if err != nil {
			return nil, fmt.Errorf("write %d: %w", i, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}
