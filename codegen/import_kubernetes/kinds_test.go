package main

import (
	"strings"
	"testing"
)

// Declarations of a kind, of which "// MARKERS" are its markers.
const widgetKind = `
// MARKERS

// Widget is prose that is not imported.
type Widget struct {
	metav1.TypeMeta 'json:",inline"'
	metav1.ObjectMeta 'json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"'
	Status string 'json:"status,omitempty" protobuf:"bytes,2,opt,name=status"'
}

type Options struct {
	metav1.TypeMeta 'json:",inline"'
	Force bool 'json:"force,omitempty" protobuf:"varint,1,opt,name=force"'
}

type WidgetList struct {
	metav1.TypeMeta 'json:",inline"'
	Items []Widget 'json:"items" protobuf:"bytes,2,rep,name=items"'
}

func register() { scheme.AddKnownTypes(SchemeGroupVersion, &Widget{}, &WidgetList{}) }
`

func kindOf(t *testing.T, name string, markers []string, more string, served discovery) string {
	t.Helper()
	comment := "// " + strings.Join(markers, "\n// ")
	text := shopProto(t, strings.Replace(widgetKind, "// MARKERS", comment, 1)+more, served)
	_, rest, _ := strings.Cut(text, "message "+name+" {\n")
	option, _, _ := strings.Cut(rest, ";\n")
	return strings.Join(strings.Fields(option), " ")
}

func TestKindsOfMarkers(t *testing.T) {
	for _, test := range []struct {
		name    string
		markers []string
		want    string
	}{
		{"no client", nil, `option (kube.kind) = {}`},
		{"namespaced", []string{"+genclient"},
			`option (kube.kind) = { scope: NAMESPACED plural: "widgets" singular: "widget" ` +
				`subresource: {name: "status", verb: ["get", "patch", "update"]} }`},
		{"of the cluster, no status", []string{"+genclient", "+genclient:nonNamespaced", "+genclient:noStatus"},
			`option (kube.kind) = {scope: CLUSTER, plural: "widgets", singular: "widget"}`},
		{"no verbs", []string{"+genclient", "+genclient:noVerbs"}, `option (kube.kind) = {}`},
		{"one verb", []string{"+genclient", "+genclient:onlyVerbs=create"},
			`option (kube.kind) = {scope: NAMESPACED, plural: "widgets", singular: "widget", verb: "create"}`},
		{"all but one verb", []string{"+genclient", "+genclient:skipVerbs=deleteCollection", "+genclient:noStatus"},
			`option (kube.kind) = { scope: NAMESPACED plural: "widgets" singular: "widget" ` +
				`verb: ["create", "delete", "get", "list", "patch", "update", "watch"] }`},
		{"read only, of another name", []string{"+genclient", "+genclient:readonly", "+resourceName=nodes"},
			`option (kube.kind) = { scope: NAMESPACED plural: "nodes" singular: "widget" verb: ["get", "list", "watch"] }`},
		{"methods", []string{"+genclient", "+genclient:noStatus",
			"+genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/shop/v1.Widget",
			"+genclient:method=ApplyScale,verb=apply,subresource=scale,input=Scale,result=k8s.io/api/shop/v1.Widget"},
			`option (kube.kind) = { scope: NAMESPACED plural: "widgets" singular: "widget" subresource: { name: "scale" ` +
				`verb: ["get", "patch"] input: "shop.example.com/v1 Scale" result: "shop.example.com/v1 Widget" } }`},
	} {
		if got := kindOf(t, "Widget", test.markers, "", nil); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestLists(t *testing.T) {
	if got := kindOf(t, "WidgetList", nil, "", nil); got != `option (kube.kind) = {list_of: "Widget"}` {
		t.Error(got)
	}
}

func TestTypeMetaWithoutRegistration(t *testing.T) {
	if got := kindOf(t, "Options", nil, "", nil); got != `option (kube.struct) = {type_meta: true}` {
		t.Error(got)
	}
}

func TestLifecycle(t *testing.T) {
	const methods = `
func (in *Widget) APILifecycleIntroduced() (major, minor int) { return 1, 5 }
func (in *Widget) APILifecycleDeprecated() (major, minor int) { return 1, 16 }
func (in *Widget) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (in *Widget) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Gadget"}
}
`
	want := `option (kube.kind) = { introduced: "1.5" deprecated: "1.16" removed: "1.22" replacement: "apps/v1 Gadget" }`
	if got := kindOf(t, "Widget", nil, methods, nil); got != want {
		t.Error(got)
	}
}

func TestUnversionedKinds(t *testing.T) {
	result, err := importShop(t, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"// Kind Status of v1.\nmessage Status {\n  option (kube.kind) = {api_version: \"v1\"};\n",
		// Of every version.
		"// Kind DeleteOptions of v1.\nmessage DeleteOptions {\n  option (kube.kind) = {api_version: \"v1\"};\n",
		"// Kind Table of meta.k8s.io/v1.\nmessage Table {\n  option (kube.kind) = {};\n",
	} {
		if got := result.tree["meta/v1/types.proto"]; !strings.Contains(got, want) {
			t.Errorf("got:\n%s\nwant in it:\n%s", got, want)
		}
	}
}

func TestServedKinds(t *testing.T) {
	served := discovery{"shop.example.com/v1": {
		{Name: "widgets", SingularName: "widget", Kind: "Widget", Verbs: clientVerbs,
			ShortNames: []string{"wd"}, Categories: []string{"all"}},
		{Name: "widgets/status", Kind: "Widget", Verbs: []string{"get"}},
		{Name: "widgets/log", Kind: "LogOptions", Verbs: []string{"get"}},
		{Name: "widgets/scale", Group: "autoscaling", Version: "v1", Kind: "Scale", Verbs: []string{"get"}},
		{Name: "gadgets", Kind: "Gadget", Verbs: []string{"get"}},
		{Name: "gadgets/widget", Kind: "Widget", Verbs: []string{"get"}},
	}}
	// The server's scope and verbs count, the marker's are a plan.
	want := `option (kube.kind) = { scope: CLUSTER plural: "widgets" singular: "widget" short_name: "wd" category: "all" ` +
		`subresource: {name: "status", verb: "get"} ` +
		`subresource: {name: "log", verb: "get", input: "shop.example.com/v1 LogOptions"} ` +
		`subresource: { name: "scale" verb: "get" input: "autoscaling/v1 Scale" result: "autoscaling/v1 Scale" } }`
	if got := kindOf(t, "Widget", []string{"+genclient", "+genclient:onlyVerbs=create"}, "", served); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
