// The twins of base.cc, under the same names.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"bench/contract"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"
)

// lockers is two goroutines that want the same lock all the time.
func lockers(b *testing.B) {
	var mutex sync.Mutex
	var done sync.WaitGroup
	count := 0
	for range 2 {
		done.Go(func() {
			for range b.N / 2 {
				mutex.Lock()
				count++
				mutex.Unlock()
			}
		})
	}
	done.Wait()
}

// court is a ball between two goroutines, both of which sleep until it comes.
type court struct {
	mutex   sync.Mutex
	changed *sync.Cond
	side    int
}

func (c *court) hit(side int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.side != side {
		c.changed.Wait()
	}
	c.side = 1 - side
	c.changed.Signal()
}

func condVarRoundTrip(b *testing.B) {
	c := &court{}
	c.changed = sync.NewCond(&c.mutex)
	var done sync.WaitGroup
	done.Go(func() {
		for range b.N {
			c.hit(1)
		}
	})
	for range b.N {
		c.hit(0)
	}
	done.Wait()
}

func queueFourProducers(b *testing.B) {
	queue := make(chan int64, 1000)
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			for i := range b.N / 4 {
				queue <- int64(i)
			}
		})
	}
	for range b.N / 4 * 4 {
		<-queue
	}
	done.Wait()
}

func main() {
	contract.BenchTime(300 * time.Millisecond)
	var report contract.Report

	var mutex sync.Mutex
	report.Bench("mutex_uncontended", func(b *testing.B) {
		for b.Loop() {
			mutex.Lock()
			mutex.Unlock()
		}
	})
	report.Bench("mutex_contended", lockers)
	report.Bench("condvar_round_trip", condVarRoundTrip)
	report.Bench("event_set_wait", func(b *testing.B) {
		for b.Loop() {
			event := make(chan struct{})
			close(event)
			<-event
		}
	})
	queue := make(chan int64, 1000)
	report.Bench("queue_push_pop", func(b *testing.B) {
		for b.Loop() {
			queue <- 1
			<-queue
		}
	})
	report.Bench("queue_four_producers", queueFourProducers)
	report.Bench("thread_start_join", func(b *testing.B) {
		for b.Loop() {
			var done sync.WaitGroup
			done.Go(func() {})
			done.Wait()
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	report.Bench("context_done", func(b *testing.B) {
		for b.Loop() {
			_ = ctx.Err()
		}
	})

	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total"}, []string{"code"})
	one := counter.WithLabelValues("200")
	report.Bench("counter_add", func(b *testing.B) {
		for b.Loop() {
			one.Inc()
		}
	})
	report.Bench("counter_find_and_add", func(b *testing.B) {
		for b.Loop() {
			counter.WithLabelValues("200").Inc()
		}
	})

	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	flags.Set("logtostderr", "false")
	flags.Set("stderrthreshold", "FATAL")
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	klog.SetOutput(nowhere)
	report.Bench("log_off", func(b *testing.B) {
		for b.Loop() {
			klog.V(5).InfoS("synced", "pod", "default/web-0", "attempt", 3)
		}
	})
	report.Bench("log_line", func(b *testing.B) {
		for b.Loop() {
			klog.InfoS("synced", "pod", "default/web-0", "attempt", 3)
		}
	})

	report.Print()
}
