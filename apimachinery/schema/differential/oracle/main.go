// Command schema_oracle answers what Kubernetes' Go code makes of names of kinds and resources.
package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kube/tests/oracle"
)

var functions = map[string]func(string) (string, error){
	"group_version":  parseGroupVersion,
	"group_kind":     parseGroupKind,
	"group_resource": parseGroupResource,
	"resource_arg":   parseResourceArg,
	"kind_arg":       parseKindArg,
	"from_api":       fromAPI,
	"kind_for":       kindFor,
}

// Every field of a name, and how it is written.
func show(name fmt.Stringer) string {
	return fmt.Sprintf("%s(%s)", name, strings.Join(fields(name), "|"))
}

func fields(name fmt.Stringer) []string {
	switch n := name.(type) {
	case schema.GroupVersion:
		return []string{n.Group, n.Version}
	case schema.GroupKind:
		return []string{n.Group, n.Kind}
	case schema.GroupResource:
		return []string{n.Group, n.Resource}
	case schema.GroupVersionKind:
		return []string{n.Group, n.Version, n.Kind}
	case schema.GroupVersionResource:
		return []string{n.Group, n.Version, n.Resource}
	}
	panic("no name")
}

func parseGroupVersion(text string) (string, error) {
	gv, err := schema.ParseGroupVersion(text)
	return fmt.Sprint(show(gv), " ", gv.Empty(), " ", show(gv.WithKind("K")), " ", show(gv.WithResource("r"))), err
}

func parseGroupKind(text string) (string, error) {
	gk := schema.ParseGroupKind(text)
	return fmt.Sprint(show(gk), " ", gk.Empty(), " ", show(gk.WithVersion("v"))), nil
}

func parseGroupResource(text string) (string, error) {
	gr := schema.ParseGroupResource(text)
	return fmt.Sprint(show(gr), " ", gr.Empty(), " ", show(gr.WithVersion("v"))), nil
}

func parseResourceArg(text string) (string, error) {
	gvr, gr := schema.ParseResourceArg(text)
	if gvr == nil {
		return "none " + show(gr), nil
	}
	return fmt.Sprint(show(*gvr), " ", show(gvr.GroupResource()), " ", show(gvr.GroupVersion()), " ", show(gr)), nil
}

func parseKindArg(text string) (string, error) {
	gvk, gk := schema.ParseKindArg(text)
	if gvk == nil {
		return "none " + show(gk), nil
	}
	return fmt.Sprint(show(*gvk), " ", show(gvk.GroupKind()), " ", show(gvk.GroupVersion()), " ", show(gk)), nil
}

// "apiVersion|kind"
func fromAPI(text string) (string, error) {
	apiVersion, kind, _ := strings.Cut(text, "|")
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	apiVersion, kind = gvk.ToAPIVersionAndKind()
	return fmt.Sprintf("%s %v %s %s", show(gvk), gvk.Empty(), apiVersion, kind), nil
}

// "group/version,...|group/version/kind,..."
func kindFor(text string) (string, error) {
	wanted, given, _ := strings.Cut(text, "|")
	var versions schema.GroupVersions
	for _, name := range strings.Split(wanted, ",") {
		group, version, _ := strings.Cut(name, "/")
		versions = append(versions, schema.GroupVersion{Group: group, Version: version})
	}
	var kinds []schema.GroupVersionKind
	for _, name := range strings.Split(given, ",") {
		parts := strings.Split(name, "/")
		kinds = append(kinds, schema.GroupVersionKind{Group: parts[0], Version: parts[1], Kind: parts[2]})
	}
	one, ok := versions[0].KindForGroupVersionKinds(kinds)
	best, okBest := versions.KindForGroupVersionKinds(kinds)
	return fmt.Sprint(show(one), " ", ok, " ", show(best), " ", okBest), nil
}

func main() { oracle.Serve(functions) }
