package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"sigs.k8s.io/yaml"
)

// ---- What is the same in two documents though it is written in two ways, and the differences that are meant: the table of
// docs/envtest.md, "OpenAPI of the embedded server".

// A normal is a form in which only differences that matter are left.
type normal struct {
	// Whether descriptions are compared: those of custom resources are.
	descriptions bool
	// Whether enums are not, which published documents do not have.
	noEnums bool
	// The shared parameters of a v2 document.
	parameters map[string]any
	// The kinds of lists of custom resources, whose descriptions the server has made.
	lists map[string]bool
}

// The members of a schema or document whose members have names of fields or definitions.
var hasNames = map[string]bool{"definitions": true, "properties": true, "schemas": true}

// The fields that every custom resource and every embedded one gets from the server.
var injected = map[string]bool{"apiVersion": true, "kind": true, "metadata": true}

var builtIn = regexp.MustCompile(`^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\.`)

func (n normal) of(value any) any {
	switch v := value.(type) {
	case []any:
		list := make([]any, len(v))
		for i, each := range v {
			list[i] = n.of(each)
		}
		return list
	case map[string]any:
		return n.object(v)
	}
	return value
}

func (n normal) named(members map[string]any) map[string]any {
	out := map[string]any{}
	for name, each := range members {
		m := n
		if injected[name] {
			m.descriptions = false
		}
		out[name] = m.of(each)
	}
	return out
}

func (n normal) object(members map[string]any) any {
	if ref, ok := members["$ref"].(string); ok && strings.HasPrefix(ref, "#/parameters/") {
		return n.of(n.parameters[strings.TrimPrefix(ref, "#/parameters/")])
	}
	out := map[string]any{}
	for key, each := range members {
		_, isText := each.(string)
		names, isObject := each.(map[string]any)
		switch {
		case key == "description" && isText && !n.descriptions:
		case key == "enum" && n.noEnums:
		case strings.Contains(key, "cbor"): // a media type
		case hasNames[key] && isObject:
			out[key] = n.named(names)
		default:
			out[key] = n.of(each)
		}
	}
	// Two ways to write a reference, of which the one that has siblings is needed for descriptions.
	if all, ok := out["allOf"].([]any); ok && len(all) == 1 {
		if only, ok := all[0].(map[string]any); ok && len(only) == 1 && only["$ref"] != nil {
			delete(out, "allOf")
			out["$ref"] = only["$ref"]
		}
	}
	for _, key := range []string{"required", "consumes", "produces"} {
		if list, ok := out[key].([]any); ok {
			out[key] = sorted(list)
		}
	}
	return out
}

func sorted(list []any) []any {
	texts := []string{}
	for _, each := range list {
		if text := fmt.Sprint(each); !strings.Contains(text, "cbor") {
			texts = append(texts, text)
		}
	}
	sort.Strings(texts)
	out := []any{}
	for _, text := range texts {
		out = append(out, text)
	}
	return out
}

// tolerate takes away from a schema what the embedded server leaves out.
func tolerate(name string, schema map[string]any) {
	delete(schema, "x-kubernetes-unions")
	if strings.HasSuffix(name, ".meta.v1.DeleteOptions") || strings.HasSuffix(name, ".meta.v1.WatchEvent") {
		delete(schema, "x-kubernetes-group-version-kind")
	}
	if strings.HasSuffix(name, ".apiregistration.v1.APIServiceSpec") {
		delete(at(schema, "properties", "caBundle"), "x-kubernetes-list-type")
	}
}

var connect = regexp.MustCompile(`/(attach|exec|portforward|proxy)(/\{path\})?$`)

func isConnectPath(path string) bool { return connect.MatchString(path) }

// ---- Comparing.

func at(document map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		document, _ = document[key].(map[string]any)
	}
	return document
}

// common returns the members that also the other has.
func common(members, other map[string]any) map[string]any {
	out := map[string]any{}
	for name, each := range members {
		if _, ok := other[name]; ok {
			out[name] = each
		}
	}
	return out
}

var groupVersion = regexp.MustCompile(`^/(api/[^/]+|apis/[^/]+/[^/]+)/`)

func groupVersionOf(path string) string { return groupVersion.FindString(path) }

func groupVersions(paths map[string]any) map[string]bool {
	found := map[string]bool{}
	for path := range paths {
		found[groupVersionOf(path)] = true
	}
	delete(found, "")
	return found
}

// leadsTo says whether discovery at the path is above one of the group versions, as /apis/apps/ is above /apis/apps/v1/.
func leadsTo(path string, served map[string]bool) bool {
	for each := range served {
		if strings.HasPrefix(each, path) {
			return true
		}
	}
	return false
}

