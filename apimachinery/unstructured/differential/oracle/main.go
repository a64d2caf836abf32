// Command unstructured_oracle answers what apimachinery's unstructured objects make of a text.
//
//	decode	JSON			->	the object or list, decoded and encoded, in hexadecimal
//	accessors	JSON		->	what the getters of the object say
//	int64	PATH NUL JSON		->	NestedInt64 of the object; or "says: " and the error, without the value
//	cbor_encode	JSON		->	the value in CBOR, in hexadecimal
//	cbor_recode	CBOR		->	the value, decoded and encoded
//	cbor_object	CBOR		->	the object, decoded and encoded
//	cbor_list	CBOR		->	the list, decoded and encoded as JSON, without members that lists do not have
//	cbor_typed	KIND NUL CBOR	->	the object of v1, decoded, in JSON, in hexadecimal
//	cbor_struct	KIND NUL JSON	->	the object of v1, decoded, in CBOR, in hexadecimal
//	typed	APIVERSION NUL KIND NUL JSON	->	a typed object to unstructured and back, both in JSON, in hexadecimal
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/kubernetes/scheme"

	"kube/tests/oracle"
)

var codec = unstructured.UnstructuredJSONScheme

func encode(object runtime.Object) (string, error) {
	var out bytes.Buffer
	err := codec.Encode(object, &out)
	return hex.EncodeToString(out.Bytes()), err
}

func decode(text string, into runtime.Object) (string, error) {
	object, _, err := codec.Decode([]byte(text), nil, into)
	if err != nil {
		return "", err
	}
	return encode(object)
}

func accessors(text string) (string, error) {
	o := &unstructured.Unstructured{}
	if _, _, err := codec.Decode([]byte(text), nil, o); err != nil {
		return "", err
	}
	deletion, grace := "none", "none"
	if t := o.GetDeletionTimestamp(); t != nil {
		deletion = fmt.Sprint(t.Unix())
	}
	if s := o.GetDeletionGracePeriodSeconds(); s != nil {
		grace = fmt.Sprint(*s)
	}
	created := "none"
	if t := o.GetCreationTimestamp(); !t.IsZero() {
		created = fmt.Sprint(t.Unix())
	}
	lists, err := json.Marshal([]any{o.GetLabels(), o.GetAnnotations(), o.GetFinalizers(), o.GetOwnerReferences(), o.GetManagedFields()})
	if err != nil {
		return "", err
	}
	all := strings.Join([]string{o.GetName(), o.GetGenerateName(), o.GetNamespace(), string(o.GetUID()), o.GetResourceVersion(), o.GetSelfLink(),
		o.GroupVersionKind().String(), fmt.Sprint(o.GetGeneration()), created, deletion, grace, fmt.Sprint(o.IsList()), string(lists)}, "|")
	return hex.EncodeToString([]byte(all)), nil
}

// What is before "is of the type" in errors of accessors: a value, after what it is in, if it is in something.
var typedValue = regexp.MustCompile(`(?s)(accessor error: (?:contains non-string key in the slice: |` +
	`contains non-string value in the map under key "(?:[^"\\]|\\.)*": )?).* is of the type`)
var lossyValue = regexp.MustCompile(`accessor error: int64 value \d+ cannot`)

// Ours do not have the value.
func withoutValue(message string) string {
	message = typedValue.ReplaceAllString(message, "${1}the value is of the type")
	return lossyValue.ReplaceAllString(message, "accessor error: the int64 value cannot")
}

func nested[T any](get func(map[string]any, ...string) (T, bool, error)) func(string) (string, error) {
	return func(text string) (string, error) {
		path, document, _ := strings.Cut(text, "\x00")
		object := map[string]any{}
		if err := kjson.Unmarshal([]byte(document), &object); err != nil {
			return "", err
		}
		value, found, err := get(object, strings.Split(path, "/")...)
		if err != nil {
			return hex.EncodeToString([]byte("says: " + withoutValue(err.Error()))), nil
		}
		if !found {
			return "absent", nil
		}
		out, err := json.Marshal(value)
		return hex.EncodeToString(out), err
	}
}

