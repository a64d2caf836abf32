package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// replicas yields the set R, ReplicaSet by ReplicaSet: its pods share what the controller copies from the template, and differ
// in what admission, scheduler and kubelet write.
type replicas struct {
	random *rand.Rand
	made   int
	set    *replicaSet
	left   int // pods of the set
}

type replicaSet struct {
	name, namespace string
	meta            metav1.ObjectMeta // what its pods share
	spec            corev1.PodSpec    // the same
	fields          string
	created         time.Time
}

func newReplicas(seed uint64) *replicas {
	return &replicas{random: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

func (r *replicas) next() *corev1.Pod {
	if r.left == 0 {
		r.set = r.newSet()
		// Mostly small sets, some large ones.
		r.left = 1 + r.random.IntN(8)
		if r.random.IntN(5) == 0 {
			r.left = 10 + r.random.IntN(50)
		}
	}
	r.left--
	r.made++
	return r.newPod()
}

func (r *replicas) text(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[r.random.IntN(len(alphabet))]
	}
	return string(out)
}

// word has the letters that the API server takes for random names.
func (r *replicas) word(n int) string { return r.text("bcdfghjklmnpqrstvwxz2456789", n) }
func (r *replicas) hex(n int) string  { return r.text("0123456789abcdef", n) }

func (r *replicas) uid() types.UID {
	return types.UID(r.hex(8) + "-" + r.hex(4) + "-4" + r.hex(3) + "-a" + r.hex(3) + "-" + r.hex(12))
}

func (r *replicas) pick(words ...string) string { return words[r.random.IntN(len(words))] }

func (r *replicas) version() string {
	return fmt.Sprintf("%d.%d.%d", r.random.IntN(5), r.random.IntN(40), r.random.IntN(20))
}

func (r *replicas) newSet() *replicaSet {
	name := r.pick("orders", "billing", "search", "catalog", "checkout", "gateway", "session", "ledger", "mailer", "profile",
		"ranking", "report") + "-" + r.pick("api", "worker", "web", "sync", "index", "cache")
	s := &replicaSet{
		name:      name,
		namespace: fmt.Sprintf("team-%03d", r.random.IntN(240)),
		created:   time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(r.random.IntN(60*24*3600)) * time.Second),
	}
	hash, uid := r.word(10), r.uid()
	s.meta = metav1.ObjectMeta{
		GenerateName: name + "-" + hash + "-",
		Namespace:    s.namespace,
		Generation:   1,
		Labels: map[string]string{
			"app.kubernetes.io/name":      name,
			"app.kubernetes.io/instance":  name + "-" + s.namespace,
			"app.kubernetes.io/component": r.pick("frontend", "backend", "batch"),
			"app.kubernetes.io/version":   r.version(),
			"pod-template-hash":           hash,
		},
		Annotations: map[string]string{
			"kubectl.kubernetes.io/restartedAt": s.created.Format(time.RFC3339),
			"checksum/config":                   r.hex(64),
			"prometheus.io/scrape":              "true",
			"example.com/released":              s.created.Format(time.RFC3339),
		},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: name + "-" + hash, UID: uid,
			Controller: new(true), BlockOwnerDeletion: new(true),
		}},
	}
	s.spec = r.newSpec(s)
	s.fields = controllerFields(s, uid)
	return s
}

func (r *replicas) newSpec(s *replicaSet) corev1.PodSpec {
	spec := corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyAlways,
		TerminationGracePeriodSeconds: new(int64(30)),
		DNSPolicy:                     corev1.DNSClusterFirst,
		ServiceAccountName:            s.name,
		DeprecatedServiceAccount:      s.name,
		SecurityContext:               &corev1.PodSecurityContext{RunAsNonRoot: new(true), RunAsUser: new(int64(65532)), FSGroup: new(int64(65532))},
		SchedulerName:                 "default-scheduler",
		Priority:                      new(int32(0)),
		EnableServiceLinks:            new(true),
		PreemptionPolicy:              new(corev1.PreemptLowerPriority),
		Volumes:                       replicaVolumes(s),
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "topology.kubernetes.io/zone", WhenUnsatisfiable: corev1.ScheduleAnyway,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": s.name}},
		}},
	}
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300))})
	}
	names := []string{"app", "metrics", "proxy"}
	for i := range 2 + r.random.IntN(8)/7 { // seldom three
		image := names[i]
		if i == 0 {
			image = s.name
		}
		spec.Containers = append(spec.Containers, replicaContainer(s, i, names[i],
			fmt.Sprintf("registry.example.com/%s/%s:%s", s.namespace, image, r.version())))
	}
	return spec
}

