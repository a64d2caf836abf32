package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"bench/contract"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// Pods of ReplicaSets of nine, of which the controller owns what it copies from its template, and the kubelet the status. pods.json
// has them as the API server sends them in JSON, bare_pods.json without managedFields.
//
// A file holds records: four bytes of length, little-endian, and that many bytes. The last record says nothing. Behind it stand a
// length of zero and zeros that a parser may read beyond the end.
const (
	podCount = 10_000
	setSize  = 9
	padding  = 64
)

type podMaker struct {
	*rand.Rand
	set     object // a pod as the controller creates it, of the present set
	entries []metav1.ManagedFieldsEntry
}

func (m *podMaker) text(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(out)
}

func (m *podMaker) word(n int) string { return m.text("bcdfghjklmnpqrstvwxz2456789", n) }
func (m *podMaker) hex(n int) string  { return m.text("0123456789abcdef", n) }

func (m *podMaker) uid() string {
	return m.hex(8) + "-" + m.hex(4) + "-4" + m.hex(3) + "-a" + m.hex(3) + "-" + m.hex(12)
}

// newSet makes another template, and what the controller owns of its pods.
func (m *podMaker) newSet(i int) {
	name, hash := fmt.Sprintf("service-%d", i), m.word(10)
	containers := list{
		container("app", "registry.example.com/"+name+":1."+fmt.Sprint(m.IntN(90)), 5),
		container("proxy", "registry.example.com/proxy:2.7", 3)}
	for _, each := range containers {
		setDefaults(each.(object))
	}
	labels := object{"app.kubernetes.io/name": name, "app.kubernetes.io/instance": name + "-" + m.word(4), "pod-template-hash": hash}
	m.set = object{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": object{"generateName": name + "-" + hash + "-", "namespace": fmt.Sprintf("team-%03d", i%240), "labels": labels,
			"annotations": object{"checksum/config": m.hex(64), "prometheus.io/scrape": "true"},
			"ownerReferences": list{object{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "ReplicaSet",
				"name": name + "-" + hash, "uid": m.uid()}}},
		"spec": object{"containers": containers, "dnsPolicy": "ClusterFirst", "enableServiceLinks": true, "restartPolicy": "Always",
			"schedulerName": "default-scheduler", "securityContext": object{"runAsNonRoot": true}, "serviceAccount": name,
			"serviceAccountName": name, "terminationGracePeriodSeconds": 30,
			"volumes": list{object{"configMap": object{"defaultMode": 420, "name": name}, "name": "config"}}},
	}
	created := toUnstructured(m.set)
	empty := toUnstructured(object{"apiVersion": "v1", "kind": "Pod"})
	must(newManager(podKind, "").Update(empty, created, "kube-controller-manager"))
	m.entries = created.GetManagedFields()
}

// next is a pod that runs.
func (m *podMaker) next(i int) *corev1.Pod {
	if i%setSize == 0 {
		m.newSet(i / setSize)
	}
	at := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(m.IntN(60*24*3600)) * time.Second)
	bound := toUnstructured(m.set)
	bound.SetName(bound.GetGenerateName() + m.word(5))
	bound.SetUID(apitypes.UID(m.uid()))
	bound.SetResourceVersion(fmt.Sprint(1_000_000_000 + i))
	bound.SetCreationTimestamp(metav1.NewTime(at))
	bound.SetManagedFields(m.entries)
	spec := bound.Object["spec"].(object)
	node := m.IntN(1000)
	spec["nodeName"] = fmt.Sprintf("node-%d", node)
	// Admission adds the token's volume, which nobody owns.
	access := "kube-api-access-" + m.word(5)
	spec["volumes"] = append(spec["volumes"].(list), object{"name": access, "projected": object{"defaultMode": int64(420),
		"sources": list{object{"serviceAccountToken": object{"expirationSeconds": int64(3607), "path": "token"}}}}})
	for _, each := range spec["containers"].(list) {
		c := each.(object)
		c["volumeMounts"] = append(c["volumeMounts"].(list), object{"name": access, "readOnly": true,
			"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"})
	}
	running := bound.DeepCopy()
	running.Object["status"] = m.status(spec["containers"].(list), node, at)
	running = must(newManager(podKind, "status").Update(bound, toUnstructured(running.Object), "kubelet")).(*unstructured.Unstructured)
	setTimes(running, at)
	pod := &corev1.Pod{}
	check(apiruntime.DefaultUnstructuredConverter.FromUnstructured(running.Object, pod))
	return pod
}