// isServed says whether a schema is that of a kind of one of the group versions.
func isServed(schema map[string]any, served map[string]bool) bool {
	kinds, _ := schema["x-kubernetes-group-version-kind"].([]any)
	for _, each := range kinds {
		kind, _ := each.(map[string]any)
		path := fmt.Sprintf("/apis/%v/%v/", kind["group"], kind["version"])
		if kind["group"] == "" {
			path = fmt.Sprintf("/api/%v/", kind["version"])
		}
		if served[path] {
			return true
		}
	}
	return false
}

// compareNamed compares two objects member by member. A member that only upstream has, and that may be missing, is no difference.
func compareNamed(r *report, n normal, ours, theirs map[string]any, mayMiss func(string) bool) {
	for _, name := range keysOf(ours, theirs) {
		our, isOurs := ours[name]
		their, isTheirs := theirs[name]
		switch {
		case !isTheirs:
			r.add("%s: upstream does not have it", name)
		case isOurs:
			r.diff(name, n.of(our), n.of(their))
		case mayMiss == nil || !mayMiss(name):
			r.add("%s: only upstream has it", name)
		}
	}
}

func compareSchemas(r *report, n normal, ours, theirs map[string]any, mayMiss func(string) bool) {
	for _, name := range keysOf(ours, theirs) {
		m := n
		if builtIn.MatchString(name) || n.lists[name[strings.LastIndex(name, ".")+1:]] {
			m.descriptions = false
		}
		one := func(schemas map[string]any) map[string]any {
			if schemas[name] == nil {
				return nil
			}
			schema, _ := m.of(schemas[name]).(map[string]any)
			tolerate(name, schema)
			return map[string]any{name: schema}
		}
		compareNamed(r, m, one(ours), one(theirs), mayMiss)
	}
}

func keysOf(a, b map[string]any) []string {
	all := map[string]any{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// A report has what is wrong.
type report struct {
	lines []string
}

const maxLines = 100

func (r *report) add(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *report) text() string {
	if len(r.lines) > maxLines {
		r.lines = append(r.lines[:maxLines], fmt.Sprintf("and %d more", len(r.lines)-maxLines))
	}
	return strings.Join(r.lines, "\n")
}

func (r *report) diff(place string, ours, theirs any) {
	our, ok := ours.(map[string]any)
	their, isObject := theirs.(map[string]any)
	if ok && isObject {
		for _, key := range keysOf(our, their) {
			r.diff(place+"/"+key, member(our, key), member(their, key))
		}
		return
	}
	ourList, ok := ours.([]any)
	theirList, isList := theirs.([]any)
	if ok && isList && len(ourList) == len(theirList) {
		for i := range ourList {
			r.diff(fmt.Sprintf("%s/%d", place, i), ourList[i], theirList[i])
		}
		return
	}
	if !reflect.DeepEqual(ours, theirs) {
		r.add("%s: ours %s, upstream's %s", place, brief(ours), brief(theirs))
	}
}

type missing struct{}

func member(members map[string]any, key string) any {
	if value, ok := members[key]; ok {
		return value
	}
	return missing{}
}

func brief(value any) string {
	if value == (missing{}) {
		return "none"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data[:min(len(data), 300)])
}

// ---- Messages of gnostic.

// diffMessages compares two messages. Values of any type are YAML in them, which can be written in many ways.
func (r *report) diffMessages(ours, theirs proto.Message) error {
	our, err := membersOf(ours)
	if err != nil {
		return err
	}
	their, err := membersOf(theirs)
	if err != nil {
		return err
	}
	r.diff("gnostic", our, their)
	return nil
}

func membersOf(message proto.Message) (map[string]any, error) {
	if err := canonicalize(message.ProtoReflect()); err != nil {
		return nil, err
	}
	data, err := protojson.Marshal(message)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// canonicalize replaces YAML by JSON, and refuses fields that gnostic does not know.
func canonicalize(message protoreflect.Message) error {
	if len(message.GetUnknown()) > 0 {
		return fmt.Errorf("%s has unknown fields", message.Descriptor().FullName())
	}
	var failed error
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsList() && field.Message() != nil:
			for i := 0; i < value.List().Len() && failed == nil; i++ {
				failed = canonicalize(value.List().Get(i).Message())
			}
		case !field.IsList() && !field.IsMap() && field.Message() != nil:
			failed = canonicalize(value.Message())
		case field.Name() == "yaml" && message.Descriptor().Name() == "Any":
			var text []byte
			text, failed = yaml.YAMLToJSON([]byte(value.String()))
			message.Set(field, protoreflect.ValueOfString(string(text)))
		}
		return failed == nil
	})
	return failed
}
