// Command restmapper_oracle builds REST mappers of apimachinery and answers questions to them. It reads lines whose words
// are separated by tabs; mappers are on a stack, and questions go to the topmost one.
//
//	default	GROUP/VERSION ...                          a DefaultRESTMapper with these default versions
//	add	GROUP	VERSION	KIND	SCOPE                      to the topmost, by the guessed names
//	specific	GROUP	VERSION	KIND	PLURAL	SINGULAR	SCOPE
//	multi	N                                            of the N topmost
//	firsthit	N
//	priority	GROUP/VERSION/RESOURCE/KIND ...            over the topmost: patterns of resources and of kinds
//	clear
//
//	kind, kinds, resource, resources	GROUP	VERSION	RESOURCE
//	mapping, mappings	GROUP	KIND	VERSION ...
//	singular	RESOURCE
//
// Each question is answered by a line: what is found, words separated by " | ", or "error" with what the predicates say and
// the text. Maps of Go have no order: it is asked many times, and where it does not always say the same, the answer is
// "varies".
package main

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kube/tests/oracle"
)

const tries = 300

var stack []meta.RESTMapper

func top() meta.RESTMapper { return stack[len(stack)-1] }

func pop(n int) []meta.RESTMapper {
	popped := append([]meta.RESTMapper{}, stack[len(stack)-n:]...)
	stack = stack[:len(stack)-n]
	return popped
}

func scopeOf(name string) meta.RESTScope {
	if name == "namespaced" {
		return meta.RESTScopeNamespace
	}
	return meta.RESTScopeRoot
}

func number(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		panic(err)
	}
	return n
}

func makeDefault(words []string) {
	var versions []schema.GroupVersion
	for _, word := range words {
		group, version, _ := strings.Cut(word, "/")
		versions = append(versions, schema.GroupVersion{Group: group, Version: version})
	}
	stack = append(stack, meta.NewDefaultRESTMapper(versions))
}

func makePriority(words []string) {
	mapper := meta.PriorityRESTMapper{Delegate: pop(1)[0]}
	for _, word := range words {
		w := strings.Split(word, "/")
		if w[2] != "" {
			mapper.ResourcePriority = append(mapper.ResourcePriority, schema.GroupVersionResource{Group: w[0], Version: w[1], Resource: w[2]})
		}
		if w[3] != "" {
			mapper.KindPriority = append(mapper.KindPriority, schema.GroupVersionKind{Group: w[0], Version: w[1], Kind: w[3]})
		}
	}
	stack = append(stack, mapper)
}

func build(w []string) bool {
	switch w[0] {
	case "default":
		makeDefault(w[1:])
	case "add":
		kind := schema.GroupVersionKind{Group: w[1], Version: w[2], Kind: w[3]}
		top().(*meta.DefaultRESTMapper).Add(kind, scopeOf(w[4]))
	case "specific":
		version := schema.GroupVersion{Group: w[1], Version: w[2]}
		top().(*meta.DefaultRESTMapper).AddSpecific(version.WithKind(w[3]), version.WithResource(w[4]), version.WithResource(w[5]), scopeOf(w[6]))
	case "multi":
		stack = append(stack, meta.MultiRESTMapper(pop(number(w[1]))))
	case "firsthit":
		stack = append(stack, meta.FirstHitRESTMapper{MultiRESTMapper: pop(number(w[1]))})
	case "priority":
		makePriority(w[1:])
	case "clear":
		stack = nil
	default:
		return false
	}
	return true
}

func list[T any](values []T, err error) (string, error) {
	var words []string
	for _, value := range values {
		words = append(words, fmt.Sprint(value))
	}
	return strings.Join(words, " | "), err
}

func mappings(found []*meta.RESTMapping, err error) (string, error) {
	var words []string
	for _, m := range found {
		words = append(words, fmt.Sprintf("%v; %v; %v", m.Resource, m.GroupVersionKind, m.Scope.Name()))
	}
	return strings.Join(words, " | "), err
}

func ask(w []string) (string, error) {
	switch w[0] {
	case "mapping":
		found, err := top().RESTMapping(schema.GroupKind{Group: w[1], Kind: w[2]}, w[3:]...)
		if err != nil {
			return "", err
		}
		return mappings([]*meta.RESTMapping{found}, nil)
	case "mappings":
		return mappings(top().RESTMappings(schema.GroupKind{Group: w[1], Kind: w[2]}, w[3:]...))
	case "singular":
		return top().ResourceSingularizer(w[1])
	}
	partial := schema.GroupVersionResource{Group: w[1], Version: w[2], Resource: w[3]}
	switch w[0] {
	case "kind":
		found, err := top().KindFor(partial)
		return found.String(), err
	case "kinds":
		return list(top().KindsFor(partial))
	case "resource":
		found, err := top().ResourceFor(partial)
		return found.String(), err
	case "resources":
		return list(top().ResourcesFor(partial))
	}
	panic("no such question: " + w[0])
}

func answer(words []string) string {
	text, err := ask(words)
	if err == nil {
		return text
	}
	return fmt.Sprintf("error no-match=%v ambiguous=%v %v", meta.IsNoMatchError(err), meta.IsAmbiguousError(err), err)
}

func steadyAnswer(words []string) string {
	first := answer(words)
	for i := 0; i < tries; i++ {
		if answer(words) != first {
			return "varies"
		}
	}
	return first
}

func main() {
	oracle.ServeLines(func(line string) string {
		words := strings.Split(line, "\t")
		if build(words) {
			return ""
		}
		return steadyAnswer(words) + "\n"
	})
}
