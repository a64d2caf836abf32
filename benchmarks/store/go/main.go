// The store of an informer, read and written at once: the twin of store.cc.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bench/contract"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

const (
	pods       = 100000
	namespaces = 100
	nodes      = 1000
	runTime    = 400 * time.Millisecond
)

func makePod(i int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint("web-5d9f8b7c6-", i), Namespace: fmt.Sprint("ns-", i%namespaces), ResourceVersion: fmt.Sprint(i),
		},
		Spec: corev1.PodSpec{NodeName: fmt.Sprint("node-", i%nodes)},
	}
}

func scatter(i int) int { return i * 7919 % pods }

func check(condition bool) {
	if !condition {
		panic("wrong result")
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func count(list []interface{}, expected int) {
	n := 0
	for _, obj := range list {
		if obj != nil {
			n++
		}
	}
	check(n == expected)
}

type operation struct {
	name string
	run  func(store cache.Indexer, keys []string, i int)
}

var operations = []operation{
	{"get", func(store cache.Indexer, keys []string, i int) {
		_, exists, _ := store.GetByKey(keys[scatter(i)])
		check(exists)
	}},
	{"get_and_look", func(store cache.Indexer, keys []string, i int) {
		obj, exists, _ := store.GetByKey(keys[scatter(i)])
		check(exists && obj.(*corev1.Pod).ResourceVersion != "")
	}},
	{"list_all", func(store cache.Indexer, _ []string, _ int) { count(store.List(), pods) }},
	{"list_namespace", func(store cache.Indexer, _ []string, i int) {
		list, err := store.ByIndex(cache.NamespaceIndex, fmt.Sprint("ns-", i%namespaces))
		must(err)
		count(list, pods/namespaces)
	}},
	{"by_index", func(store cache.Indexer, _ []string, i int) {
		list, err := store.ByIndex("node", fmt.Sprint("node-", i%nodes))
		must(err)
		count(list, pods/nodes)
	}},
}

func write(store cache.Indexer, objects []*corev1.Pod, rate int, stop *atomic.Bool) int {
	writes := 0
	if rate < 0 {
		return 0
	}
	start := time.Now()
	for !stop.Load() {
		if rate > 0 {
			time.Sleep(time.Duration(float64(writes)/float64(rate)*1e9) - time.Since(start))
		}
		must(store.Update(objects[scatter(writes)]))
		writes++
	}
	return writes
}

func run(store cache.Indexer, objects []*corev1.Pod, keys []string, op *operation, readers, rate int) (reads, writes float64) {
	var stop atomic.Bool
	var total atomic.Int64
	var written int
	var group sync.WaitGroup
	start := time.Now()
	group.Add(1 + readers)
	go func() {
		defer group.Done()
		written = write(store, objects, rate, &stop)
	}()
	for r := 0; r < readers; r++ {
		go func() {
			defer group.Done()
			n := 0
			for ; !stop.Load(); n++ {
				op.run(store, keys, r*1000+n)
			}
			total.Add(int64(n))
		}()
	}
	time.Sleep(runTime)
	stop.Store(true)
	group.Wait()
	seconds := time.Since(start).Seconds()
	return float64(total.Load()) / seconds, float64(written) / seconds
}

func main() {
	var report contract.Report
	objects := make([]*corev1.Pod, pods)
	keys := make([]string, pods)
	for i := range objects {
		objects[i] = makePod(i)
		keys[i] = fmt.Sprintf("ns-%d/web-5d9f8b7c6-%d", i%namespaces, i)
	}
	empty := contract.Measure()
	store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, pod := range objects {
		must(store.Add(pod))
	}
	withNamespaces := contract.Measure()
	must(store.AddIndexers(cache.Indexers{"node": func(obj interface{}) ([]string, error) {
		return []string{obj.(*corev1.Pod).Spec.NodeName}, nil
	}}))
	withNodes := contract.Measure()
	report.Add("bytes_an_object", "B", float64(withNamespaces.RSSAnonBytes-empty.RSSAnonBytes)/pods)
	report.Add("bytes_an_object_of_an_index", "B", float64(withNodes.RSSAnonBytes-withNamespaces.RSSAnonBytes)/pods)
	list := make([]interface{}, pods)
	for i, pod := range objects {
		list[i] = pod
	}
	start := time.Now()
	must(store.Replace(list, "1"))
	report.Add("replace", "ms", float64(time.Since(start).Nanoseconds())/1e6)
	_, writes := run(store, objects, keys, nil, 0, 0)
	report.Add("write_alone", "us", 1e6/writes)
	for i := range operations {
		op := &operations[i]
		for _, readers := range []int{1, 8} {
			for _, writer := range []struct {
				name string
				rate int
			}{{"", -1}, {"_1000_writes", 1000}, {"_busy", 0}} {
				reads, writes := run(store, objects, keys, op, readers, writer.rate)
				part := fmt.Sprint(op.name, "_", readers, writer.name)
				report.Add(part, "us", 1e6/reads)
				if writer.rate == 0 {
					report.Add(part+"_write", "us", 1e6/max(writes, 1))
				}
			}
		}
	}
	report.Print()
}
