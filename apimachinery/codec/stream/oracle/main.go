// stream_oracle: lists and watches as Kubernetes' own code writes and reads them.
//
//	stream_oracle write
//
// writes one line each of a name, a space and base64: "list.json", "list.protobuf", "empty.json", "empty.protobuf",
// "watch.json" and "watch.protobuf", and as "items" and "events" what is in them: a line of JSON each, those of events
// behind their type.
//
//	stream_oracle watch json|protobuf
//
// reads lines of base64, each a stream, and answers each with a line of base64: the events that client-go gets of it,
// and then "error" where it does not end well.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"

	"kube/tests/oracle"
)

var (
	version = schema.GroupVersion{Version: "v1"}
	scheme  = runtime.NewScheme()
	codecs  serializer.CodecFactory
)

func info(format string) runtime.SerializerInfo {
	mediaType := map[string]string{"json": runtime.ContentTypeJSON, "protobuf": runtime.ContentTypeProtobuf}[format]
	found, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	if !ok {
		oracle.Check(errors.New("no serializer of " + format))
	}
	return found
}

func pods() []corev1.Pod {
	var result []corev1.Pod
	for i := 0; i < 7; i++ {
		pod := corev1.Pod{}
		pod.Name = fmt.Sprintf("pod-%d", i)
		pod.Namespace = "default"
		pod.UID = "0a4fbe4c-6c35-4a2e-9d25-6f3a4a1c8f10"
		pod.ResourceVersion = fmt.Sprint(1000 + i)
		pod.CreationTimestamp = metav1.NewTime(time.Unix(1700000000+int64(i), 0).UTC())
		pod.Labels = map[string]string{"app": "web", "quote": "<\"\\>&\u2028", "name": "Ünïcödé 語 \U0001F600"}
		pod.Annotations = map[string]string{"long": strings.Repeat("{[\"x\\\"]} ", 20*i)}
		pod.Spec.Containers = []corev1.Container{{
			Name:  "main",
			Image: "registry.k8s.io/pause:3.9",
			Env:   []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: strings.Repeat("b", i)}},
		}}
		if i == 3 {
			pod = corev1.Pod{}
		}
		result = append(result, pod)
	}
	return result
}

func encode(format string, object runtime.Object) []byte {
	var out bytes.Buffer
	oracle.Check(codecs.EncoderForVersion(info(format).Serializer, version).Encode(object, &out))
	return out.Bytes()
}

func text(object runtime.Object) string {
	out, err := json.Marshal(object)
	oracle.Check(err)
	return string(out)
}

func events() []watch.Event {
	var result []watch.Event
	items := pods()
	for i, kind := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		result = append(result, watch.Event{Type: kind, Object: &items[2*i]})
	}
	bookmark := corev1.Pod{}
	bookmark.ResourceVersion = "12345"
	bookmark.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	result = append(result, watch.Event{Type: watch.Bookmark, Object: &bookmark})
	return append(result, watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status:  metav1.StatusFailure,
		Message: "too old resource version: 1 (2)",
		Reason:  metav1.StatusReasonExpired,
		Code:    410,
	}})
}

// As the API server's watch handler writes it.
func stream(format string) []byte {
	var out bytes.Buffer
	streamInfo := info(format).StreamSerializer
	writer := streamInfo.Framer.NewFrameWriter(&out)
	encoder := streaming.NewEncoder(writer, codecs.EncoderForVersion(streamInfo.Serializer, version))
	for _, event := range events() {
		raw := encode(format, event.Object)
		oracle.Check(encoder.Encode(&metav1.WatchEvent{Type: string(event.Type), Object: runtime.RawExtension{Raw: raw}}))
	}
	return out.Bytes()
}

func print(name string, data []byte) {
	fmt.Println(name, base64.StdEncoding.EncodeToString(data))
}

func write() {
	remaining := int64(5)
	list := &corev1.PodList{Items: pods()}
	list.ResourceVersion, list.Continue, list.RemainingItemCount = "98765", "a token", &remaining
	for _, format := range []string{"json", "protobuf"} {
		print("list."+format, encode(format, list))
		print("empty."+format, encode(format, &corev1.PodList{}))
		print("watch."+format, stream(format))
	}
	var items, happened strings.Builder
	for i := range list.Items {
		items.WriteString(text(&list.Items[i]) + "\n")
	}
	for _, event := range events() {
		happened.WriteString(string(event.Type) + " " + text(event.Object) + "\n")
	}
	print("items", []byte(items.String()))
	print("events", []byte(happened.String()))
}

// As rest/watch.Decoder and watch.StreamWatcher of client-go do.
func read(format string, data []byte) string {
	streamInfo := info(format).StreamSerializer
	reader := streamInfo.Framer.NewFrameReader(io.NopCloser(bytes.NewReader(data)))
	decoder := streaming.NewDecoder(reader, streamInfo.Serializer)
	embedded := codecs.WithoutConversion().DecoderToVersion(info(format).Serializer, version)
	var out strings.Builder
	for {
		var event metav1.WatchEvent
		if _, _, err := decoder.Decode(nil, &event); err != nil {
			if !errors.Is(err, io.EOF) {
				out.WriteString("error\n")
			}
			return out.String()
		}
		object, err := runtime.Decode(embedded, event.Object.Raw)
		if err != nil {
			out.WriteString("error\n")
			return out.String()
		}
		out.WriteString(event.Type + " " + text(object) + "\n")
	}
}

func main() {
	metav1.AddToGroupVersion(scheme, version)
	oracle.Check(corev1.AddToScheme(scheme))
	codecs = serializer.NewCodecFactory(scheme)
	if os.Args[1] == "write" {
		write()
		return
	}
	oracle.ServeLines(func(line string) string {
		data, err := base64.StdEncoding.DecodeString(line)
		oracle.Check(err)
		return base64.StdEncoding.EncodeToString([]byte(read(os.Args[2], data))) + "\n"
	})
}
