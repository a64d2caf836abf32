package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const widgetWire = `
// Prose with optional string name = 1;
message Widget {
  // A name.
  optional string name = 1;

  repeated .k8s.io.apimachinery.pkg.apis.meta.v1.Time made = 2;

  map<string, bytes> files = 3;
}
`

func widget() *message {
	return &message{name: "Widget", fields: []*field{
		{name: "name", typeName: "string", number: 1},
		{name: "made", typeName: "kube.Time", label: "repeated", number: 2},
		{name: "files", typeName: "map<string, bytes>", number: 3},
		{name: "only_json", typeName: "string", number: 1000, noWire: true},
	}}
}

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name, want string
		wire       string
		change     func(*message)
	}{
		{name: "the same"},
		{"number", "no number 7", widgetWire, func(m *message) { m.fields[0].number = 7 }},
		{"type", "is optional string", widgetWire, func(m *message) { m.fields[0].typeName = "bytes" }},
		{"label", "is repeated", widgetWire, func(m *message) { m.fields[1].label = "" }},
		{"value of a map", "is map bytes", widgetWire, func(m *message) { m.fields[2].typeName = "map<string, string>" }},
		{"fewer fields", "it has 2 fields, and 3", widgetWire, func(m *message) { m.fields = m.fields[:2] }},
		{"no such message", "has no message Gadget", widgetWire, func(m *message) { m.name = "Gadget" }},
		{"a message more", "message Other of generated.proto is not imported", widgetWire + "message Other {\n}\n",
			func(*message) {}},
	} {
		m := widget()
		if test.change == nil {
			test.wire, test.change = widgetWire, func(*message) {}
		}
		test.change(m)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "generated.proto"), []byte(test.wire), 0o644); err != nil {
			t.Fatal(err)
		}
		err := verify(dir, &protoFile{folder: "shop/v1", messages: []*message{m}})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestVerifyWithoutWire(t *testing.T) {
	if err := verify(t.TempDir(), &protoFile{messages: []*message{widget()}}); err != nil {
		t.Error(err)
	}
}

func TestCompareField(t *testing.T) {
	no := false
	for _, test := range []struct {
		name     string
		ours     field
		theirs   property
		required bool
		want     string
	}{
		{name: "the same", ours: field{label: "repeated", listType: "MAP", listMapKeys: []string{"a"}, omit: "NEVER"},
			theirs: property{ListType: "map", ListMapKeys: []string{"a"}}, required: true},
		{name: "a default that the server invents", theirs: property{Default: []byte("{}")}},
		{name: "values in another order", ours: field{enumValues: []string{"b", "a"}},
			theirs: property{Enum: []string{"", "a", "b"}}},
		{name: "required", ours: field{omit: "NEVER"}, want: `required is "true" here and "false" there`},
		{name: "said not to be required", ours: field{omit: "NEVER", required: &no}, required: true,
			want: `required is "false" here and "true" there`},
		{name: "list type", ours: field{label: "repeated", listType: "SET"}, want: `list type is "set" here and "" there`},
		{name: "bytes marked as a list", ours: field{typeName: "bytes"}, theirs: property{ListType: "atomic"}},
		{name: "merge", theirs: property{PatchStrategy: "merge"}, want: `patch strategy is "" here and "merge" there`},
		{name: "key", theirs: property{PatchMergeKey: "k"}, want: `patch merge key is "" here and "k" there`},
		{name: "atomic", theirs: property{MapType: "atomic"}, want: `map type is "" here and "atomic" there`},
		{name: "the same map type", ours: field{granular: true}, theirs: property{MapType: "granular"}},
		{name: "granular", ours: field{granular: true}, want: `map type is "granular" here and "" there`},
		{name: "default", ours: field{defaultJSON: "1"}, want: `default is "1" here and "" there`},
		{name: "enum", ours: field{enumValues: []string{"a"}}, theirs: property{Enum: []string{"b"}},
			want: `enum is "a" here and "b" there`},
	} {
		if got := strings.Join(compareField(&test.ours, test.theirs, test.required), "; "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCompareSchemas(t *testing.T) {
	file := &protoFile{folder: "shop/v1", goPath: "k8s.io/api/shop/v1", messages: []*message{
		{name: "Widget", fields: []*field{{jsonName: "name"}, {jsonName: "unknown"}}}, {name: "Gadget"},
	}}
	schemas := map[string]schema{"io.k8s.api.shop.v1.Widget": {
		Required: []string{"name"}, Properties: map[string]property{"name": {}},
	}}
	got := strings.Join(compareSchemas([]*protoFile{file}, schemas), "\n")
	expectText(t, got, `
shop/v1 Widget.name: required is "false" here and "true" there
1 fields compared, 1 differences`)
}
