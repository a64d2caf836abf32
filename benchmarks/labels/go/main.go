// The twins of labels.cc, under the same names and on the same data.
package main

import (
	"fmt"
	"testing"
	"time"

	"bench/contract"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

const (
	objects = 100000
	mixed   = "app=web,tier in (front,back),environment!=test,!canary"
)

func pick(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// The labels of the i-th pod: what controllers set, and what people do.
func labelsOf(i int) labels.Set {
	return labels.Set{
		"app":                                pick(i%10 == 0, "web", fmt.Sprint("app-", i%10)),
		"app.kubernetes.io/managed-by":       "Helm",
		"environment":                        pick(i%3 == 0, "test", "production"),
		"pod-template-hash":                  fmt.Sprint("5d9f8b7c6", i%1000),
		"statefulset.kubernetes.io/pod-name": fmt.Sprint("web-", i),
		"tier":                               pick(i%2 == 0, "front", "cache"),
	}
}

func parse(text string) labels.Selector {
	selector, err := labels.Parse(text)
	if err != nil {
		panic(err)
	}
	return selector
}

// What a pod is here: the fields that are selected by.
type pod struct {
	name, namespace, nodeName, phase string
}

// As the API server's storage makes a set of a pod's fields, with two members more than it.
func fieldsOf(p *pod) fields.Set {
	set := make(fields.Set, 4)
	set["metadata.name"] = p.name
	set["metadata.namespace"] = p.namespace
	set["spec.nodeName"] = p.nodeName
	set["status.phase"] = p.phase
	return set
}

func main() {
	contract.BenchTime(300 * time.Millisecond)
	var report contract.Report

	match := func(name, text string) {
		selector, set := parse(text), labelsOf(10)
		report.Bench(name, func(b *testing.B) {
			for b.Loop() {
				selector.Matches(set)
			}
		})
	}
	match("match_equals", "app=web")
	match("match_mixed", mixed)
	match("match_missing", "!canary")

	all := make([]labels.Set, objects)
	for i := range all {
		all[i] = labelsOf(i)
	}
	matchAll := func(name, text string, expected int) {
		selector := parse(text)
		report.Bench(name, func(b *testing.B) {
			for b.Loop() {
				matched := 0
				for _, set := range all {
					if selector.Matches(set) {
						matched++
					}
				}
				if matched != expected {
					panic(matched)
				}
			}
		})
	}
	matchAll("match_100000_equals", "app=web", 10000)
	matchAll("match_100000_mixed", mixed, 6666)

	service, set := labels.ValidatedSetSelector{"app": "web", "tier": "front"}, labelsOf(10)
	report.Bench("match_set", func(b *testing.B) {
		for b.Loop() {
			service.Matches(set)
		}
	})

	report.Bench("parse_equals", func(b *testing.B) {
		for b.Loop() {
			parse("app=web")
		}
	})
	report.Bench("parse_mixed", func(b *testing.B) {
		for b.Loop() {
			parse(mixed)
		}
	})
	selector := parse(mixed)
	report.Bench("format_mixed", func(b *testing.B) {
		for b.Loop() {
			_ = selector.String()
		}
	})

	onNode := fields.ParseSelectorOrDie("spec.nodeName=node-7,status.phase!=Failed")
	pods := make([]*pod, objects)
	for i := range pods {
		pods[i] = &pod{name: fmt.Sprint("web-", i), nodeName: fmt.Sprint("node-", i%100), phase: pick(i%2 == 0, "Failed", "Running")}
	}
	report.Bench("match_100000_fields", func(b *testing.B) {
		for b.Loop() {
			matched := 0
			for _, p := range pods {
				if onNode.Matches(fieldsOf(p)) {
					matched++
				}
			}
			if matched != 1000 {
				panic(matched)
			}
		}
	})
	report.Bench("parse_fields", func(b *testing.B) {
		for b.Loop() {
			fields.ParseSelectorOrDie("spec.nodeName=node-7,status.phase!=Failed")
		}
	})

	report.Bench("validate_label_key", func(b *testing.B) {
		for b.Loop() {
			validation.IsQualifiedName("app.kubernetes.io/managed-by")
		}
	})
	report.Bench("validate_dns_subdomain", func(b *testing.B) {
		for b.Loop() {
			validation.IsDNS1123Subdomain("web-5d9f8b7c6-abcde.example.com")
		}
	})
	report.Print()
}
