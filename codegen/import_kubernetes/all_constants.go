package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
)

// Modules of which every exported string constant is imported, or left out for a reason.
var modulesWithConstants = []string{
	"k8s.io/api",
	"k8s.io/apiextensions-apiserver",
	"k8s.io/apimachinery",
	"k8s.io/kube-aggregator",
}

// Packages, with those below them, whose string constants are left out, and why.
var packagesWithoutConstants = map[string]string{
	"k8s.io/apiextensions-apiserver/examples":                       "examples",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions":         "the internal version; v1 below it is imported",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1": "a version that servers no longer serve; v1 has its names",
	"k8s.io/apiextensions-apiserver/pkg/apiserver":                  "the inside of the server",
	"k8s.io/apiextensions-apiserver/pkg/client":                     "a generated client",
	"k8s.io/apiextensions-apiserver/pkg/cmd":                        "flags of the server",
	"k8s.io/apiextensions-apiserver/pkg/controller":                 "the inside of the server",
	"k8s.io/apiextensions-apiserver/pkg/features":                   "feature gates of the server",
	"k8s.io/apiextensions-apiserver/test":                           "tests",
	"k8s.io/apimachinery/pkg/api/meta":                              "names of scopes, and wildcards: part of package meta",
	"k8s.io/apimachinery/pkg/api/resource":                          "formats of quantities: part of kube::Quantity",
	"k8s.io/apimachinery/pkg/api/validate":                          "messages of validation, for the server",
	"k8s.io/apimachinery/pkg/api/validation":                        "messages of validation, for the server",
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation":               "messages of validation, for the server",
	"k8s.io/apimachinery/pkg/apis/testapigroup":                     "tests",
	"k8s.io/apimachinery/pkg/fields":                                "operators of selectors: part of package fields, not of the API's types",
	"k8s.io/apimachinery/pkg/labels":                                "operators of selectors: part of package labels, not of the API's types",
	"k8s.io/apimachinery/pkg/runtime":                               "media types and versions: part of package codec",
	"k8s.io/apimachinery/pkg/selection":                             "operators of selectors: part of package labels",
	"k8s.io/apimachinery/pkg/types":                                 "media types of patches: part of the client",
	"k8s.io/apimachinery/pkg/util":                                  "libraries, not the API",
	"k8s.io/apimachinery/pkg/watch":                                 "types of events: part of the client",
	"k8s.io/apimachinery/third_party":                               "libraries, not the API",
	"k8s.io/kube-aggregator/pkg/apis/apiregistration":               "the internal version; v1 below it is imported",
	"k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1":       "a version that servers no longer serve; v1 has its names",
	"k8s.io/kube-aggregator/pkg/apiserver":                          "the inside of the server",
	"k8s.io/kube-aggregator/pkg/client":                             "a generated client",
	"k8s.io/kube-aggregator/pkg/cmd":                                "flags of the server",
	"k8s.io/kube-aggregator/pkg/controllers":                        "the inside of the server",
}

// A goConstant is where the sources declare an exported string constant.
type goConstant struct{ packagePath, name string }

// checkAllConstants fails where the modules have a string constant that the files lack, and no table says why.
func checkAllConstants(moduleDirs map[string]string, files []*protoFile) error {
	imported := map[goConstant]bool{}
	packages := map[string]bool{}
	var missing []string
	for _, file := range files {
		packages[file.goPath] = true
		for _, t := range file.stringTypes {
			for _, each := range t.constants {
				imported[goConstant{file.goPath, each.name}] = true
			}
		}
	}
	for _, module := range modulesWithConstants {
		found, err := declaredConstants(module, moduleDirs[module])
		if err != nil {
			return err
		}
		for _, each := range found {
			if imported[each] || notConstants[each.name] || !packages[each.packagePath] && isWithoutConstants(each.packagePath) {
				continue
			}
			missing = append(missing, each.packagePath+"."+each.name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%d constants are not imported, nor does all_constants.go say why: %s",
			len(missing), strings.Join(missing, " "))
	}
	return nil
}

// isWithoutConstants tells whether a package is, or is below, one of packagesWithoutConstants.
func isWithoutConstants(packagePath string) bool {
	for listed := range packagesWithoutConstants {
		if packagePath == listed || strings.HasPrefix(packagePath, listed+"/") {
			return true
		}
	}
	return false
}

// declaredConstants reads all packages of a module, also those that the API does not use.
func declaredConstants(module, dir string) ([]goConstant, error) {
	var found []goConstant
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(entry.Name(), "generated.") || strings.HasPrefix(entry.Name(), "zz_generated") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || file.Name.Name == "main" {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		packagePath := strings.TrimSuffix(module+"/"+filepath.ToSlash(folder), "/.")
		for _, declaration := range file.Decls {
			if group, ok := declaration.(*ast.GenDecl); ok && group.Tok == token.CONST {
				for _, constant := range stringNames(group) {
					found = append(found, goConstant{packagePath, constant})
				}
			}
		}
		return nil
	})
	return found, err
}

// stringNames gives a declaration's exported constants whose value is seen to be a text.
func stringNames(group *ast.GenDecl) []string {
	var names []string
	for _, spec := range group.Specs {
		values := spec.(*ast.ValueSpec)
		for i, name := range values.Names {
			if name.IsExported() && i < len(values.Values) && isText(values.Values[i]) {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

func isText(value ast.Expr) bool {
	switch value := value.(type) {
	case *ast.BasicLit:
		return value.Kind == token.STRING
	case *ast.BinaryExpr:
		return isText(value.X) || isText(value.Y)
	case *ast.CallExpr: // PodPhase("Pending")
		return len(value.Args) == 1 && isText(value.Args[0])
	case *ast.ParenExpr:
		return isText(value.X)
	}
	return false
}
