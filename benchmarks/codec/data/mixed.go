package main

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A mixedKind is one kind of the set M, and how many objects of it there are.
type mixedKind struct {
	kind  schema.GroupVersionKind
	count int
	next  func(*replicas) runtime.Object
}

var mixedKinds = []mixedKind{
	{corev1.SchemeGroupVersion.WithKind("Pod"), 4000, func(r *replicas) runtime.Object { return r.next() }},
	{corev1.SchemeGroupVersion.WithKind("Node"), 200, func(r *replicas) runtime.Object { return r.node() }},
	{appsv1.SchemeGroupVersion.WithKind("Deployment"), 500, func(r *replicas) runtime.Object { return r.deployment() }},
	{corev1.SchemeGroupVersion.WithKind("Event"), 2500, func(r *replicas) runtime.Object { return r.event() }},
	{coordinationv1.SchemeGroupVersion.WithKind("Lease"), 500, func(r *replicas) runtime.Object { return r.lease() }},
	{corev1.SchemeGroupVersion.WithKind("ConfigMap"), 1200, func(r *replicas) runtime.Object { return r.configMap() }},
	{corev1.SchemeGroupVersion.WithKind("Secret"), 1000, func(r *replicas) runtime.Object { return r.secret() }},
	{apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"), 100,
		func(r *replicas) runtime.Object { return r.definition() }},
}

// mixed makes a cluster's objects, of all kinds in turn: the objects, and the names of their kinds.
func mixed(seed uint64) (objects []runtime.Object, names []string) {
	r := newReplicas(seed)
	var order []int
	for i, kind := range mixedKinds {
		for range kind.count {
			order = append(order, i)
		}
	}
	r.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, i := range order {
		object := mixedKinds[i].next(r)
		object.GetObjectKind().SetGroupVersionKind(mixedKinds[i].kind)
		objects, names = append(objects, object), append(names, mixedKinds[i].kind.Kind)
	}
	return objects, names
}

func (r *replicas) time() metav1.Time {
	return metav1.NewTime(time.Date(2026, 4, 1, 0, 0, r.random.IntN(30*24*3600), 0, time.UTC))
}

func (r *replicas) meta(name, namespace, manager, fields string) metav1.ObjectMeta {
	made := r.time()
	return metav1.ObjectMeta{
		Name: name, Namespace: namespace, UID: r.uid(), CreationTimestamp: made,
		ResourceVersion: fmt.Sprint(1500000000 + r.random.IntN(500000000)),
		ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &made,
			FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)},
		}},
	}
}

func (r *replicas) namespace() string { return fmt.Sprintf("team-%03d", r.random.IntN(240)) }

func (r *replicas) nodeName() string { return fmt.Sprintf("node-%04d", r.random.IntN(2000)) }

func (r *replicas) node() *corev1.Node {
	name := r.nodeName()
	n := &corev1.Node{ObjectMeta: r.meta(name, "", "kubelet",
		`{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{"f:lastHeartbeatTime":{}}},"f:images":{}}}`)}
	n.Labels = map[string]string{
		corev1.LabelHostname: name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: r.pick("amd64", "arm64"),
		corev1.LabelTopologyZone: r.pick("z1", "z2", "z3"), corev1.LabelInstanceTypeStable: r.pick("m-8", "m-16", "c-32"),
	}
	n.Spec = corev1.NodeSpec{PodCIDR: "10.1.2.0/24", PodCIDRs: []string{"10.1.2.0/24"}, ProviderID: "example:///" + r.word(17)}
	n.Status = corev1.NodeStatus{
		Capacity: resources("8", "32886184Ki"), Allocatable: resources("7910m", "31322536Ki"),
		Addresses: []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.2.3"}, {Type: corev1.NodeHostName, Address: name}},
		NodeInfo: corev1.NodeSystemInfo{MachineID: r.hex(32), SystemUUID: string(r.uid()), BootID: string(r.uid()),
			KernelVersion: "6.12.30", OSImage: "Debian GNU/Linux 13", ContainerRuntimeVersion: "containerd://2.1.3",
			KubeletVersion: "v1.29.4", OperatingSystem: "linux", Architecture: "amd64"},
	}
	for _, condition := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeReady} {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: condition, Status: corev1.ConditionFalse,
			LastHeartbeatTime: r.time(), LastTransitionTime: n.CreationTimestamp, Reason: "KubeletHas" + string(condition),
			Message: "kubelet has reported " + string(condition)})
	}
	for range 30 + r.random.IntN(20) {
		image := "registry.example.com/team/" + r.word(8)
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
			Names: []string{image + "@sha256:" + r.hex(64), image + ":" + r.version()}, SizeBytes: r.random.Int64N(1 << 30)})
	}
	return n
}

func resources(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("101430960Ki")}
}

func (r *replicas) deployment() *appsv1.Deployment {
	set := r.newSet()
	labels := map[string]string{"app.kubernetes.io/name": set.name}
	d := &appsv1.Deployment{ObjectMeta: r.meta(set.name, set.namespace, "kubectl", set.fields)}
	d.Labels, d.Generation = labels, 3
	d.Annotations = map[string]string{"deployment.kubernetes.io/revision": "3"}
	d.Spec = appsv1.DeploymentSpec{
		Replicas: new(int32(1 + r.random.IntN(20))), Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template:             corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: set.spec},
		RevisionHistoryLimit: new(int32(10)), ProgressDeadlineSeconds: new(int32(600)),
	}
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: 3, Replicas: *d.Spec.Replicas, ReadyReplicas: *d.Spec.Replicas,
		Conditions: []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue,
			LastUpdateTime: r.time(), LastTransitionTime: d.CreationTimestamp, Reason: "MinimumReplicasAvailable", Message: "all there"}}}
	return d
}

