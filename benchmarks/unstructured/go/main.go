// Custom resources in Go: unstructured.Unstructured, as the dynamic client reads and writes them.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"bench/contract"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
)

// atLeast is how long each part is repeated.
const atLeast = 500 * time.Millisecond

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "unstructured:", err)
		os.Exit(1)
	}
}

// load maps the file instead of reading it: what lies in Go's heap would make its collections seldom.
func load(path string) (records [][]byte, list []byte) {
	file, err := os.Open(path)
	check(err)
	info, err := file.Stat()
	check(err)
	data, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	check(err)
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

func decode(record []byte) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	_, _, err := unstructured.UnstructuredJSONScheme.Decode(record, nil, object)
	check(err)
	return object
}

func encode(object apiruntime.Object) []byte {
	var out bytes.Buffer
	check(unstructured.UnstructuredJSONScheme.Encode(object, &out))
	return out.Bytes()
}

type bench struct {
	records [][]byte
	objects []*unstructured.Unstructured // as many; each pass of decode and copy replaces every one
	report  contract.Report
}

func (b *bench) per(total int64) float64 { return float64(total) / float64(len(b.records)) }

func (b *bench) decodeAll() {
	for i, record := range b.records {
		b.objects[i] = decode(record)
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
	b.report.Add(name, "ns", b.per(int64(wall)/passes))
	b.report.Add(name+"_cpu", "ns", b.per(int64(used)/passes))
	if bytes > 0 {
		b.report.Add(name+"_rate", "MB/s", float64(bytes*passes)/float64(wall)*1e3)
	}
}

func newBench(path string) (*bench, []byte, int64) {
	records, list := load(path)
	b := &bench{records: records, objects: make([]*unstructured.Unstructured, len(records))}
	var size int64
	for _, record := range records {
		size += int64(len(record))
	}
	return b, list, size
}

func resources(folder string) {
	b, list, size := newBench(filepath.Join(folder, "resources.json"))
	emptyHeap, empty := liveHeap(), contract.Measure()
	b.decodeAll()
	b.report.Add("heap", "B", b.per(liveHeap()-emptyHeap))
	b.report.Add("rss", "B", b.per(contract.Measure().RSSAnonBytes-empty.RSSAnonBytes))
	for i, object := range b.objects {
		if !bytes.Equal(bytes.TrimSuffix(encode(object), []byte("\n")), b.records[i]) {
			check(fmt.Errorf("object %d: encoded, it is not what was decoded", i))
		}
	}
	b.time("decode", size, b.decodeAll)
	b.time("encode", size, func() {
		for _, object := range b.objects {
			encode(object)
		}
	})
	b.time("copy", 0, func() {
		for i, object := range b.objects {
			b.objects[i] = object.DeepCopy()
		}
	})
	b.time("decode_list", int64(len(list)), func() {
		_, _, err := unstructured.UnstructuredJSONScheme.Decode(list, nil, &unstructured.UnstructuredList{})
		check(err)
	})
	b.report.Print()
}

func deployments(folder string) {
	b, _, _ := newBench(filepath.Join(folder, "deployments.json"))
	b.decodeAll()
	typed := make([]*appsv1.Deployment, len(b.records))
	b.time("to_typed", 0, func() {
		for i, object := range b.objects {
			typed[i] = &appsv1.Deployment{}
			check(apiruntime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed[i]))
		}
	})
	b.time("from_typed", 0, func() {
		for i, deployment := range typed {
			content, err := apiruntime.DefaultUnstructuredConverter.ToUnstructured(deployment)
			check(err)
			b.objects[i].Object = content
		}
	})
	b.report.Print()
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: unstructured FOLDER resources|deployments")
		os.Exit(2)
	}
	if os.Args[2] == "resources" {
		resources(os.Args[1])
	} else {
		deployments(os.Args[1])
	}
}
