package main

import (
	"strings"
	"testing"
)

func appsFile() *protoFile {
	return &protoFile{folder: "apps/v1", group: "apps", version: "v1", release: "1.36", messages: []*message{
		{name: "Deployment", kind: &kind{scope: "NAMESPACED", plural: "deployments", subresources: []subresource{
			{name: "status", verbs: []string{"get"}},
			{name: "scale", verbs: []string{"get"}, input: "autoscaling/v1 Scale", result: "autoscaling/v1 Scale"},
		}}},
		{name: "DeploymentList", kind: &kind{scope: "NO_RESOURCE"}},
	}}
}

func scaleFile() *protoFile {
	return &protoFile{folder: "autoscaling/v1", group: "autoscaling", version: "v1", release: "1.36", messages: []*message{
		{name: "Scale", kind: &kind{scope: "NO_RESOURCE"}},
	}}
}

func TestClientTree(t *testing.T) {
	tree := clientTree([]*protoFile{appsFile(), scaleFile()})
	for _, test := range []struct{ name, want string }{
		{"apps/v1/BUILD.bazel", "    library = \"//api/apps/v1\",\n    deps = [\"//api/autoscaling/v1\"],\n"},
		{"all/BUILD.bazel", "        \"//clientset/kubernetes/apps/v1\",\n"},
		{"testing/BUILD.bazel", "        \"//api/apps/v1\",\n        \"//api/meta/v1\",\n        \"//apimachinery/base:context\",\n"},
		{"groups.h", "inline namespace k1_36 {\nclass AppsV1Client;\n}\n"},
		{"groups.h", "  GroupT AppsV1() const {\n    return GroupT(client_);\n  }\n"},
		{"testing/every_kind_6.cc", "MakeKindCase<api::apps::v1::Deployment>(\"AppsV1\", \"Deployments\", " +
			"[](const Clientset& c) { return c.AppsV1().Deployments(kNamespace); }),\n"},
	} {
		if !strings.Contains(tree[test.name], test.want) {
			t.Errorf("%s: %s\nlacks %s", test.name, tree[test.name], test.want)
		}
	}
	if _, ok := tree["autoscaling/v1/BUILD.bazel"]; ok {
		t.Error("clients of a version without resources")
	}
}

func TestClientNames(t *testing.T) {
	for _, test := range []struct{ kind, resource, want string }{
		{"Pod", "pods", "Pods"},
		{"Endpoints", "endpoints", "Endpoints"},
		{"NetworkPolicy", "networkpolicies", "NetworkPolicies"},
		{"Gateway", "gateways", "Gateways"},
		{"Ingress", "ingresses", "Ingresses"},
		{"Branch", "branches", "Branches"},
	} {
		if got := pluralName(test.kind, test.resource); got != test.want {
			t.Errorf("%s: %s, want %s", test.kind, got, test.want)
		}
	}
	for _, test := range []struct{ group, want string }{
		{"", "CoreV1beta1"}, {"apps", "AppsV1beta1"}, {"rbac.authorization.k8s.io", "RbacV1beta1"},
	} {
		if got := groupVersionName(test.group, "v1beta1"); got != test.want {
			t.Errorf("%s: %s, want %s", test.group, got, test.want)
		}
	}
}