// The last volume is the token's; each pod has another name for it.
func replicaVolumes(s *replicaSet) []corev1.Volume {
	mode := new(int32(420))
	token := []corev1.VolumeProjection{
		{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: new(int64(3607)), Path: "token"}},
		{ConfigMap: &corev1.ConfigMapProjection{
			LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
			Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
		{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{
			Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"}}}}},
	}
	return []corev1.Volume{
		{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: s.name + "-config"}, DefaultMode: mode}}},
		{Name: "tls", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: s.name + "-tls", DefaultMode: mode}}},
		{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: mode, Sources: token}}},
	}
}

func replicaContainer(s *replicaSet, i int, name, image string) corev1.Container {
	port := int32(8080 + i)
	c := corev1.Container{
		Name:  name,
		Image: image,
		Ports: []corev1.ContainerPort{{Name: "http-" + name[:3], ContainerPort: port, Protocol: corev1.ProtocolTCP}},
		Resources: corev1.ResourceRequirements{
			Limits:   corev1.ResourceList{"memory": resource.MustParse("512Mi")},
			Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
		},
		TerminationMessagePath:   "/dev/termination-log",
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
		SecurityContext: &corev1.SecurityContext{
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			AllowPrivilegeEscalation: new(false),
			ReadOnlyRootFilesystem:   new(true),
		},
	}
	if i == 0 {
		c.Args = []string{"--config=/etc/app/config.yaml", "--log-level=info"}
		c.LivenessProbe, c.ReadinessProbe = probe("/healthz", port, 10), probe("/readyz", port, 5)
		c.VolumeMounts = []corev1.VolumeMount{
			{Name: "config", ReadOnly: true, MountPath: "/etc/app"},
			{Name: "tls", ReadOnly: true, MountPath: "/etc/tls"},
			{Name: "tmp", MountPath: "/tmp"},
		}
		c.Env = []corev1.EnvVar{
			{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{
				FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}},
			{Name: "DATABASE_PASSWORD", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: s.name + "-secrets"}, Key: "database_password"}}},
			{Name: "LOG_FORMAT", Value: "json"},
			{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: "http://otel-collector.observability.svc:4317"},
			{Name: "DATABASE_HOST", Value: s.name + "-db." + s.namespace + ".svc.cluster.local"},
		}
	}
	// The token's mount is the last one, as the volume.
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"})
	return c
}

func probe(path string, port, period int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler:   corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(port), Scheme: corev1.URISchemeHTTP}},
		TimeoutSeconds: 1, PeriodSeconds: period, SuccessThreshold: 1, FailureThreshold: 3,
	}
}

func (r *replicas) newPod() *corev1.Pod {
	s := r.set
	created := s.created.Add(time.Duration(r.random.IntN(7200)) * time.Second)
	at := func(seconds int) metav1.Time {
		return metav1.NewTime(created.Add(time.Duration(seconds) * time.Second))
	}
	node := r.random.IntN(1000)
	ip := fmt.Sprintf("10.%d.%d.%d", 64+r.random.IntN(64), r.random.IntN(256), 1+r.random.IntN(254))
	hostIP := fmt.Sprintf("172.20.%d.%d", node/250, 1+node%250)

	p := &corev1.Pod{ObjectMeta: s.meta, Spec: r.podSpec("kube-api-access-" + r.word(5))}
	p.Name = s.meta.GenerateName + r.word(5)
	p.UID = r.uid()
	p.ResourceVersion = fmt.Sprint(1_000_000_000 + r.made)
	p.CreationTimestamp = at(0)
	p.Spec.NodeName = fmt.Sprintf("ip-172-20-%d-%d.eu-west-1.compute.internal", node/250, 1+node%250)
	p.ManagedFields = []metav1.ManagedFieldsEntry{
		{Manager: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
			Time: new(at(0)), FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(s.fields)},
		{Manager: "kubelet", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
			Time: new(at(15)), FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(kubeletFields(ip, hostIP)), Subresource: "status"},
	}
	p.Status = corev1.PodStatus{
		ObservedGeneration: 1,
		Phase:              corev1.PodRunning,
		QOSClass:           corev1.PodQOSBurstable,
		HostIP:             hostIP,
		HostIPs:            []corev1.HostIP{{IP: hostIP}},
		PodIP:              ip,
		PodIPs:             []corev1.PodIP{{IP: ip}},
		StartTime:          new(at(1)),
		Conditions: []corev1.PodCondition{
			{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue, LastTransitionTime: at(4)},
			{Type: corev1.PodInitialized, Status: corev1.ConditionTrue, LastTransitionTime: at(1)},
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at(14)},
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue, LastTransitionTime: at(14)},
			{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: at(1)},
		},
	}
	for i := range p.Spec.Containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, r.containerStatus(&p.Spec.Containers[i], at(5+i)))
	}
	return p
}

