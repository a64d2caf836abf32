package main

import (
	"strings"
	"testing"
)

func TestInformerTree(t *testing.T) {
	file := appsFile()
	file.messages[1].kind.listOf = "Deployment"
	tree := informerTree([]*protoFile{file, scaleFile()})
	for _, test := range []struct{ name, want string }{
		{"apps/v1/BUILD.bazel", "kubernetes_informers(\n    name = \"v1\",\n    library = \"//api/apps/v1\",\n)\n"},
		{"all/BUILD.bazel", "        \"//informers/kubernetes/apps/v1\",\n"},
		{"testing/BUILD.bazel", "        \"//api/apps/v1\",\n        \"//informers:any_shared_informer\",\n"},
		{"groups.h", "inline namespace k1_36 {\nclass AppsV1Informers;\n}\n"},
		{"groups.h", "  template <typename VersionT = api::apps::v1::AppsV1Informers>\n  VersionT V1() const {\n"},
		{"groups.h", "  AppsInformers Apps() { return AppsInformers(*this); }\n"},
		{"testing/every_informer_6.cc", "MakeInformerCase<api::apps::v1::Deployment>(\"apps/v1\", \"Deployment\", " +
			"\"Apps().V1().Deployments()\", [](SharedInformerFactory& f) { return f.Apps().V1().Deployments(); }),\n"},
	} {
		if !strings.Contains(tree[test.name], test.want) {
			t.Errorf("%s: %s\nlacks %s", test.name, tree[test.name], test.want)
		}
	}
	if _, ok := tree["autoscaling/v1/BUILD.bazel"]; ok {
		t.Error("informers of a version without resources")
	}
}

func TestVersionsOfAGroupAreInOneClass(t *testing.T) {
	list := &message{name: "AList", kind: &kind{scope: "NO_RESOURCE", listOf: "A"}}
	resource := &message{name: "A", kind: &kind{scope: "CLUSTER", plural: "as"}}
	var files []*protoFile
	for _, version := range []string{"v1", "v1beta1"} {
		files = append(files, &protoFile{folder: "apps/" + version, group: "apps", version: version, release: "1.36",
			messages: []*message{resource, list}})
	}
	header := emitInformerGroups(files)
	for _, want := range []string{"class AppsInformers {", "AppsInformers Apps()", "  VersionT V1() const", "  VersionT V1beta1() const"} {
		if got := strings.Count(header, want); got != 1 {
			t.Errorf("%s\nhas %q %d times", header, want, got)
		}
	}
}

func TestInformedKinds(t *testing.T) {
	for _, test := range []struct {
		name     string
		resource kind
		listOf   string
		want     int
	}{
		{"all verbs", kind{scope: "CLUSTER"}, "A", 1},
		{"both", kind{scope: "CLUSTER", verbs: []string{"watch", "list"}}, "A", 1},
		{"no watch", kind{scope: "CLUSTER", verbs: []string{"get", "list"}}, "A", 0},
		{"no list", kind{scope: "CLUSTER", verbs: []string{"get", "watch"}}, "A", 0},
		{"no message for lists", kind{scope: "CLUSTER"}, "B", 0},
		{"no resource", kind{scope: "NO_RESOURCE"}, "A", 0},
	} {
		file := &protoFile{messages: []*message{
			{name: "A", kind: &test.resource},
			{name: "AList", kind: &kind{scope: "NO_RESOURCE", listOf: test.listOf}},
			{name: "Part"},
		}}
		if got := len(informedKinds(file)); got != test.want {
			t.Errorf("%s: %d kinds, want %d", test.name, got, test.want)
		}
	}
}
