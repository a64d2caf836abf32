// The REST client of tools/bench rest in Go: client-go's typed clients, as generated. They speak protobuf unless told otherwise.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"bench/contract"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const (
	warmUp  = 500
	atLeast = 5 * time.Second
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "rest:", err)
		os.Exit(1)
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func client(url, ca string, json bool) *kubernetes.Clientset {
	config := &rest.Config{Host: url, BearerToken: "token", QPS: -1}
	config.CAFile = ca
	if json {
		config.ContentType = "application/json"
		config.AcceptContentTypes = "application/json"
	}
	c, err := kubernetes.NewForConfig(config)
	check(err)
	return c
}

// gets reads one object for as long as it should, and returns the latencies in nanoseconds, sorted.
func gets(c *kubernetes.Clientset, goroutines int, enough func(done int64) bool) []int64 {
	var all []int64
	var done atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	for range goroutines {
		group.Add(1)
		go func() {
			defer group.Done()
			var mine []int64
			for !enough(done.Add(1)) {
				start := time.Now()
				_, err := c.CoreV1().ConfigMaps("default").Get(context.Background(), "web", metav1.GetOptions{})
				check(err)
				mine = append(mine, time.Since(start).Nanoseconds())
			}
			mutex.Lock()
			all = append(all, mine...)
			mutex.Unlock()
		}()
	}
	group.Wait()
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return all
}

func get(report *contract.Report, c *kubernetes.Clientset, goroutines int) {
	gets(c, goroutines, func(done int64) bool { return done > warmUp })
	start, used := time.Now(), cpu()
	latencies := gets(c, goroutines, func(int64) bool { return time.Since(start) > atLeast })
	elapsed, used := time.Since(start), cpu()-used
	n := float64(len(latencies))
	report.Add("rate", "1/s", n/elapsed.Seconds())
	report.Add("cpu_per_request", "us", float64(used.Microseconds())/n)
	report.Add("p50", "us", float64(latencies[len(latencies)/2])/1e3)
	report.Add("p99", "us", float64(latencies[len(latencies)*99/100])/1e3)
}

func list(report *contract.Report, c *kubernetes.Clientset) {
	_, err := c.CoreV1().ConfigMaps("default").Get(context.Background(), "web", metav1.GetOptions{})
	check(err)
	start, used := time.Now(), cpu()
	pods, err := c.CoreV1().Pods("").List(context.Background(), metav1.ListOptions{})
	check(err)
	report.Add("time", "ms", float64(time.Since(start).Microseconds())/1e3)
	report.Add("cpu_time", "ms", float64((cpu()-used).Microseconds())/1e3)
	report.Add("pods", "", float64(len(pods.Items)))
}

func watch(report *contract.Report, c *kubernetes.Clientset) {
	_, err := c.CoreV1().ConfigMaps("default").Get(context.Background(), "web", metav1.GetOptions{})
	check(err)
	start, used := time.Now(), cpu()
	watcher, err := c.CoreV1().Pods("").Watch(context.Background(), metav1.ListOptions{})
	check(err)
	events := 0
	for range watcher.ResultChan() {
		events++
	}
	elapsed, used := time.Since(start), cpu()-used
	report.Add("rate", "1/s", float64(events)/elapsed.Seconds())
	report.Add("cpu_per_event", "us", float64(used.Microseconds())/float64(max(events, 1)))
	report.Add("events", "", float64(events))
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: client-go URL CA_FILE get CONCURRENCY | list FORMAT | watch FORMAT")
		os.Exit(2)
	}
	what, argument := os.Args[3], os.Args[4]
	c := client(os.Args[1], os.Args[2], argument == "json")
	var report contract.Report
	switch what {
	case "get":
		goroutines, err := strconv.Atoi(argument)
		check(err)
		get(&report, c, goroutines)
	case "list":
		list(&report, c)
	case "watch":
		watch(&report, c)
	}
	report.Print()
}
