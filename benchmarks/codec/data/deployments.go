package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The sets A and B: 250 Deployments of 40 pods each, in 40 namespaces and on 500 nodes.
const (
	replicasEach = 40
	namespaces   = 40
	nodes        = 500
)

// digits are n hexadecimal ones that depend on the seed alone.
func digits(seed, n int) string {
	state := uint64(seed)
	out := make([]byte, n)
	for i := range out {
		state = state*6364136223846793005 + 1442695040888963407
		out[i] = "0123456789abcdef"[state>>60]
	}
	return string(out)
}

func uidOf(seed int) types.UID {
	d := digits(seed, 32)
	return types.UID(strings.Join([]string{d[:8], d[8:12], d[12:16], d[16:20], d[20:]}, "-"))
}

// padTo repeats parts, with commas between, until the text has size bytes.
func padTo(size int, start, end string, part func(i int) string) metav1.FieldsV1 {
	var b strings.Builder
	b.WriteString(start)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(part(i))
	}
	b.WriteString(end)
	return *metav1.NewFieldsV1(b.String())
}

// Both field sets have the size that real ones have, about 1,200 bytes.
func templateFields(owner types.UID) metav1.FieldsV1 {
	start := `{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/name":{},"f:pod-template-hash":{}},` +
		`"f:ownerReferences":{".":{},"k:{\"uid\":\"` + string(owner) + `\"}":{}}},"f:spec":{"f:containers":{`
	return padTo(1180, start, "}}}", func(i int) string {
		return fmt.Sprintf(`"k:{\"name\":\"c%d\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{}}`, i)
	})
}

func conditionFields() metav1.FieldsV1 {
	return padTo(1180, `{"f:status":{"f:conditions":{`, "}}}", func(i int) string {
		return fmt.Sprintf(`"k:{\"type\":\"Cond%d\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}`, i)
	})
}

// deployment is what the forty pods share.
type deployment struct {
	number                int
	name, hash, rs, image string
}

func deploymentOf(number int) deployment {
	d := deployment{number: number, name: fmt.Sprintf("web-frontend-%d", number), hash: digits(number, 10)}
	d.rs = d.name + "-" + d.hash
	d.image = "registry.example.com/team-a/" + d.name + ":v1.42.7"
	return d
}

// deploymentPod is pod i of the set A, or of B if it has a token of its own.
func deploymentPod(i int, token bool) *corev1.Pod {
	d := deploymentOf(i / replicasEach)
	node := i * 7919 % nodes
	access := ""
	if token {
		access = "kube-api-access-" + digits(i*31+5, 5)
	}
	return &corev1.Pod{
		ObjectMeta: deploymentMeta(d, i),
		Spec:       deploymentSpec(d, node, access),
		Status:     deploymentStatus(d, i, node),
	}
}

func createdAt(i int) metav1.Time { return metav1.Unix(1700000000+int64(i), 0) }

func deploymentMeta(d deployment, i int) metav1.ObjectMeta {
	created := createdAt(i)
	template, conditions := templateFields(uidOf(d.number)), conditionFields()
	return metav1.ObjectMeta{
		Name:              d.rs + "-" + digits(i+99, 5),
		GenerateName:      d.rs + "-",
		Namespace:         fmt.Sprintf("production-team-%d", d.number%namespaces),
		UID:               uidOf(i + 1000),
		ResourceVersion:   fmt.Sprint(90000000 + i*3),
		CreationTimestamp: created,
		Labels: map[string]string{
			"app.kubernetes.io/name":      d.name,
			"app.kubernetes.io/instance":  d.name + "-prod",
			"app.kubernetes.io/component": "frontend",
			"pod-template-hash":           d.hash,
			"team":                        "team-a",
			"environment":                 "production",
		},
		Annotations: map[string]string{
			"prometheus.io/scrape": "true",
			"prometheus.io/port":   "9102",
			"checksum/config":      digits(d.number+5, 64),
		},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: d.rs, UID: uidOf(d.number),
			Controller: new(true), BlockOwnerDeletion: new(true),
		}},
		ManagedFields: []metav1.ManagedFieldsEntry{
			{Manager: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
				FieldsType: "FieldsV1", Time: &created, FieldsV1: &template},
			{Manager: "kubelet", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
				FieldsType: "FieldsV1", Time: &created, FieldsV1: &conditions, Subresource: "status"},
		},
	}
}

