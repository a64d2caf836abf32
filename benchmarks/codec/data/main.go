// Writes the data of tools/bench codec: 10,000 pods in three sets, each in JSON and in protobuf. The same bytes every time.
//
//	SET.protobuf           the bare messages
//	SET.protobuf_envelope  the same as the API server sends them: behind "k8s\0" and in a runtime.Unknown
//	SET.json
//
// A file holds records: four bytes of length, little-endian, and that many bytes. The last record is the PodList of all pods,
// those before it are the pods. Behind it stand a length of zero and zeros that a parser may read beyond the end.
//
// A and B are Deployments of forty replicas; B adds what no two pods share: the volume of the service account's token, with a
// random name, and its mounts. R is ReplicaSets of very different sizes, nine pods each on average, written as a busy cluster has them.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	podCount = 10000
	padding  = 64 // bytes that a parser may read beyond the end
)

var typeOfPod = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}

func pods(next func(i int) *corev1.Pod) *corev1.PodList {
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "2000000000"}}
	for i := range podCount {
		list.Items = append(list.Items, *next(i))
	}
	return list
}

// encoder encodes as client-go and the API server do.
func encoder(mediaType string) func(runtime.Object) ([]byte, error) {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
	if !ok {
		panic("no serializer of " + mediaType)
	}
	codec := scheme.Codecs.WithoutConversion().EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion)
	return func(o runtime.Object) ([]byte, error) {
		data, err := runtime.Encode(codec, o)
		return bytes.TrimSuffix(data, []byte("\n")), err
	}
}

func bare(o runtime.Object) ([]byte, error) {
	return o.(interface{ Marshal() ([]byte, error) }).Marshal()
}

// write returns the bytes of the pods and of the list.
func write(path string, list *corev1.PodList, encode func(runtime.Object) ([]byte, error)) (sizes [2]int, err error) {
	file, err := os.Create(path)
	if err != nil {
		return sizes, err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	for i := range podCount + 1 {
		object, kind := runtime.Object(list), 1
		if i < podCount {
			pod := list.Items[i]
			pod.TypeMeta = typeOfPod
			object, kind = &pod, 0
		}
		record, err := encode(object)
		if err != nil {
			return sizes, fmt.Errorf("encode record %d: %w", i, err)
		}
		sizes[kind] += len(record)
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(record))))
		out.Write(record)
	}
	out.Write(make([]byte, 4+padding))
	if err := out.Flush(); err != nil {
		return sizes, err
	}
	return sizes, file.Close()
}

func run(folder string) error {
	replicas := newReplicas(1)
	for _, set := range []struct {
		name string
		next func(i int) *corev1.Pod
	}{
		{"A", func(i int) *corev1.Pod { return deploymentPod(i, false) }},
		{"B", func(i int) *corev1.Pod { return deploymentPod(i, true) }},
		{"R", func(int) *corev1.Pod { return replicas.next() }},
	} {
		list := pods(set.next)
		for _, format := range []struct {
			name   string
			encode func(runtime.Object) ([]byte, error)
		}{
			{"protobuf", bare},
			{"protobuf_envelope", encoder(runtime.ContentTypeProtobuf)},
			{"json", encoder(runtime.ContentTypeJSON)},
		} {
			path := filepath.Join(folder, set.name+"."+format.name)
			sizes, err := write(path, list, format.encode)
			if err != nil {
				return fmt.Errorf("write %q: %w", path, err)
			}
			fmt.Printf("%s.%s: pods %d B, list %d B\n", set.name, format.name, sizes[0], sizes[1])
		}
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: data FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "data:", err)
		os.Exit(1)
	}
}
