// Pods, and the objects of set M, in Go: what client-go uses to read and write them, or the plain functions below that.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"time"

	"bench/contract"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// atLeast is how long each part is repeated.
const atLeast = 500 * time.Millisecond

// codec fills an object, or a PodList, from a record, and makes one of it.
type codec struct {
	file   string // the format's name in the data
	decode func([]byte, apiruntime.Object) error
	encode func(apiruntime.Object) ([]byte, error)
}

type kind struct {
	version schema.GroupVersion
	new     func() apiruntime.Object
}

// The kinds of the data: a client of each has its own encoder.
var kinds = map[string]kind{
	"ConfigMap":                {corev1.SchemeGroupVersion, func() apiruntime.Object { return &corev1.ConfigMap{} }},
	"CustomResourceDefinition": {apiextensionsv1.SchemeGroupVersion, func() apiruntime.Object { return &apiextensionsv1.CustomResourceDefinition{} }},
	"Deployment":               {appsv1.SchemeGroupVersion, func() apiruntime.Object { return &appsv1.Deployment{} }},
	"Event":                    {corev1.SchemeGroupVersion, func() apiruntime.Object { return &corev1.Event{} }},
	"Lease":                    {coordinationv1.SchemeGroupVersion, func() apiruntime.Object { return &coordinationv1.Lease{} }},
	"Node":                     {corev1.SchemeGroupVersion, func() apiruntime.Object { return &corev1.Node{} }},
	"Pod":                      {corev1.SchemeGroupVersion, func() apiruntime.Object { return &corev1.Pod{} }},
	"Secret":                   {corev1.SchemeGroupVersion, func() apiruntime.Object { return &corev1.Secret{} }},
}

// clientGo is what the typed clients do with a response and with the body of a request.
func clientGo(file, mediaType string) codec {
	info, _ := apiruntime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
	factory := scheme.Codecs.WithoutConversion()
	decoder := factory.DecoderToVersion(info.Serializer, corev1.SchemeGroupVersion)
	encoders := map[reflect.Type]apiruntime.Encoder{}
	for _, t := range kinds {
		encoders[reflect.TypeOf(t.new())] = factory.EncoderForVersion(info.Serializer, t.version)
	}
	return codec{
		file: file,
		decode: func(record []byte, o apiruntime.Object) error {
			_, _, err := decoder.Decode(record, nil, o)
			return err
		},
		encode: func(o apiruntime.Object) ([]byte, error) { return apiruntime.Encode(encoders[reflect.TypeOf(o)], o) },
	}
}

var codecs = map[string]codec{
	"client-go/protobuf": clientGo("protobuf_envelope", apiruntime.ContentTypeProtobuf),
	"client-go/json":     clientGo("json", apiruntime.ContentTypeJSON),
	"plain/protobuf": {
		"protobuf",
		func(record []byte, o apiruntime.Object) error {
			return o.(interface{ Unmarshal([]byte) error }).Unmarshal(record)
		},
		func(o apiruntime.Object) ([]byte, error) { return o.(interface{ Marshal() ([]byte, error) }).Marshal() },
	},
	"plain/json": {
		"json",
		func(record []byte, o apiruntime.Object) error { return json.Unmarshal(record, o) },
		func(o apiruntime.Object) ([]byte, error) { return json.Marshal(o) },
	},
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "codec:", err)
		os.Exit(1)
	}
}

// load maps the file instead of reading it: what lies in Go's heap would make its collections seldom.
func load(path string) (objects [][]byte, last []byte) {
	file, err := os.Open(path)
	check(err)
	info, err := file.Stat()
	check(err)
	data, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	check(err)
	var records [][]byte
	for size := binary.LittleEndian.Uint32(data); size > 0; size = binary.LittleEndian.Uint32(data) {
		records = append(records, data[4:4+size])
		data = data[4+size:]
	}
	return records[:len(records)-1], records[len(records)-1]
}

func cpu() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

