package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestSplitTop(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"values", `"a", "b"`, []string{`"a"`, `"b"`}},
		{"a comma in a string", `"a,\"b", c`, []string{`"a,\"b"`, `c`}},
		{"nested", `a: {b: 1, c: [2, 3]}, d: 4`, []string{`a: {b: 1, c: [2, 3]}`, `d: 4`}},
		{"brackets in a string", `a: "[{", b: 1`, []string{`a: "[{"`, `b: 1`}},
		{"one", `a`, []string{`a`}},
	} {
		if got := splitTop(test.text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestEmitFieldBreaksLines(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, test := range []struct {
		name  string
		field field
		want  string
	}{
		{"one line", field{name: "a", jsonName: "a", goName: "A", typeName: "string", number: 1, omit: "NEVER"},
			"  string a = 1 [(kube.field) = {omit: NEVER}];"},
		{"name and options", field{name: "a_id", jsonName: "aID", goName: "AId", typeName: "string", number: 1, noWire: true},
			"  string a_id = 1 [json_name = \"aID\", (kube.field) = {no_wire: true}];"},
		{"an option a line", field{name: "a", jsonName: "a", goName: "A", typeName: "string", number: 1,
			defaultJSON: long, patchMergeKey: "key"},
			"  string a = 1 [(kube.field) = {\n    patch_merge_key: \"key\"\n    default_json: \"" + long + "\"\n  }];"},
		{"name and options on lines of their own", field{name: "a_id", jsonName: "aID", goName: "AId", typeName: "string",
			number: 1, defaultJSON: long},
			"  string a_id = 1 [\n    json_name = \"aID\",\n    (kube.field) = {default_json: \"" + long + "\"}\n  ];"},
		{"a list over lines", field{name: "a", jsonName: "a", goName: "A", typeName: "string", number: 1,
			enumValues: []string{long, "b", long}},
			"  string a = 1 [(kube.field) = {\n    enum_value: [\n      \"" + long + "\", \"b\",\n      \"" + long + "\"\n    ]\n  }];"},
	} {
		var out strings.Builder
		emitField(&out, &test.field)
		if got := strings.TrimSuffix(out.String(), "\n"); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
