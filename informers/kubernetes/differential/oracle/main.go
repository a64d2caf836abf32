// Command informers_oracle prints what the informer factories of client-go and its siblings have, a line for each
// informer, sorted.
//
//	Apps().V1().Deployments()
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/client-go/informers"
	aggregator "k8s.io/kube-aggregator/pkg/client/informers/externalversions"
)

func main() {
	var lines []string
	for _, factory := range []reflect.Type{
		reflect.TypeFor[informers.SharedInformerFactory](),
		reflect.TypeFor[apiextensions.SharedInformerFactory](),
		reflect.TypeFor[aggregator.SharedInformerFactory](),
	} {
		for _, group := range accessors(factory) {
			for _, version := range accessors(group.Type.Out(0)) {
				for _, kind := range accessors(version.Type.Out(0)) {
					lines = append(lines, fmt.Sprintf("%s().%s().%s()", group.Name, version.Name, kind.Name))
				}
			}
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

// accessors are the methods of an interface that take nothing and give another interface.
func accessors(t reflect.Type) []reflect.Method {
	var all []reflect.Method
	for i := 0; i < t.NumMethod(); i++ {
		method := t.Method(i)
		if method.Type.NumIn() == 0 && method.Type.NumOut() == 1 && method.Type.Out(0).Kind() == reflect.Interface {
			all = append(all, method)
		}
	}
	return all
}
