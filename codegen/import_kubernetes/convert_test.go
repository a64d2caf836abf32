package main

import (
	"strings"
	"testing"
)

func TestTypes(t *testing.T) {
	expectText(t, shopProto(t, `
type Widget struct {
	Name string 'json:"name" protobuf:"bytes,1,opt,name=name"'
	HostIPs []string 'json:"hostIPs,omitempty" protobuf:"bytes,2,rep,name=hostIPs"'
	Count *int32 'json:"count,omitempty" protobuf:"varint,3,opt,name=count"'
	Total int 'json:"total,omitzero" protobuf:"varint,4,opt,name=total"'
	// +listType=atomic
	Data []byte 'json:"data,omitempty,omitzero" protobuf:"bytes,5,opt,name=data"'
	Files map[string][]byte 'json:"files,omitempty" protobuf:"bytes,6,rep,name=files"'
	Made metav1.Time 'json:"made,omitempty" protobuf:"bytes,7,opt,name=made"'
	Parts []*Part 'json:"parts,omitempty" protobuf:"bytes,8,rep,name=parts"'
	Extra map[string]Words 'json:"extra,omitempty" protobuf:"bytes,9,rep,name=extra"'
	Source 'json:",inline" protobuf:"bytes,10,opt,name=source"'
	Meta metav1.ObjectMeta 'json:"meta,omitempty" protobuf:"bytes,11,opt,name=meta"'
	Ratio float64 'json:"ratio,omitempty" protobuf:"fixed64,12,opt,name=ratio"'
	Note string 'json:"note,omitempty"'
	Hidden bool 'json:"-"'
	secret bool
}

type Source struct {
	URL string 'json:"url,omitempty" protobuf:"bytes,1,opt,name=url"'
}

type Part struct {
	Anything []interface{} 'json:"anything,omitempty"'
}

// +protobuf.nullable=true
type Words []string

type notExported struct {
	X string 'json:"x"'
}
`, nil), `
message Part {
  repeated kube.RawJson anything = 1 [(kube.field) = {no_wire: true}];
}

message Source {
  string url = 1 [(kube.field) = {go_name: "URL"}];
}

message Widget {
  string name = 1 [(kube.field) = {omit: NEVER}];
  repeated string host_ips = 2 [json_name = "hostIPs", (kube.field) = {go_name: "HostIPs"}];
  optional int32 count = 3;
  int64 total = 4 [(kube.field) = {omit: ZERO}];
  bytes data = 5 [(kube.field) = {omit: EMPTY_OR_ZERO}];
  map<string, bytes> files = 6;
  kube.Time made = 7;
  repeated Part parts = 8;
  map<string, Words> extra = 9;
  Source source = 10 [(kube.field) = {inline: true}];
  kube.api.meta.v1.ObjectMeta meta = 11;
  double ratio = 12;
  string note = 1000 [(kube.field) = {no_wire: true}];
}

message Words {
  option (kube.struct) = {list: true};
  repeated string items = 1;
}
`)
}

func TestRules(t *testing.T) {
	expectText(t, shopProto(t, `
const DefaultColor = "red"

// +structType=atomic
type Widget struct {
	// +listType=map
	// +listMapKey=name
	// +listMapKey=port
	Parts []Part 'json:"parts,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name" protobuf:"bytes,1,rep,name=parts"'
	// +mapType=atomic
	Labels map[string]string 'json:"labels,omitempty" protobuf:"bytes,2,rep,name=labels"'
	// +default=3
	// +required
	Count int32 'json:"count,omitempty" protobuf:"varint,3,opt,name=count"'
	// +default=ref(DefaultColor)
	// +optional
	Color string 'json:"color" protobuf:"bytes,4,opt,name=color"'
	// +k8s:alpha(since: "1.36")=+k8s:maxItems=7
	// +kubebuilder:validation:Pattern="^\\d"
	List []string 'json:"list,omitempty" protobuf:"bytes,5,rep,name=list"'
	// +kubebuilder:validation:Enum=a;b
	Renamed string 'json:"other,omitempty" protobuf:"bytes,6,opt,name=other"'
	// +structType=granular
	Part Part 'json:"part,omitempty" protobuf:"bytes,7,opt,name=part"'
}

type Part struct {
	Name string 'json:"name" protobuf:"bytes,1,opt,name=name"'
}
`, nil), `
message Part {
  string name = 1 [(kube.field) = {omit: NEVER}];
}

message Widget {
  option (kube.struct) = {atomic: true};
  repeated Part parts = 1 [(kube.field) = {
    patch_strategy: ["merge", "retainKeys"]
    patch_merge_key: "name"
    list_type: MAP
    list_map_key: ["name", "port"]
  }];
  map<string, string> labels = 2 [(kube.field) = {atomic: true}];
  int32 count = 3 [(kube.field) = {default_json: "3", required: true}];
  string color = 4 [(kube.field) = {omit: NEVER, default_json: "\"red\"", required: false}];
  repeated string list = 5 [(kube.field) = {validation: {max_items: 7, pattern: "^\\\\d"}}];
  string other = 6 [(kube.field) = {
    validation: {enum_json: "\"a\"", enum_json: "\"b\""}
    go_name: "Renamed"
  }];
  Part part = 7 [(kube.field) = {granular: true}];
}

option (kube.string_type) = {
  constant: {name: "DefaultColor", value: "red", comment: "A name of group version shop/v1."}
};
`)
}