func (r *replicas) event() *corev1.Event {
	pod, namespace, node := r.pick("orders", "search", "ledger")+"-"+r.word(10)+"-"+r.word(5), r.namespace(), r.nodeName()
	reason := r.pick("Scheduled", "Pulling", "Pulled", "Created", "Started", "BackOff", "Unhealthy", "Killing")
	e := &corev1.Event{ObjectMeta: r.meta(pod+"."+r.hex(16), namespace, "kubelet", `{"f:count":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:type":{}}`)}
	e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", Namespace: namespace, Name: pod, UID: r.uid(), APIVersion: "v1",
		ResourceVersion: e.ResourceVersion, FieldPath: "spec.containers{main}"}
	e.Reason, e.Message = reason, reason+": registry.example.com/team/"+r.word(8)+":"+r.version()
	e.Source = corev1.EventSource{Component: "kubelet", Host: node}
	e.FirstTimestamp, e.LastTimestamp, e.Count = e.CreationTimestamp, r.time(), int32(1+r.random.IntN(50))
	e.Type, e.ReportingController, e.ReportingInstance = corev1.EventTypeNormal, "kubelet", node
	return e
}

func (r *replicas) lease() *coordinationv1.Lease {
	name := r.nodeName()
	renewed := metav1.NewMicroTime(r.time().Add(time.Duration(r.random.IntN(1000000)) * time.Microsecond))
	l := &coordinationv1.Lease{ObjectMeta: r.meta(name, corev1.NamespaceNodeLease, "kubelet",
		`{"f:spec":{"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:renewTime":{}}}`)}
	l.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: name, UID: r.uid()}}
	l.Spec = coordinationv1.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: new(int32(40)), RenewTime: &renewed}
	return l
}

// Mostly small ones; one of twenty has a large file.
func (r *replicas) configMap() *corev1.ConfigMap {
	c := &corev1.ConfigMap{ObjectMeta: r.meta(r.word(12), r.namespace(), "helm", `{"f:data":{".":{},"f:config.yaml":{}}}`)}
	lines := 5 + r.random.IntN(30)
	if r.random.IntN(20) == 0 {
		lines = 1000
	}
	var file strings.Builder
	for range lines {
		fmt.Fprintf(&file, "%s: \"%s\"\n", r.word(10), r.word(20))
	}
	c.Data = map[string]string{"config.yaml": file.String(), "mode": r.pick("fast", "safe")}
	return c
}

func (r *replicas) secret() *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: r.meta(r.word(12), r.namespace(), "helm", `{"f:data":{".":{},"f:tls.crt":{},"f:tls.key":{}},"f:type":{}}`)}
	s.Type = corev1.SecretTypeTLS
	s.Data = map[string][]byte{corev1.TLSCertKey: []byte(r.text("ABCDEFabcdef0123456789+/", 1500)),
		corev1.TLSPrivateKeyKey: []byte(r.text("ABCDEFabcdef0123456789+/", 1700))}
	return s
}

func (r *replicas) definition() *apiextensionsv1.CustomResourceDefinition {
	name, group := r.word(8), r.word(6)+".example.com"
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: r.meta(name+"s."+group, "", "helm", `{"f:spec":{"f:group":{},"f:names":{},"f:versions":{}}}`)}
	root := r.schema(4)
	d.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: group, Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: name + "s", Singular: name, Kind: "K" + name, ListKind: "K" + name + "List"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
			Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
			Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}}},
		Conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
	}
	d.Status = apiextensionsv1.CustomResourceDefinitionStatus{AcceptedNames: d.Spec.Names, StoredVersions: []string{"v1"},
		Conditions: []apiextensionsv1.CustomResourceDefinitionCondition{{Type: apiextensionsv1.Established,
			Status: apiextensionsv1.ConditionTrue, LastTransitionTime: d.CreationTimestamp, Reason: "InitialNamesAccepted"}}}
	return d
}

// schema makes objects of that many levels, 60 to 80 kB of them in all.
func (r *replicas) schema(levels int) apiextensionsv1.JSONSchemaProps {
	text := r.word(20) + " " + r.word(30) + " " + r.word(30)
	switch {
	case levels == 0:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Description: text, MaxLength: new(int64(63)),
			Default: &apiextensionsv1.JSON{Raw: []byte(`"` + r.word(5) + `"`)},
			Enum:    []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}}}
	case levels == 2:
		items := r.schema(1)
		return apiextensionsv1.JSONSchemaProps{Type: "array", Description: text, XListType: new("map"), XListMapKeys: []string{"name"},
			Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}}
	}
	s := apiextensionsv1.JSONSchemaProps{Type: "object", Description: text, Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for range 7 {
		s.Properties[r.word(8)] = r.schema(levels - 1)
	}
	s.Required = []string{"name"}
	return s
}
