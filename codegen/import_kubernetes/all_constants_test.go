package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckAllConstants(t *testing.T) {
	files := []*protoFile{{goPath: "k8s.io/api/shop/v1", stringTypes: []stringType{
		{constants: []stringConstant{{name: "Red"}, {name: "Blue"}}},
	}}}
	for _, test := range []struct{ name, path, source, missing string }{
		{"all are imported", "api/shop/v1/types.go", `const Red = "red"; const Blue Color = "b" + "lue"`, ""},
		{"numbers and unexported texts", "api/shop/v1/types.go", `const ( Big = 1; Small; red = "red" )`, ""},
		{"the group's name", "api/shop/v1/register.go", `const GroupName = "shop"`, ""},
		{"a text", "api/shop/v1/types.go", `const ( Red = "red"; Green Color = "green" )`, "k8s.io/api/shop/v1.Green"},
		{"a converted text", "api/shop/v1/types.go", `const Green = Color("green")`, "k8s.io/api/shop/v1.Green"},
		{"a sum of a constant and a text", "api/shop/v1/types.go", `const Green = (Prefix + "green")`, "k8s.io/api/shop/v1.Green"},
		{"a package that is not imported", "api/other/types.go", `const Red = "red"`, "k8s.io/api/other.Red"},
		{"a package that is left out", "apimachinery/pkg/labels/x.go", `const Red = "red"`, ""},
		{"one below it", "apimachinery/pkg/labels/a/x.go", `const Red = "red"`, ""},
		{"one that only begins with its name", "apimachinery/pkg/labelsx/x.go", `const Red = "red"`,
			"k8s.io/apimachinery/pkg/labelsx.Red"},
		{"tests", "api/shop/v1/x_test.go", `const Green = "green"`, ""},
	} {
		root := t.TempDir()
		dirs := map[string]string{}
		for _, module := range modules {
			dirs[module] = filepath.Join(root, strings.TrimPrefix(module, "k8s.io/"))
			if err := os.MkdirAll(dirs[module], 0o755); err != nil {
				t.Fatal(err)
			}
		}
		name := filepath.Join(root, test.path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("package v1\n"+test.source), 0o644); err != nil {
			t.Fatal(err)
		}
		err := checkAllConstants(dirs, files)
		if test.missing == "" && err != nil || test.missing != "" && (err == nil || !strings.HasSuffix(err.Error(), ": "+test.missing)) {
			t.Errorf("%s: %v, want %q", test.name, err, test.missing)
		}
	}
}