func deploymentSpec(d deployment, node int, access string) corev1.PodSpec {
	spec := corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyAlways,
		TerminationGracePeriodSeconds: new(int64(30)),
		DNSPolicy:                     corev1.DNSClusterFirst,
		ServiceAccountName:            "web-frontend",
		NodeName:                      fmt.Sprintf("ip-10-12-%d-%d.ec2.internal", node/250, node%250),
		SchedulerName:                 "default-scheduler",
		Containers:                    []corev1.Container{deploymentContainer("frontend", d, access), deploymentContainer("istio-proxy", d, access)},
	}
	for _, key := range []string{"node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"} {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300))})
	}
	config := corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: "web-config-map"}}}
	projected := corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
		{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}},
		{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}}},
	}}}
	spec.Volumes = []corev1.Volume{
		{Name: "volume-0", VolumeSource: config},
		{Name: "volume-1", VolumeSource: config},
		{Name: "volume-2", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: "volume-3", VolumeSource: projected},
	}
	if access != "" {
		spec.Volumes[3].Name = access
	}
	return spec
}

func deploymentContainer(name string, d deployment, access string) corev1.Container {
	c := corev1.Container{
		Name:  name,
		Image: d.image,
		Resources: corev1.ResourceRequirements{
			Limits:   corev1.ResourceList{"cpu": resource.MustParse("500m"), "memory": resource.MustParse("512Mi")},
			Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
		},
		ReadinessProbe: &corev1.Probe{
			ProbeHandler: corev1.ProbeHandler{
				HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080)}},
			InitialDelaySeconds: 5,
			PeriodSeconds:       10,
		},
		TerminationMessagePath:   "/dev/termination-log",
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
	}
	for i := range 8 {
		c.Env = append(c.Env, corev1.EnvVar{
			Name: fmt.Sprintf("ENVIRONMENT_VARIABLE_%d", i), Value: fmt.Sprintf("some configuration value %d", i)})
	}
	for i := range 2 {
		c.Ports = append(c.Ports, corev1.ContainerPort{Name: "http", ContainerPort: int32(8080 + i), Protocol: corev1.ProtocolTCP})
	}
	for i := range 3 {
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{
			Name: fmt.Sprintf("volume-%d", i), MountPath: fmt.Sprintf("/etc/config/%d", i), ReadOnly: true})
	}
	if access != "" {
		c.VolumeMounts = append([]corev1.VolumeMount{
			{Name: access, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true}}, c.VolumeMounts[:2]...)
	}
	return c
}

func deploymentStatus(d deployment, i, node int) corev1.PodStatus {
	created := createdAt(i)
	ip := fmt.Sprintf("10.244.%d.%d", i/250, i%250)
	status := corev1.PodStatus{
		Phase:     corev1.PodRunning,
		HostIP:    fmt.Sprintf("10.12.%d.%d", node/250, node%250),
		PodIP:     ip,
		PodIPs:    []corev1.PodIP{{IP: ip}},
		StartTime: &created,
		QOSClass:  corev1.PodQOSBurstable,
	}
	for _, condition := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady,
		corev1.ContainersReady, corev1.PodScheduled} {
		status.Conditions = append(status.Conditions, corev1.PodCondition{
			Type: condition, Status: corev1.ConditionTrue, LastTransitionTime: created})
	}
	for c, name := range []string{"frontend", "istio-proxy"} {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name:        name,
			State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: createdAt(i + 5)}},
			Ready:       true,
			Image:       d.image,
			ImageID:     "registry.example.com/team-a/" + d.name + "@sha256:" + digits(d.number+7, 64),
			ContainerID: "containerd://" + digits(i*2+c+77777, 64),
			Started:     new(true),
		})
	}
	return status
}
