package main

import (
	"go/parser"
	"go/token"
	"reflect"
	"testing"
)

func TestParseMarker(t *testing.T) {
	for _, test := range []struct {
		name, line string
		want       marker
		found      bool
	}{
		{"flag", "+optional", marker{"optional", ""}, true},
		{"value", "+listType=map", marker{"listType", "map"}, true},
		{"value with =", "+genclient:method=Get,verb=get", marker{"genclient:method", "Get,verb=get"}, true},
		{"comment after value", "+k8s:maximum=5 # why", marker{"k8s:maximum", "5"}, true},
		{"gated", `+k8s:alpha(since: "1.36")=+k8s:minimum=0`, marker{"k8s:minimum", "0"}, true},
		{"gated, no release", `+k8s:beta=+k8s:maxItems=4`, marker{"k8s:maxItems", "4"}, true},
		// Holds only where another gate is on: it stays what it is, which nothing asks for.
		{"conditional", `+k8s:ifEnabled("X")=+k8s:required`, marker{`k8s:ifEnabled("X")`, "+k8s:required"}, true},
		{"prose", "The +1 of it", marker{}, false},
		{"rule of a line", "+----------", marker{}, false},
	} {
		got, found := parseMarker(test.line)
		if got != test.want || found != test.found {
			t.Errorf("%s: parseMarker(%q) = %v, %v", test.name, test.line, got, found)
		}
	}
}

func TestMarkersFirstFollowsTheOrderOfNames(t *testing.T) {
	said := markers{{"b", "1"}, {"a", "2"}, {"a", "3"}}
	if got := said.first("a", "b"); got != "2" {
		t.Errorf("first = %q", got)
	}
	if got := said.all("a"); !reflect.DeepEqual(got, []string{"2", "3"}) {
		t.Errorf("all = %q", got)
	}
}

func TestCollectMarkers(t *testing.T) {
	const source = `package p

// +far

// +near=1

// Pod is prose.
// +own
type Pod struct {
	// +before=2
	Name string
	// +embedded
	*Meta
}

// +other
type (
	// +grouped
	Meta struct{}
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	found := map[token.Pos]markers{}
	collectMarkers(fset, file, found)
	byLine := map[int]markers{}
	for pos, said := range found {
		byLine[fset.Position(pos).Line] = said
	}
	for line, want := range map[int]markers{
		9:  {{"near", "1"}, {"own", ""}},
		11: {{"before", "2"}},
		13: {{"embedded", ""}},
		19: {{"grouped", ""}},
	} {
		if !reflect.DeepEqual(byLine[line], want) {
			t.Errorf("line %d: %v, want %v", line, byLine[line], want)
		}
	}
}
