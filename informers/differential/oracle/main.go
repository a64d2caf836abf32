// Command cache_oracle answers what client-go's stores and queues do. A request is a function's name, a tab, and a script in
// hexadecimal; an answer is what each word of the script said, with a blank between.
//
//	store	a cache.Indexer with the index "namespace"
//	queue	a cache.RealFIFO as informers make it
//
// An object is NAMESPACE|NAME|NODE|FINALIZER,FINALIZER|VERSION. Words for a store: A, U, D and an object: Add, Update, Delete;
// R VERSION=OBJECT;OBJECT Replace; T A OBJECT;D OBJECT Transaction; B VERSION Bookmark; N and F add the indexes "node" and "finalizer".
// Questions: G KEY, L, K, I INDEX=VALUE, X INDEX=VALUE (IndexKeys), V INDEX, O INDEX=OBJECT (Index), v (the version).
// Words for a queue: a, u, d and a name; R VERSION=NAME,NAME; y Resync; b VERSION Bookmark; p pops a batch; h HasSynced; c closes.
package main

import (
	"fmt"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"kube/tests/oracle"
)

func parse(spec string) *corev1.Pod {
	parts := strings.Split(spec, "|")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: parts[0], Name: parts[1], ResourceVersion: parts[4]},
		Spec:       corev1.PodSpec{NodeName: parts[2]},
	}
	if parts[3] != "" {
		pod.Finalizers = strings.Split(parts[3], ",")
	}
	return pod
}

func describe(obj interface{}) string {
	pod := obj.(*corev1.Pod)
	return pod.Namespace + "/" + pod.Name + "@" + pod.ResourceVersion
}

func set(texts []string) string {
	sort.Strings(texts)
	return "{" + strings.Join(texts, ",") + "}"
}

func objects(list []interface{}, err error) string {
	if err != nil {
		return strings.ReplaceAll("error:"+err.Error(), " ", "_")
	}
	texts := []string{}
	for _, obj := range list {
		texts = append(texts, describe(obj))
	}
	return set(texts)
}

func keys(list []string, err error) string {
	if err != nil {
		return strings.ReplaceAll("error:"+err.Error(), " ", "_")
	}
	return "[" + strings.Join(list, ",") + "]"
}

func result(err error) string {
	if err != nil {
		return "error"
	}
	return "ok"
}

func byNode(obj interface{}) ([]string, error) {
	if node := obj.(*corev1.Pod).Spec.NodeName; node != "" {
		return []string{node}, nil
	}
	return nil, nil
}

func byFinalizer(obj interface{}) ([]string, error) { return obj.(*corev1.Pod).Finalizers, nil }

func transaction(script string) []cache.Transaction {
	var txns []cache.Transaction
	for _, spec := range strings.Split(script, ";") {
		kind := cache.TransactionTypeUpdate
		if spec[0] == 'D' {
			kind = cache.TransactionTypeDelete
		}
		txns = append(txns, cache.Transaction{Type: kind, Object: parse(spec[1:])})
	}
	return txns
}

func playStore(store cache.Indexer, word string) string {
	rest := word[1:]
	left, right, _ := strings.Cut(rest, "=")
	switch word[0] {
	case 'A':
		return result(store.Add(parse(rest)))
	case 'U':
		return result(store.Update(parse(rest)))
	case 'D':
		return result(store.Delete(parse(rest)))
	case 'R':
		var list []interface{}
		for _, spec := range strings.Split(right, ";") {
			if spec != "" {
				list = append(list, parse(spec))
			}
		}
		return result(store.Replace(list, left))
	case 'T':
		if err := store.(cache.TransactionStore).Transaction(transaction(rest)...); err != nil {
			return "error"
		}
		return "ok"
	case 'B':
		store.Bookmark(rest)
		return "ok"
	case 'N':
		return result(store.AddIndexers(cache.Indexers{"node": byNode}))
	case 'F':
		return result(store.AddIndexers(cache.Indexers{"finalizer": byFinalizer}))
	case 'G':
		obj, exists, err := store.GetByKey(rest)
		if err != nil || !exists {
			return "-"
		}
		return describe(obj)
	case 'L':
		return objects(store.List(), nil)
	case 'K':
		return set(store.ListKeys())
	case 'I':
		return objects(store.ByIndex(left, right))
	case 'X':
		return keys(store.IndexKeys(left, right))
	case 'V':
		return set(store.ListIndexFuncValues(rest))
	case 'O':
		return objects(store.Index(left, parse(right)))
	case 'v':
		return "rv:" + store.LastStoreSyncResourceVersion()
	}
	return "?"
}

type queue struct {
	fifo   *cache.RealFIFO
	length int
	closed bool
}

func namedPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func (q *queue) push(err error) string {
	q.length++
	return result(err)
}

func (q *queue) pop() string {
	if q.length == 0 && !q.closed {
		return "empty"
	}
	var texts []string
	batch := func(deltas []cache.Delta, isInInitialList bool) error {
		if isInInitialList {
			texts = append(texts, "initial")
		}
		for _, d := range deltas {
			q.length--
			text := string(d.Type)
			switch o := d.Object.(type) {
			case *corev1.Pod:
				text += ":" + o.Name
			case cache.ReplacedAllInfo:
				text += ":" + o.ResourceVersion
				for _, obj := range o.Objects {
					text += ":" + obj.(*corev1.Pod).Name
				}
			case cache.BookmarkInfo:
				text += ":" + o.ResourceVersion
			}
			texts = append(texts, text)
		}
		return nil
	}
	err := q.fifo.PopBatch(batch, func(obj interface{}, isInInitialList bool) error {
		return batch(obj.(cache.Deltas), isInInitialList)
	})
	if err != nil {
		return "closed"
	}
	return strings.Join(texts, ",")
}

func (q *queue) play(word string) string {
	rest := word[1:]
	switch word[0] {
	case 'a':
		return q.push(q.fifo.Add(namedPod(rest)))
	case 'u':
		return q.push(q.fifo.Update(namedPod(rest)))
	case 'd':
		return q.push(q.fifo.Delete(namedPod(rest)))
	case 'R':
		version, names, _ := strings.Cut(rest, "=")
		list := []interface{}{}
		for _, name := range strings.Split(names, ",") {
			if name != "" {
				list = append(list, namedPod(name))
			}
		}
		return q.push(q.fifo.Replace(list, version))
	case 'y':
		return q.push(q.fifo.Resync())
	case 'b':
		return q.push(q.fifo.Bookmark(rest))
	case 'p':
		return q.pop()
	case 'h':
		return fmt.Sprint(q.fifo.HasSynced())
	case 'c':
		q.closed = true
		q.fifo.Close()
		return "ok"
	}
	return "?"
}

func main() {
	oracle.ServeAll(func(function, script string) (string, error) {
		var play func(word string) string
		switch function {
		case "store":
			store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
			play = func(word string) string { return playStore(store, word) }
		case "queue":
			q := &queue{fifo: cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
				AtomicEvents: true, UnlockWhileProcessing: true, EmitDeltaTypeBookmark: true,
			})}
			play = q.play
		default:
			return "", fmt.Errorf("no function %q", function)
		}
		var answers []string
		for _, word := range strings.Fields(script) {
			answers = append(answers, play(word))
		}
		return strings.Join(answers, " "), nil
	})
}