func TestStringTypes(t *testing.T) {
	expectText(t, shopProto(t, `
// +enum
type Color string

const (
	Red Color = "red"
	// A second name of the same value, and no value at all.
	Crimson = Red
	Colorless Color = ""
)

const Blue Color = "blue"

type Open string

const SomeOpen = Open("some")

type Widget struct {
	Color *Color 'json:"color,omitempty" protobuf:"bytes,1,opt,name=color"'
	Colors []Color 'json:"colors,omitempty" protobuf:"bytes,2,rep,name=colors"'
	ByColor map[Color]string 'json:"byColor,omitempty" protobuf:"bytes,3,rep,name=byColor"'
	Open Open 'json:"open,omitempty" protobuf:"bytes,4,opt,name=open"'
}
`, nil), `
message Widget {
  optional string color = 1 [(kube.field) = {enum_value: ["red", "blue"], string_type: "Color"}];
  repeated string colors = 2 [(kube.field) = {enum_value: ["red", "blue"], string_type: "Color"}];
  map<string, string> by_color = 3;
  string open = 4 [(kube.field) = {enum_value: "some", string_type: "Open"}];
}

option (kube.string_type) = {
  name: "Color"
  closed: true
  constant: {name: "Red", value: "red", comment: "A value of Widget.color."}
  constant: {name: "Crimson", value: "red", comment: "A value of Widget.color."}
  constant: {name: "Colorless", value: "", comment: "A value of Widget.color."}
  constant: {name: "Blue", value: "blue", comment: "A value of Widget.color."}
};

option (kube.string_type) = {
  name: "Open"
  constant: {name: "SomeOpen", value: "some", comment: "A value of Widget.open."}
};
`)
}

func TestWhatCannotBeImported(t *testing.T) {
	for _, test := range []struct{ name, declarations, want string }{
		{"a type that is not known", `
type Widget struct {
	Wait time.Duration 'json:"wait" protobuf:"varint,1,opt,name=wait"'
}`, "field Wait"},
		{"a number twice", `
type Widget struct {
	A string 'json:"a" protobuf:"bytes,1,opt,name=a"'
	B string 'json:"b" protobuf:"bytes,1,opt,name=b"'
}`, "fields A and B have number 1"},
		{"a name twice", `
type Widget struct {
	A string 'json:"hostIP" protobuf:"bytes,1,opt,name=a"'
	B string 'json:"hostIp" protobuf:"bytes,2,opt,name=b"'
}`, "are both named host_ip"},
		{"no number", `
type Widget struct {
	A string 'json:"a" protobuf:"bytes"'
}`, "it has no number"},
		{"a pointer to a list", `
type Widget struct {
	A *[]string 'json:"a" protobuf:"bytes,1,rep,name=a"'
}`, "a pointer to a list"},
		{"a default that is not JSON", `
type Widget struct {
	// +default=red
	A string 'json:"a" protobuf:"bytes,1,opt,name=a"'
}`, "it is not JSON"},
		{"TypeMeta that is not first", `
type Widget struct {
	A string 'json:"a" protobuf:"bytes,1,opt,name=a"'
	metav1.TypeMeta 'json:",inline"'
}`, "it must be the first"},
	} {
		_, err := importShop(t, test.declarations, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestBuildFiles(t *testing.T) {
	result, err := importShop(t, `
type Widget struct {
	Meta metav1.ObjectMeta 'json:"meta,omitempty" protobuf:"bytes,11,opt,name=meta"'
}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	expectText(t, result.tree["shop/v1/BUILD.bazel"], `
# Code generated by codegen/import_kubernetes. DO NOT EDIT.
load("//codegen:kube_library.bzl", "kube_library")

kube_library(
    name = "v1",
    srcs = ["types.proto"],
    client = False,
    visibility = ["//visibility:public"],
    deps = ["//api/meta/v1"],
)
`)
	for _, want := range []string{"        folder = \"meta/v1\",\n", "        folder = \"shop/v1\",\n"} {
		if !strings.Contains(result.tree["groups.bzl"], want) {
			t.Errorf("groups.bzl lacks %s", want)
		}
	}
}
