package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// The released modules that the IDL is read from. All have the version that is asked for.
var modules = []string{
	"k8s.io/api",
	"k8s.io/apiextensions-apiserver",
	"k8s.io/apimachinery",
	"k8s.io/client-go",
	"k8s.io/kube-aggregator",
	"k8s.io/metrics",
}

// Go packages outside of k8s.io/api, and their folders under api/.
var siblings = map[string]string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": "apiextensions/v1",
	"k8s.io/apimachinery/pkg/apis/meta/v1":                     "meta/v1",
	"k8s.io/client-go/pkg/apis/clientauthentication/v1":        "clientauthentication/v1",
	"k8s.io/client-go/pkg/apis/clientauthentication/v1beta1":   "clientauthentication/v1beta1",
	"k8s.io/client-go/tools/clientcmd/api/v1":                  "clientcmd/v1",
	"k8s.io/kube-aggregator/pkg/apis/apiregistration/v1":       "apiregistration/v1",
	"k8s.io/metrics/pkg/apis/metrics/v1beta1":                  "metrics/v1beta1",
}

// Go types that are leaf types of kube/types.proto, each with a class of its own in C++.
var leafTypes = map[string]string{
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "kube.RawJson",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                 "kube.Quantity",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                 "kube.Duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                 "kube.FieldsV1",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                "kube.MicroTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                     "kube.Time",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                  "kube.RawExtension",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":               "kube.IntOrString",
}

// Go structs that are no part of the API, and why.
var notImported = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.InternalEvent": "holds a decoded Go object; WatchEvent is what is sent",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Patch":         "an empty placeholder of the schema for the bodies of patches",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Timestamp":     "the wire form of Time, which is kube.Time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta":      "an option of the message that embeds it",
}

// Kinds that a scheme has in every group and version: here they are "v1", as kubectl sends them.
var ofEveryVersion = map[string]bool{
	"k8s.io/apimachinery/pkg/apis/meta/v1.CreateOptions": true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.DeleteOptions": true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.GetOptions":    true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.ListOptions":   true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.PatchOptions":  true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.UpdateOptions": true,
}

// Messages whose JSON is not an object, and the names of their fields, which have none in JSON.
var jsonForms = map[string]string{
	"JSONSchemaPropsOrArray":       "OR_ARRAY",
	"JSONSchemaPropsOrBool":        "OR_BOOL",
	"JSONSchemaPropsOrStringArray": "OR_STRING_ARRAY",
}

var jsonFormFields = map[string]string{
	"Allows":      "allows",
	"JSONSchemas": "items",
	"Property":    "items",
	"Schema":      "schema",
}

// findPackages gives the Go packages to import, by their folders under api/.
func findPackages(moduleDirs map[string]string) (map[string]string, error) {
	packages := map[string]string{}
	for path, folder := range siblings {
		packages[folder] = path
	}
	found, err := filepath.Glob(filepath.Join(moduleDirs["k8s.io/api"], "*", "*", "register.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range found {
		folder, err := filepath.Rel(moduleDirs["k8s.io/api"], filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		packages[filepath.ToSlash(folder)] = "k8s.io/api/" + filepath.ToSlash(folder)
	}
	return packages, nil
}

// packageDir is the folder of a Go package in the modules, "" if they do not have it.
func packageDir(moduleDirs map[string]string, path string) string {
	for _, module := range modules {
		rest, ok := strings.CutPrefix(path+"/", module+"/")
		if !ok {
			continue
		}
		dir := filepath.Join(moduleDirs[module], filepath.FromSlash(rest))
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
