// Writes the data of tools/bench codec: 10,000 objects in each of four sets, in JSON and in protobuf. The same bytes every time.
// With the name of a set, and a number of pods, it writes that set alone, for other benchmarks.
//
//	SET.protobuf           the bare messages
//	SET.protobuf_envelope  the same as the API server sends them: behind "k8s\0" and in a runtime.Unknown
//	SET.json
//
// A file holds records: four bytes of length, little-endian, and that many bytes. The last record is the PodList of all pods,
// those before it are the pods; in M it is the kinds of the objects before it, a line each. Behind it stand a length of zero and zeros that a parser may read beyond the end.
//
// A and B are Deployments of forty replicas; B adds what no two pods share: the volume of the service account's token, with a
// random name, and its mounts. R is ReplicaSets of very different sizes, nine pods each on average, written as a busy cluster has them.
// M is a cluster's objects of eight kinds in turn.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

const padding = 64 // bytes that a parser may read beyond the end

var podCount = 10000

var typeOfPod = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}

func pods(next func(i int) *corev1.Pod) *corev1.PodList {
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "2000000000"}}
	for i := range podCount {
		list.Items = append(list.Items, *next(i))
	}
	return list
}

// encoder encodes as client-go and the API server do.
func encoder(mediaType string, version schema.GroupVersion) func(runtime.Object) ([]byte, error) {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
	if !ok {
		panic("no serializer of " + mediaType)
	}
	codec := scheme.Codecs.WithoutConversion().EncoderForVersion(info.Serializer, version)
	return func(o runtime.Object) ([]byte, error) {
		data, err := runtime.Encode(codec, o)
		return bytes.TrimSuffix(data, []byte("\n")), err
	}
}

func bare(o runtime.Object) ([]byte, error) {
	return o.(interface{ Marshal() ([]byte, error) }).Marshal()
}

// encoderOfKinds encodes each object in its own group and version.
func encoderOfKinds(mediaType string) func(runtime.Object) ([]byte, error) {
	return func(o runtime.Object) ([]byte, error) {
		return encoder(mediaType, o.GetObjectKind().GroupVersionKind().GroupVersion())(o)
	}
}

type encode func(runtime.Object) ([]byte, error)

type format struct {
	name   string
	encode encode
}

var formats = []format{
	{"protobuf", bare},
	{"protobuf_envelope", encoderOfKinds(runtime.ContentTypeProtobuf)},
	{"json", encoderOfKinds(runtime.ContentTypeJSON)},
}

// podRecords are the pods and their list.
func podRecords(list *corev1.PodList, encode encode) (records [][]byte, err error) {
	for i := range podCount + 1 {
		object := runtime.Object(list)
		if i < podCount {
			pod := list.Items[i]
			pod.TypeMeta = typeOfPod
			object = &pod
		}
		record, err := encode(object)
		if err != nil {
			return nil, fmt.Errorf("encode record %d: %w", i, err)
		}
		records = append(records, record)
	}
	return records, nil
}

// mixedRecords are the objects and the names of their kinds.
func mixedRecords(objects []runtime.Object, names []string, encode encode) (records [][]byte, err error) {
	for i, object := range objects {
		record, err := encode(object)
		if err != nil {
			return nil, fmt.Errorf("encode %s %d: %w", names[i], i, err)
		}
		records = append(records, record)
	}
	return append(records, []byte(strings.Join(names, "\n"))), nil
}

func write(path string, records [][]byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	size := 0
	for _, record := range records {
		size += len(record)
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(record))))
		out.Write(record)
	}
	out.Write(make([]byte, 4+padding))
	if err := out.Flush(); err != nil {
		return err
	}
	last := len(records[len(records)-1])
	fmt.Printf("%s: objects %d B, last record %d B\n", filepath.Base(path), size-last, last)
	return file.Close()
}

func run(folder, only string) error {
	replicas := newReplicas(1)
	for _, set := range []struct {
		name string
		next func(i int) *corev1.Pod
	}{
		{"A", func(i int) *corev1.Pod { return deploymentPod(i, false) }},
		{"B", func(i int) *corev1.Pod { return deploymentPod(i, true) }},
		{"R", func(int) *corev1.Pod { return replicas.next() }},
	} {
		if only != "" && only != set.name {
			continue
		}
		list := pods(set.next)
		list.TypeMeta = metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}
		for _, format := range formats {
			records, err := podRecords(list, format.encode)
			if err != nil {
				return fmt.Errorf("set %s: %w", set.name, err)
			}
			if err := write(filepath.Join(folder, set.name+"."+format.name), records); err != nil {
				return err
			}
		}
	}
	if only != "" {
		return nil
	}
	objects, names := mixed(1)
	for _, format := range formats {
		records, err := mixedRecords(objects, names, format.encode)
		if err != nil {
			return fmt.Errorf("set M: %w", err)
		}
		if err := write(filepath.Join(folder, "M."+format.name), records); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	utilruntime.Must(apiextensionsv1.AddToScheme(scheme.Scheme))
	only := ""
	if len(os.Args) == 4 {
		only = os.Args[2]
		podCount, _ = strconv.Atoi(os.Args[3])
	}
	if podCount <= 0 || len(os.Args) != 2 && only == "" {
		fmt.Fprintln(os.Stderr, "usage: data FOLDER [SET PODS]")
		os.Exit(2)
	}
	if err := run(os.Args[1], only); err != nil {
		fmt.Fprintln(os.Stderr, "data:", err)
		os.Exit(1)
	}
}