// podSpec is the set's, with the name of the token's volume.
func (r *replicas) podSpec(access string) corev1.PodSpec {
	spec := r.set.spec
	spec.Volumes = slices.Clone(spec.Volumes)
	spec.Volumes[len(spec.Volumes)-1].Name = access
	spec.Containers = slices.Clone(spec.Containers)
	for i := range spec.Containers {
		mounts := slices.Clone(spec.Containers[i].VolumeMounts)
		mounts[len(mounts)-1].Name = access
		spec.Containers[i].VolumeMounts = mounts
	}
	return spec
}

func (r *replicas) containerStatus(c *corev1.Container, started metav1.Time) corev1.ContainerStatus {
	repository, _, _ := strings.Cut(c.Image, ":")
	return corev1.ContainerStatus{
		Name: c.Name, Ready: true, Started: new(true), RestartCount: 1,
		State:              corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
		Image:              c.Image,
		ImageID:            repository + "@sha256:" + digestOf(c.Image),
		ContainerID:        "containerd://" + r.hex(64),
		Resources:          &c.Resources,
		AllocatedResources: c.Resources.Requests,
	}
}

// digestOf is the same for all pods that have the image.
func digestOf(image string) string {
	h := fnv.New64a()
	h.Write([]byte(image))
	return digits(int(h.Sum64()), 64)
}

// controllerFields is the field set that the ReplicaSet controller owns.
func controllerFields(s *replicaSet, uid types.UID) string {
	var containers []string
	for _, c := range s.spec.Containers {
		containers = append(containers, containerFields(c))
	}
	return `{"f:metadata":{"f:annotations":{".":{}` + keyFields(s.meta.Annotations) + `},"f:generateName":{},"f:labels":{".":{}` +
		keyFields(s.meta.Labels) + `},"f:ownerReferences":{".":{},"k:{\"uid\":\"` + string(uid) + `\"}":{}}},"f:spec":{"f:containers":{` +
		strings.Join(containers, ",") + `},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},` +
		`"f:securityContext":{".":{},"f:fsGroup":{},"f:runAsNonRoot":{},"f:runAsUser":{}},"f:serviceAccount":{},` +
		`"f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},` +
		`"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}`
}

func keyFields(values map[string]string) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, `,"f:%s":{}`, key)
	}
	return b.String()
}

func containerFields(c corev1.Container) string {
	var b strings.Builder
	fmt.Fprintf(&b, `"k:{\"name\":\"%s\"}":{".":{},"f:image":{},"f:imagePullPolicy":{}`, c.Name)
	if len(c.Env) > 0 {
		b.WriteString(`,"f:args":{},"f:env":{".":{}`)
		for _, e := range c.Env {
			fmt.Fprintf(&b, `,"k:{\"name\":\"%s\"}":{".":{},"f:name":{},"f:value":{}}`, e.Name)
		}
		b.WriteByte('}')
	}
	if c.ReadinessProbe != nil {
		for _, kind := range []string{"liveness", "readiness"} {
			fmt.Fprintf(&b, `,"f:%sProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},`+
				`"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}}`, kind)
		}
		b.WriteString(`,"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/app\"}":{".":{},"f:mountPath":{},"f:name":{},"f:readOnly":{}}}`)
	}
	fmt.Fprintf(&b, `,"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":%d,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},`+
		`"f:name":{},"f:protocol":{}}}`, c.Ports[0].ContainerPort)
	b.WriteString(`,"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},` +
		`"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}`)
	return b.String()
}

// kubeletFields is the field set that the kubelet owns.
func kubeletFields(ip, hostIP string) string {
	var conditions []string
	for _, condition := range []string{"ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"} {
		conditions = append(conditions, fmt.Sprintf(
			`"k:{\"type\":\"%s\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}`, condition))
	}
	return fmt.Sprintf(`{"f:status":{"f:conditions":{%s},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{".":{},`+
		`"k:{\"ip\":\"%s\"}":{".":{},"f:ip":{}}},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},`+
		`"k:{\"ip\":\"%s\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`, strings.Join(conditions, ","), hostIP, ip)
}