func (m *podMaker) status(containers list, node int, created time.Time) object {
	at := created.Add(15 * time.Second).Format(time.RFC3339)
	ip := fmt.Sprintf("10.%d.%d.%d", 64+m.IntN(64), m.IntN(256), 1+m.IntN(254))
	hostIP := fmt.Sprintf("172.20.%d.%d", node/250, 1+node%250)
	conditions, statuses := list{}, list{}
	for _, condition := range []string{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		conditions = append(conditions, object{"type": condition, "status": "True", "lastProbeTime": nil, "lastTransitionTime": at})
	}
	for _, each := range containers {
		c := each.(object)
		statuses = append(statuses, object{"name": c["name"], "image": c["image"], "imageID": "sha256:" + m.hex(64),
			"containerID": "containerd://" + m.hex(64), "ready": true, "started": true, "restartCount": 0,
			"state": object{"running": object{"startedAt": at}}})
	}
	return object{"conditions": conditions, "containerStatuses": statuses, "hostIP": hostIP, "hostIPs": list{object{"ip": hostIP}},
		"observedGeneration": 1, "phase": "Running", "podIP": ip, "podIPs": list{object{"ip": ip}}, "qosClass": "Burstable", "startTime": at}
}

func writeRecords(path string, records [][]byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	for _, record := range append(records, []byte("{}")) {
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(record))))
		out.Write(record)
	}
	out.Write(make([]byte, 4+padding))
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func writePods(folder string) error {
	maker := &podMaker{Rand: rand.New(rand.NewPCG(1, 2))}
	var pods, bare [][]byte
	for i := range podCount {
		pod := maker.next(i)
		pods = append(pods, must(json.Marshal(pod)))
		pod.ManagedFields = nil
		bare = append(bare, must(json.Marshal(pod)))
	}
	if err := writeRecords(filepath.Join(folder, "pods.json"), pods); err != nil {
		return err
	}
	return writeRecords(filepath.Join(folder, "bare_pods.json"), bare)
}

// readRecords maps the file instead of reading it: what lies in Go's heap would be counted.
func readRecords(path string) (records [][]byte) {
	file := must(os.Open(path))
	size := int(must(file.Stat()).Size())
	data := must(syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_POPULATE))
	for size := binary.LittleEndian.Uint32(data); size > 0; size = binary.LittleEndian.Uint32(data) {
		records = append(records, data[4:4+size])
		data = data[4+size:]
	}
	return records[:len(records)-1]
}

func liveHeap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// hold decodes all pods as an informer does, and returns them with the heap that each takes.
func hold(path string) (pods []*corev1.Pod, heap float64) {
	records := readRecords(path)
	pods = make([]*corev1.Pod, len(records))
	info, _ := apiruntime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), apiruntime.ContentTypeJSON)
	decoder := scheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, corev1.SchemeGroupVersion)
	before := liveHeap()
	for i, record := range records {
		pods[i] = &corev1.Pod{}
		_, _, err := decoder.Decode(record, nil, pods[i])
		check(err)
	}
	heap = (liveHeap() - before) / float64(len(pods))
	return pods, heap
}

func measurePods(folder string) {
	bare, bareHeap := hold(filepath.Join(folder, "bare_pods.json"))
	pods, heap := hold(filepath.Join(folder, "pods.json"))
	for i := range pods {
		if len(pods[i].ManagedFields) != 2 || len(bare[i].ManagedFields) != 0 {
			check(fmt.Errorf("pod %d: %d and %d entries, expected 2 and 0", i, len(pods[i].ManagedFields), len(bare[i].ManagedFields)))
		}
	}
	var report contract.Report
	report.Add("heap", "B", heap)
	report.Add("heap_bare", "B", bareHeap)
	report.Add("heap_managed_fields", "B", heap-bareHeap)
	report.Print()
}
