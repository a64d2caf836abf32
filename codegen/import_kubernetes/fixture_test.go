package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A small Kubernetes: modules with as much in them as a test needs.

const metaTypes = `package v1

const GroupName = "meta.k8s.io"

type TypeMeta struct {
	Kind string ` + "`json:\"kind,omitempty\" protobuf:\"bytes,1,opt,name=kind\"`" + `
}

type ObjectMeta struct {
	Name string ` + "`json:\"name,omitempty\" protobuf:\"bytes,1,opt,name=name\"`" + `
}

type Time struct{ seconds int64 }

type Status struct {
	TypeMeta ` + "`json:\",inline\"`" + `
	// +kubebuilder:validation:Minimum=100
	Code int32 ` + "`json:\"code,omitempty\" protobuf:\"varint,6,opt,name=code\"`" + `
}

type DeleteOptions struct {
	TypeMeta ` + "`json:\",inline\"`" + `
}

type Table struct {
	TypeMeta ` + "`json:\",inline\"`" + `
}

func register() {
	scheme.AddKnownTypes(SchemeGroupVersion, &DeleteOptions{}, &Table{})
	scheme.AddUnversionedTypes(Unversioned, &Status{})
}
`

// imports and declarations of api/shop/v1, which the tests complete.
const shopHeader = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"time"
)

const GroupName = "shop.example.com"

`

// writeModules unpacks files, by their paths below k8s.io, into folders of all modules.
func writeModules(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	root := t.TempDir()
	dirs := map[string]string{}
	for _, module := range modules {
		dirs[module] = filepath.Join(root, filepath.FromSlash(module))
	}
	for goPath := range siblings {
		files[strings.TrimPrefix(goPath, "k8s.io/")+"/empty.go"] = "package v1\n"
	}
	files["apimachinery/pkg/apis/meta/v1/types.go"] = metaTypes
	for name, text := range files {
		file := filepath.Join(root, "k8s.io", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dirs
}

// importShop imports a release whose k8s.io/api has one package, shop/v1, with these declarations. A ' stands for `.
func importShop(t *testing.T, declarations string, served discovery) (*imported, error) {
	t.Helper()
	dirs := writeModules(t, map[string]string{
		"api/shop/v1/types.go":    shopHeader + strings.ReplaceAll(declarations, "'", "`"),
		"api/shop/v1/register.go": "package v1\n",
	})
	return importAll(dirs, served, "0.98.7")
}

// shopProto is the file of that package, without its first lines.
func shopProto(t *testing.T, declarations string, served discovery) string {
	t.Helper()
	result, err := importShop(t, declarations, served)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(result.tree["shop/v1/types.proto"], "option (kube.group_version)")
	_, rest, _ = strings.Cut(rest, "};\n\n")
	return rest
}

func expectText(t *testing.T, got, want string) {
	t.Helper()
	if strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
