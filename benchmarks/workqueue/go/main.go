// What a key costs on its way through a work queue: the twin of workqueue.cc.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"bench/contract"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	keyCount = 50_000
	rounds   = 20
	million  = 1_000_000
)

func namespace(i int) string { return fmt.Sprint("ns-", i%100) }
func name(i int) string      { return fmt.Sprint("web-5d9f8b7c6-", i) }
func text(i int) string      { return fmt.Sprintf("ns-%d/web-5d9f8b7c6-%d", i%100, i) }

func objectName(i int) cache.ObjectName {
	return cache.ObjectName{Namespace: namespace(i), Name: name(i)}
}

func makeKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = text(i)
	}
	return keys
}

func check(condition bool) {
	if !condition {
		panic("wrong result")
	}
}

func each(start time.Time, n int) float64 {
	return float64(time.Since(start).Nanoseconds()) / float64(n)
}

// work takes a key and finishes it; false: there is none any more.
func work(queue workqueue.TypedInterface[string], length *int) bool {
	item, shutdown := queue.Get()
	if shutdown {
		return false
	}
	*length += len(item)
	queue.Done(item)
	return true
}

func measureBurst(keys []string, threads int) float64 {
	queue := workqueue.NewTyped[string]()
	var left atomic.Int64
	finished := make(chan struct{})
	var workers sync.WaitGroup
	starts := make([]chan struct{}, threads)
	for p := range starts {
		starts[p] = make(chan struct{})
		workers.Add(1)
		go func() {
			defer workers.Done()
			length := 0
			for work(queue, &length) {
				if left.Add(-1) == 0 {
					finished <- struct{}{}
				}
			}
		}()
		go func() {
			for range starts[p] {
				for i := p; i < len(keys); i += threads {
					queue.Add(keys[i])
				}
			}
		}()
	}
	var times []float64
	for round := 0; round <= rounds; round++ {
		left.Store(int64(len(keys)))
		start := time.Now()
		for _, c := range starts {
			c <- struct{}{}
		}
		<-finished
		if round > 0 {
			times = append(times, each(start, len(keys)))
		}
	}
	for _, c := range starts {
		close(c)
	}
	queue.ShutDown()
	workers.Wait()
	return contract.Median(times)
}

func measureAlone(report *contract.Report) {
	keys := makeKeys(1000)
	var through, again []float64
	for round := 0; round < rounds; round++ {
		queue := workqueue.NewTyped[string]()
		length := 0
		start := time.Now()
		for i := 0; i < 100; i++ {
			for _, key := range keys {
				queue.Add(key)
			}
			for range keys {
				work(queue, &length)
			}
		}
		through = append(through, each(start, 100*len(keys)))
		for _, key := range keys {
			queue.Add(key)
		}
		start = time.Now()
		for i := 0; i < 100; i++ {
			for _, key := range keys {
				queue.Add(key)
			}
		}
		again = append(again, each(start, 100*len(keys)))
		check(queue.Len() == len(keys))
	}
	report.Add("alone", "ns", contract.Median(through))
	report.Add("add_what_is_there", "ns", contract.Median(again))
}

func measureDelays(report *contract.Report) {
	keys := makeKeys(million)
	var add, through []float64
	for round := 0; round < 3; round++ {
		late := workqueue.NewTypedDelayingQueue[string]()
		start := time.Now()
		for i, key := range keys {
			late.AddAfter(key, time.Hour+time.Duration(i*7919%million)*time.Microsecond)
		}
		add = append(add, each(start, million))
		late.ShutDown()

		soon := workqueue.NewTypedDelayingQueue[string]()
		var worker sync.WaitGroup
		worker.Add(1)
		start = time.Now()
		go func() {
			defer worker.Done()
			length := 0
			for i := 0; i < million; i++ {
				check(work(soon, &length))
			}
		}()
		for i, key := range keys {
			soon.AddAfter(key, time.Millisecond+time.Duration(i*7919%100_000)*time.Microsecond)
		}
		worker.Wait()
		through = append(through, each(start, million))
		soon.ShutDown()
	}
	report.Add("delay_add", "ns", contract.Median(add))
	report.Add("delay_through", "ns", contract.Median(through))
}

func measureMemory[T comparable](report *contract.Report, what string, queue workqueue.TypedDelayingInterface[T],
	add func(i int)) {
	empty := contract.Measure()
	for i := 0; i < million; i++ {
		add(i)
	}
	time.Sleep(100 * time.Millisecond) // what is delayed goes through a channel
	full := contract.Measure()
	report.Add(what, "B", float64(full.RSSAnonBytes-empty.RSSAnonBytes)/million)
	queue.ShutDown()
	runtime.KeepAlive(queue)
}

func main() {
	var report contract.Report
	texts := workqueue.NewTypedDelayingQueue[string]()
	measureMemory(&report, "bytes_a_text", texts, func(i int) { texts.Add(text(i)) })
	names := workqueue.NewTypedDelayingQueue[cache.ObjectName]()
	measureMemory(&report, "bytes_a_name", names, func(i int) { names.Add(objectName(i)) })
	lateTexts := workqueue.NewTypedDelayingQueue[string]()
	measureMemory(&report, "bytes_a_delayed_text", lateTexts, func(i int) { lateTexts.AddAfter(text(i), time.Hour) })
	lateNames := workqueue.NewTypedDelayingQueue[cache.ObjectName]()
	measureMemory(&report, "bytes_a_delayed_name", lateNames,
		func(i int) { lateNames.AddAfter(objectName(i), time.Hour) })
	measureAlone(&report)
	keys := makeKeys(keyCount)
	for _, threads := range []int{1, 8, 64} {
		report.Add(fmt.Sprint("burst_", threads), "ns", measureBurst(keys, threads))
	}
	measureDelays(&report)
	report.Print()
}