func typed(text string) (string, error) {
	parts := strings.SplitN(text, "\x00", 3)
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(parts[0], parts[1]))
	if err != nil {
		return "unknown", nil
	}
	if err := kjson.Unmarshal([]byte(parts[2]), object); err != nil {
		return "", err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return "", err
	}
	out, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	again, _ := scheme.Scheme.New(schema.FromAPIVersionAndKind(parts[0], parts[1]))
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, again); err != nil {
		return "", err
	}
	back, err := json.Marshal(again)
	return hex.EncodeToString(out) + " " + hex.EncodeToString(back), err
}

var functions = map[string]func(string) (string, error){
	"decode":     func(text string) (string, error) { return decode(text, nil) },
	"object":     func(text string) (string, error) { return decode(text, &unstructured.Unstructured{}) },
	"accessors":  accessors,
	"string":     nested(unstructured.NestedString),
	"bool":       nested(unstructured.NestedBool),
	"int64":      nested(unstructured.NestedInt64),
	"float64":    nested(unstructured.NestedFloat64),
	"number":     nested(unstructured.NestedNumberAsFloat64),
	"strings":    nested(unstructured.NestedStringSlice),
	"texts":      nested(unstructured.NestedStringMap),
	"null_texts": nested(unstructured.NestedNullCoercingStringMap),
	"map":        nested(unstructured.NestedMap),
	"slice":      nested(unstructured.NestedSlice),
	"typed":      typed,

	"cbor_encode": cborEncode,
	"cbor_recode": cborRecode,
	"cbor_object": cborObject,
	"cbor_list":   cborList,
	"cbor_typed":  cborTyped,
	"cbor_struct": cborStruct,
}

func cborEncode(text string) (string, error) {
	var value any
	if err := kjson.Unmarshal([]byte(text), &value); err != nil {
		return "", err
	}
	out, err := direct.Marshal(value)
	return hex.EncodeToString(out), err
}

func cborRecode(data string) (string, error) {
	var value any
	if err := direct.Unmarshal([]byte(data), &value); err != nil {
		return "", err
	}
	out, err := direct.Marshal(value)
	return hex.EncodeToString(out), err
}

// Neither a creater nor a typer is needed for unstructured objects.
var cborSerializer = cbor.NewSerializer(nil, nil)

func cborObject(data string) (string, error) {
	object, _, err := cborSerializer.Decode([]byte(data), nil, &unstructured.Unstructured{})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = cborSerializer.Encode(object, &out)
	return hex.EncodeToString(out.Bytes()), err
}

func cborList(data string) (string, error) {
	list := &unstructured.UnstructuredList{}
	if _, _, err := cborSerializer.Decode([]byte(data), nil, list); err != nil {
		return "", err
	}
	for name, value := range list.Object {
		_, isMap := value.(map[string]any)
		switch {
		case name == "apiVersion" || name == "kind":
		case name == "metadata" && value != nil && !isMap:
			return "", fmt.Errorf("metadata is not a map")
		case name != "metadata" || value == nil:
			delete(list.Object, name)
		}
	}
	return encode(list)
}

// A new object of the kind that is named before the first NUL, and what is behind that.
func newTyped(text string) (runtime.Object, []byte, error) {
	kind, data, _ := strings.Cut(text, "\x00")
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind("v1", kind))
	return object, []byte(data), err
}

func cborTyped(text string) (string, error) {
	object, data, err := newTyped(text)
	if err != nil {
		return "", err
	}
	if err := direct.Unmarshal(data, object); err != nil {
		return "", err
	}
	out, err := json.Marshal(object)
	return hex.EncodeToString(out), err
}

func cborStruct(text string) (string, error) {
	object, data, err := newTyped(text)
	if err != nil {
		return "", err
	}
	if err := kjson.Unmarshal(data, object); err != nil {
		return "", err
	}
	out, err := direct.Marshal(object)
	return hex.EncodeToString(out), err
}

func main() { oracle.Serve(functions) }
