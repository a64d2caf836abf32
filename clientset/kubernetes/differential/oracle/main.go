// Command clientset_oracle prints what the clientsets of client-go and its siblings have, a line for each resource: the
// accessor of its group and version, its own, and the names of its methods, sorted.
//
//	AppsV1 Deployments Apply ApplyScale ApplyStatus Create ...
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/client-go/kubernetes"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
	metrics "k8s.io/metrics/pkg/client/clientset/versioned"
)

func main() {
	var lines []string
	for _, clientset := range []reflect.Type{
		reflect.TypeFor[kubernetes.Interface](),
		reflect.TypeFor[apiextensions.Interface](),
		reflect.TypeFor[aggregator.Interface](),
		reflect.TypeFor[metrics.Interface](),
	} {
		for _, group := range methods(clientset) {
			if group.Name == "Discovery" {
				continue
			}
			for _, resource := range methods(group.Type.Out(0)) {
				if resource.Name == "RESTClient" {
					continue
				}
				names := []string{group.Name, resource.Name}
				for _, method := range methods(resource.Type.Out(0)) {
					names = append(names, method.Name)
				}
				lines = append(lines, strings.Join(names, " "))
			}
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

// methods are those of an interface, by name.
func methods(t reflect.Type) []reflect.Method {
	var all []reflect.Method
	for i := 0; i < t.NumMethod(); i++ {
		all = append(all, t.Method(i))
	}
	return all
}
