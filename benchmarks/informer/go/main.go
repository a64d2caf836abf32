// The twin of pods_informer on client-go: an informer of a shared factory, and a handler that counts. ../pods_run.h says how it is called.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"bench/contract"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	kubeconfig = flag.String("kubeconfig", "", "the server")
	mode       = flag.String("mode", "watchlist", "watchlist, or list for a list followed by a watch")
	encoding   = flag.String("encoding", "protobuf", "protobuf or json")
	transform  = flag.String("transform", "none", "none or drop-managed-fields")
	events     = flag.Int("events", 0, "number of updates in the second phase; 0: no second phase")
	rate       = flag.Float64("rate", 0, "updates per second; 0: unlimited")
	timeout    = flag.Int("timeout", 300, "timeout of the whole run, in seconds")
)

func init() { flag.Bool("contract", true, "as it is: the other form is for harnesses that this one has not") }

// counts is what the handler saw.
type counts struct {
	added     atomic.Int64
	latencies []int64 // of the updates, in nanoseconds
	end       chan struct{}
}

func (c *counts) onAdd(object any) {
	if object.(*corev1.Pod).Name == "bench-end" {
		close(c.end)
		return
	}
	c.added.Add(1)
}

func (c *counts) onUpdate(_, object any) {
	sent, _ := strconv.ParseInt(object.(*corev1.Pod).Annotations["bench/sent-ns"], 10, 64)
	c.latencies = append(c.latencies, time.Now().UnixNano()-sent)
}

func client() (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return nil, err
	}
	config.ContentType = "application/" + map[string]string{"protobuf": "vnd.kubernetes.protobuf", "json": "json"}[*encoding]
	config.AcceptContentTypes = config.ContentType
	return kubernetes.NewForConfig(config)
}

func dropManagedFields(object any) (any, error) {
	if pod, ok := object.(*corev1.Pod); ok {
		pod.ManagedFields = nil
	}
	return object, nil
}

func firstPhase(ctx context.Context, clientset kubernetes.Interface, seen *counts, report *contract.Report) error {
	heap, start := heapBytes(), time.Now()
	var options []informers.SharedInformerOption
	if *transform == "drop-managed-fields" {
		options = append(options, informers.WithTransform(dropManagedFields))
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clientset, 0, options...)
	pods := factory.Core().V1().Pods().Informer()
	handler, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: seen.onAdd, UpdateFunc: seen.onUpdate})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if err := await(ctx, pods.HasSyncedChecker().Done()); err != nil {
		return fmt.Errorf("await sync: %w", err)
	}
	synced := time.Since(start)
	if err := await(ctx, handler.HasSyncedChecker().Done()); err != nil {
		return fmt.Errorf("await handler: %w", err)
	}
	handled, used := time.Since(start), cpu()
	n := len(pods.GetStore().ListKeys())
	if int64(n) != seen.added.Load() {
		return fmt.Errorf("the store has %d pods, the handler was told of %d", n, seen.added.Load())
	}
	report.Add("n", "1", float64(n))
	report.Add("sync_s", "s", synced.Seconds())
	report.Add("handled_s", "s", handled.Seconds())
	report.Add("cpu_sync_s", "s", used)
	report.Add("rss_kb", "kB", status("VmRSS"))
	report.Add("peak_rss_kb", "kB", status("VmHWM"))
	report.Add("heap_per_obj_b", "B", (heapBytes()-heap)/float64(max(n, 1)))
	debug.FreeOSMemory()
	report.Add("rss_trim_kb", "kB", status("VmRSS"))
	report.Add("peak_rss_trim_kb", "kB", status("VmHWM"))
	return nil
}

func secondPhase(ctx context.Context, clientset *kubernetes.Clientset, seen *counts, report *contract.Report) error {
	_, err := clientset.CoreV1().RESTClient().Get().AbsPath("/bench/start").Param("events", strconv.Itoa(*events)).
		Param("rate", strconv.FormatFloat(*rate, 'g', -1, 64)).DoRaw(ctx)
	if err != nil {
		return err
	}
	start, before := time.Now(), cpu()
	if err := await(ctx, seen.end); err != nil {
		return fmt.Errorf("await events: %w", err)
	}
	used, elapsed, n := cpu()-before, time.Since(start), float64(len(seen.latencies))
	report.Add("events", "1", float64(*events))
	report.Add("events_seen", "1", n)
	report.Add("events_per_s", "1/s", n/elapsed.Seconds())
	report.Add("cpu_events_s", "s", used)
	report.Add("cpu_event_us", "us", 1e6*used/max(n, 1))
	slices.Sort(seen.latencies)
	report.Add("lat_p50_us", "us", quantile(seen.latencies, 0.5))
	report.Add("lat_p99_us", "us", quantile(seen.latencies, 0.99))
	if int(n) != *events {
		return fmt.Errorf("%d updates were sent, and %g seen", *events, n)
	}
	return nil
}

func run() error {
	// client-go reads it when the first informer is made.
	if err := os.Setenv("KUBE_FEATURE_WatchListClient", strconv.FormatBool(*mode == "watchlist")); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(*timeout)*time.Second)
	defer cancel()
	clientset, err := client()
	if err != nil {
		return err
	}
	seen := &counts{latencies: make([]int64, 0, *events), end: make(chan struct{})}
	var report contract.Report
	if err := firstPhase(ctx, clientset, seen, &report); err != nil {
		return err
	}
	if *events > 0 {
		if err := secondPhase(ctx, clientset, seen, &report); err != nil {
			return err
		}
	}
	report.Add("peak_rss_end_kb", "kB", status("VmHWM"))
	report.Print()
	return nil
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "client-go:", err)
		os.Exit(1)
	}
}

func await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("it took too long")
	}
}

func quantile(sorted []int64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(q*float64(len(sorted)-1))]) / 1e3
}

// heapBytes is what is live.
func heapBytes() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// cpu is in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// status is a number of /proc/self/status: kB.
func status(name string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			number, _ := strconv.ParseFloat(fields[1], 64)
			return number
		}
	}
	return 0
}
