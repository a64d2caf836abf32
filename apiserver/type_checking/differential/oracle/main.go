// Command type_check_oracle answers what kube-controller-manager's check of ValidatingAdmissionPolicies warns of. A request is a
// function's name, a tab, and JSON in hexadecimal:
//
//	server	the resources and OpenAPI documents of a server, which further requests are about
//	check	the warnings about a policy: the field, a colon and the warning, with a line "--" behind each
package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/restmapper"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"kube/tests/oracle"
)

const prefix = "#/components/schemas/"

// definitions has the schemas of documents by name.
type definitions map[string]*spec.Schema

func (d definitions) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	for name, definition := range d {
		var kinds []schema.GroupVersionKind
		if err := definition.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			if kind == gvk {
				return resolver.PopulateRefs(d.find, prefix+name)
			}
		}
	}
	return nil, fmt.Errorf("%v: %w", gvk, resolver.ErrSchemaNotFound)
}

func (d definitions) find(ref string) (*spec.Schema, bool) {
	found, ok := d[strings.TrimPrefix(ref, prefix)]
	return found, ok
}

type resource struct {
	Group, Version, Plural, Singular, Kind string
}

// groups returns the resources as discovery has them.
func groups(resources []resource) []*restmapper.APIGroupResources {
	byName := map[string]*restmapper.APIGroupResources{}
	var all []*restmapper.APIGroupResources
	for _, each := range resources {
		group := byName[each.Group]
		if group == nil {
			group = &restmapper.APIGroupResources{
				Group:              metav1.APIGroup{Name: each.Group},
				VersionedResources: map[string][]metav1.APIResource{},
			}
			byName[each.Group] = group
			all = append(all, group)
		}
		if group.VersionedResources[each.Version] == nil {
			group.Group.Versions = append(group.Group.Versions, metav1.GroupVersionForDiscovery{Version: each.Version})
		}
		group.VersionedResources[each.Version] = append(group.VersionedResources[each.Version],
			metav1.APIResource{Name: each.Plural, SingularName: each.Singular, Kind: each.Kind})
	}
	return all
}

// The name of a type ends with a random number.
var number = regexp.MustCompile(`\b(ConfigMap|CronTab|Deployment|Event|Pod|Service)[0-9]+`)

var checker validating.TypeChecker

func server(text []byte) (string, error) {
	var described struct {
		Resources []resource
		Documents []struct {
			Components struct {
				Schemas definitions
			}
		}
	}
	if err := json.Unmarshal(text, &described); err != nil {
		return "", err
	}
	all := definitions{}
	for _, document := range described.Documents {
		for name, definition := range document.Components.Schemas {
			all[name] = definition
		}
	}
	checker = validating.TypeChecker{
		SchemaResolver: all,
		RestMapper:     restmapper.NewDiscoveryRESTMapper(groups(described.Resources)),
	}
	return "ok", nil
}

func check(text []byte) (string, error) {
	var policy admissionv1.ValidatingAdmissionPolicy
	if err := json.Unmarshal(text, &policy); err != nil {
		return "", err
	}
	var answer strings.Builder
	for _, warning := range checker.Check(&policy) {
		answer.WriteString(warning.FieldRef + ": " + number.ReplaceAllString(warning.Warning, "$1#") + "\n--\n")
	}
	return answer.String(), nil
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){
		"server": server,
		"check":  check,
	})
}