type bench struct {
	codec
	records [][]byte
	kinds   []kind              // of the records
	bytes   int64               // of all records
	objects []apiruntime.Object // as many, from the first pass on; each pass replaces every one
	report  contract.Report
}

func (b *bench) perObject(total int64) float64 { return float64(total) / float64(len(b.records)) }

func (b *bench) decodeAll() {
	for i, record := range b.records {
		object := b.kinds[i].new()
		check(b.decode(record, object))
		b.objects[i] = object
	}
}

// time adds the nanoseconds an object of passes over all objects. The first one does not count, unless it takes long. bytes is what
// a pass reads or writes; if not zero, it adds the rate too.
func (b *bench) time(name string, bytes int64, pass func()) {
	runtime.GC()
	passes, start, startCPU := int64(1), time.Now(), cpu()
	pass()
	if time.Since(start) < atLeast {
		passes, start, startCPU = 0, time.Now(), cpu()
	}
	for time.Since(start) < atLeast {
		pass()
		passes++
	}
	wall, used := time.Since(start), cpu()-startCPU
	b.report.Add(name, "ns", b.perObject(int64(wall)/passes))
	b.report.Add(name+"_cpu", "ns", b.perObject(int64(used)/passes))
	if bytes > 0 {
		b.report.Add(name+"_rate", "MB/s", float64(bytes*passes)/float64(wall)*1e3)
	}
}

func (b *bench) memory() {
	emptyHeap, empty := liveHeap(), contract.Measure()
	b.decodeAll()
	b.report.Add("heap", "B", b.perObject(liveHeap()-emptyHeap))
	b.report.Add("rss", "B", b.perObject(contract.Measure().RSSAnonBytes-empty.RSSAnonBytes))
}

// verify compares what comes out with what came in.
func (b *bench) verify() {
	for i, object := range b.objects {
		out, err := b.encode(object)
		check(err)
		// JSON comes with a line feed; in protobuf the last byte may look like one.
		if !bytes.Equal(out, b.records[i]) && !bytes.Equal(bytes.TrimSuffix(out, []byte("\n")), b.records[i]) {
			check(fmt.Errorf("object %d: encoded, it is not what was decoded", i))
		}
	}
}

// kindsOf tells what the records are, by the last one, which is a PodList or, in the set M, the names of their kinds.
func kindsOf(set string, count int, last []byte) (found []kind, list []byte) {
	names := make([]string, count)
	if list = last; set == "M" {
		names, list = strings.Split(string(last), "\n"), nil
	}
	for _, name := range names {
		if name == "" {
			name = "Pod"
		}
		found = append(found, kinds[name])
	}
	return found, list
}

// run leaves out what is the same for every codec of the same types, unless it is asked for it. The set M has no list.
func (b *bench) run(list []byte, everything bool) {
	b.memory()
	b.verify()
	b.time("decode", b.bytes, b.decodeAll)
	b.time("encode", b.bytes, func() {
		for _, object := range b.objects {
			_, err := b.encode(object)
			check(err)
		}
	})
	if everything && list != nil {
		b.time("decode_list", 0, func() { check(b.decode(list, &corev1.PodList{})) })
		b.time("copy", 0, func() {
			for i, object := range b.objects {
				b.objects[i] = object.DeepCopyObject()
			}
		})
	}
	b.report.Print()
}

func main() {
	utilruntime.Must(apiextensionsv1.AddToScheme(scheme.Scheme))
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: codec client-go|plain FOLDER SET FORMAT")
		os.Exit(2)
	}
	c, ok := codecs[os.Args[1]+"/"+os.Args[4]]
	if !ok {
		check(fmt.Errorf("find a codec: no %s of %s", os.Args[4], os.Args[1]))
	}
	b := &bench{codec: c}
	records, last := load(filepath.Join(os.Args[2], os.Args[3]+"."+c.file))
	b.records, b.objects = records, make([]apiruntime.Object, len(records))
	var list []byte
	b.kinds, list = kindsOf(os.Args[3], len(records), last)
	for _, record := range records {
		b.bytes += int64(len(record))
	}
	b.run(list, os.Args[1] == "client-go")
}
