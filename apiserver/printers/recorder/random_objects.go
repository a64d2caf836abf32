package main

import (
	"math/rand"
	"reflect"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
)

// By the name of a type, of a struct's field as "Struct.Field", of any field.
var pools = map[string][]string{
	"PodPhase":                             {"Pending", "Running", "Running", "Succeeded", "Failed", "Unknown", ""},
	"PodConditionType":                     {"PodScheduled", "Ready", "Initialized", "example.com/gate", "ContainersReady"},
	"ConditionStatus":                      {"True", "True", "False", "Unknown"},
	"PodStatus.Reason":                     {"", "", "", "NodeLost", "Evicted"},
	"PodStatus.PodIP":                      {"", "10.0.0.1", "fd00::1"},
	"PodCondition.Reason":                  {"", "", "", "SchedulingGated", "Unschedulable"},
	"ContainerStateWaiting.Reason":         {"", "PodInitializing", "CrashLoopBackOff", "ImagePullBackOff"},
	"ContainerStateTerminated.Reason":      {"", "", "Completed", "Completed", "Error", "OOMKilled"},
	"ContainerRestartPolicy":               {"Always", "Always", "Never", "OnFailure"},
	"Container.Name":                       {"a", "b", "c"},
	"ContainerStatus.Name":                 {"a", "b", "c", "d"},
	"Container.Image":                      {"nginx", "busybox:1.36", "example.com/x@sha256:1", ""},
	"JobConditionType":                     {"Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"},
	"NodeConditionType":                    {"Ready", "Ready", "MemoryPressure"},
	"NodeAddressType":                      {"InternalIP", "ExternalIP", "Hostname"},
	"ComponentConditionType":               {"Healthy", "Other"},
	"ServiceType":                          {"ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "", "Odd"},
	"Protocol":                             {"TCP", "UDP", "SCTP", ""},
	"PersistentVolumeAccessMode":           {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", "Odd"},
	"PersistentVolumePhase":                {"Pending", "Available", "Bound", "Released", "Failed", ""},
	"PersistentVolumeClaimPhase":           {"Pending", "Bound", "Lost", ""},
	"PersistentVolumeClaimSpec.VolumeName": {"", "pv-1"},
	"ResourceName":                         {"cpu", "memory", "storage", "pods", "limits.cpu", "limits.memory", "limits", "requests.cpu", "count/x.apps", "limitsx.y"},
	"Subject.Kind":                         {"User", "Group", "ServiceAccount", "Odd"},
	"RequestConditionType":                 {"Approved", "Denied", "Failed", "Odd"},
	"APIServiceConditionType":              {"Available", "Odd"},
	"FlowSchemaConditionType":              {"Dangling", "Odd"},
	"MetricSourceType":                     {"Object", "Pods", "Resource", "ContainerResource", "External", "Odd"},
	"ObjectReference.Kind":                 {"Pod", "Node", "", "ReplicaSet"},
	"OwnerReference.Kind":                  {"StatefulSet", "DaemonSet", ""},
	"OwnerReference.APIVersion":            {"apps/v1", "v1", "", "a/b/c", "example.com/v1"},
	"LabelSelectorOperator":                {"In", "NotIn", "Exists", "DoesNotExist", "Odd"},
	"LabelSelectorRequirement.Key":         {"app", "tier", "example.com/x"},
	"Event.Message":                        {"", "plain", " around\n", "\u00a0no break\u2003", "in\nside"},
	"Event.Note":                           {"", "plain", "\t around\n", "\u0085\u3000next", "in\nside"},
	"IngressRule.Host":                     {"", "a.example", "b.example", "c.example"},
	"ParentReference.Group":                {"", "Example.com"},
	"ParentReference.Resource":             {"services", "Gateways"},
	"PolicyName":                           {"p"},
}

var words = []string{"", "a", "web-0", "x<y>&z", "\u00fcn\u00ef", "10.0.0.1", "fd00::1", "UPPER", "with space"}
var quantities = []string{"0", "1", "500m", "1024Mi", "1Gi", "0.5", "1e3", "12345678901", "1500m", "100k", "-2"}
var numbers = []int64{0, 0, 1, 1, 2, 3, 5, 80, 137, 443, 8080, -1, 2147483647}
var ages = []time.Duration{0, time.Second, 5 * time.Second, 119 * time.Second, 2 * time.Minute, 3*time.Minute + 7*time.Second,
	10 * time.Minute, 3 * time.Hour, 5*time.Hour + 3*time.Minute, 47 * time.Hour, 50 * time.Hour, 9 * 24 * time.Hour, 800 * 24 * time.Hour,
	1000 * 24 * time.Hour, 4000 * 24 * time.Hour, -time.Second, -5 * time.Second, -time.Hour}

// Members that no table shows, and that are large.
var skipped = map[string]bool{
	"Volumes": true, "Affinity": true, "SecurityContext": true, "Lifecycle": true, "LivenessProbe": true, "ReadinessProbe": true,
	"StartupProbe": true, "Env": true, "EnvFrom": true, "VolumeMounts": true, "VolumeDevices": true, "Tolerations": true,
	"TopologySpreadConstraints": true, "ManagedFields": true, "DNSConfig": true, "HostAliases": true, "PersistentVolumeSource": true,
	"VolumeClaimTemplates": true, "Behavior": true, "ImagePullSecrets": true, "Overhead": true, "Devices": true, "EphemeralContainers": true,
	"EphemeralContainerStatuses": true, "NodeAffinity": true, "PodFailurePolicy": true, "SuccessPolicy": true, "AllocatedResources": true,
	"AllocatedResourcesStatus": true, "ResourceClaims": true, "ResourceClaimStatuses": true, "SharedCounters": true, "Hints": true,
	"MatchConstraints": true, "MatchResources": true, "Variables": true, "Rules": true, "Images": true, "User": true, "Resize": true,
	"ExtendedResourceClaimStatus": true, "NamespaceSelector": true, "ObjectSelector": true, "Egress": true, "DefaultBackend": true, "HTTP": true,
	"NodeAllocatableResourceClaimStatuses": true, "AllowedTopologies": true, "Config": true, "VolumesAttached": true, "RuntimeHandlers": true,
	"ResizePolicy": true, "RestartPolicyRules": true, "UncountedTerminatedPods": true, "SessionAffinityConfig": true, "Extra": true,
	"NodeSelectorTerms": true, "ClaimTemplate": true, "GitRepo": true, "MatchConditions": true, "AuditAnnotations": true, "Strategy": true, "UpdateStrategy": true,
}

// maker fills objects at random, with what makes a difference in tables.
type maker struct {
	r   *rand.Rand
	now time.Time
}

func (m *maker) pick(pool []string) string { return pool[m.r.Intn(len(pool))] }

func (m *maker) time() time.Time {
	if m.r.Intn(8) == 0 {
		return time.Time{}
	}
	return m.now.Add(-ages[m.r.Intn(len(ages))])
}

func (m *maker) text(t reflect.Type, owner, field string) string {
	for _, key := range []string{t.Name(), owner + "." + field, field} {
		if pool, ok := pools[key]; ok && (key != "string") {
			return m.pick(pool)
		}
	}
	return m.pick(words)
}

func (m *maker) meta(meta *metav1.ObjectMeta) {
	meta.Name = m.pick([]string{"web", "web-0", "system:x", "a.b.c", "", "n<1>"})
	meta.Namespace = m.pick([]string{"", "default"})
	meta.CreationTimestamp = metav1.NewTime(m.time())
	if m.r.Intn(4) == 0 {
		t := metav1.NewTime(m.now)
		meta.DeletionTimestamp = &t
	}
	meta.Labels = map[string]string{}
	for _, l := range [][2]string{{"app", "web"}, {"tier", ""}, {"node-role.kubernetes.io/control-plane", ""}, {"node-role.kubernetes.io/", ""},
		{"node-role.kubernetes.io/a", "b"}, {"kubernetes.io/role", "node"}, {"kubernetes.io/role", ""}} {
		if m.r.Intn(4) == 0 {
			meta.Labels[l[0]] = l[1]
		}
	}
	meta.Annotations = map[string]string{}
	for _, k := range []string{"ingressclass.kubernetes.io/is-default-class", "storageclass.kubernetes.io/is-default-class",
		"storageclass.beta.kubernetes.io/is-default-class", "volume.beta.kubernetes.io/storage-class"} {
		if m.r.Intn(4) == 0 {
			meta.Annotations[k] = m.pick([]string{"true", "false", "", "fast"})
		}
	}
	if m.r.Intn(2) == 0 {
		m.fill(reflect.ValueOf(&meta.OwnerReferences).Elem(), "ObjectMeta", "OwnerReferences", 0)
	}
}

func (m *maker) fill(v reflect.Value, owner, field string, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
		return
	case *metav1.Time:
		*x = metav1.NewTime(m.time())
		return
	case *metav1.MicroTime:
		*x = metav1.NewMicroTime(m.time())
		return
	case *metav1.ObjectMeta:
		if depth > 1 {
			x.Labels = map[string]string{"app": m.pick(words)}
			return
		}
		m.meta(x)
		return
	case *metav1.FieldsV1, *apiextensionsv1.CustomResourceDefinitionSpec:
		return
	case *resource.Quantity:
		*x = resource.MustParse(m.pick(quantities))
		return
	case *intstr.IntOrString:
		if m.r.Intn(2) == 0 {
			*x = intstr.FromString(m.pick([]string{"25%", "http", ""}))
		} else {
			*x = intstr.FromInt32(int32(m.r.Intn(5)))
		}
		return
	case *runtime.RawExtension:
		x.Raw = []byte(`{"a":1}`)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			f := v.Type().Field(i)
			if !f.IsExported() || skipped[f.Name] || (v.Type().Name() == "Container" && (f.Name == "Ports" || f.Name == "Resources")) {
				continue
			}
			m.fill(v.Field(i), v.Type().Name(), f.Name, depth+1)
		}
	case reflect.Ptr:
		if m.r.Intn(5) < 2 || depth > 12 {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		m.fill(v.Elem(), owner, field, depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(m.pick([]string{"", "x", "long"})))
			return
		}
		n := []int{0, 0, 1, 1, 2, 3, 4, 5}[m.r.Intn(8)]
		if n == 0 && m.r.Intn(2) == 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := 0; i < n; i++ {
			m.fill(v.Index(i), owner, field, depth+1)
		}
	case reflect.Map:
		n := m.r.Intn(4)
		if n == 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for i := 0; i < n; i++ {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if key.Type().Name() == "string" {
				key.SetString(m.pick([]string{"app", "tier", "example.com/x", "k"}))
			} else {
				m.fill(key, owner, field, depth+1)
			}
			m.fill(value, owner, field, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		v.SetString(m.text(v.Type(), owner, field))
	case reflect.Bool:
		v.SetBool(m.r.Intn(2) == 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt(numbers[m.r.Intn(len(numbers))])
	case reflect.Float64:
		v.SetFloat(1.5)
	}
}

// oldAutoscaler adds annotations that have the metrics of v2.
func (m *maker) oldAutoscaler(obj *autoscalingv1.HorizontalPodAutoscaler) {
	defer func() { recover() }() // The conversion panics at metrics without a source.
	switch m.r.Intn(4) {
	case 0:
		obj.Annotations["autoscaling.alpha.kubernetes.io/metrics"] = m.pick([]string{"", "[]", "null", "{}", `[{"type":1}]`, `[null]`,
			`[{"type":"Pods","pods":{"targetAverageValue":"x"}}]`, `[{"type":"Pods","pods":{"targetAverageValue":7}}]`, `[{"type":"Pods","pods":{}}]`,
			`[{"type":"Object","object":{"targetValue":"3k"}},{"type":"Odd"}]`})
		obj.Annotations["autoscaling.alpha.kubernetes.io/current-metrics"] = m.pick([]string{"[]", "null", "x", `[{"type":"Pods","pods":{"currentAverageValue":"2000m"}}]`})
	case 1, 2: // as a server answers it, of an object of v2
		v2 := &autoscalingv2.HorizontalPodAutoscaler{}
		m.fill(reflect.ValueOf(v2).Elem(), "", "", 0)
		internal := &autoscaling.HorizontalPodAutoscaler{}
		must(legacyscheme.Scheme.Convert(v2, internal, nil))
		made := &autoscalingv1.HorizontalPodAutoscaler{}
		must(legacyscheme.Scheme.Convert(internal, made, nil))
		*obj = *made
	}
}
