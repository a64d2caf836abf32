// The twin of ours_main.cc on controller-runtime: a manager with one controller that watches 60 kinds. ../ours_main.cc says how it is
// called and what it measures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"bench/contract"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const annotation = "bench/done"

var patch = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"bench/done":"true"}}}`))

var (
	kubeconfig = flag.String("kubeconfig", "", "the server")
	objects    = flag.Int("objects", 2000, "number of ConfigMaps")
	workers    = flag.Int("workers", 16, "number of ConfigMaps that are reconciled at the same time")
	idle       = flag.Duration("idle", 10*time.Second, "how long idleness is measured")
)

type operator struct {
	client client.Client
	start  sync.Once
	synced chan struct{}

	mu       sync.Mutex
	finished map[string]bool
	done     chan struct{}
}

func (o *operator) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	o.start.Do(func() { close(o.synced) })
	if !strings.HasPrefix(request.Name, "object-") {
		return reconcile.Result{}, nil
	}
	var object corev1.ConfigMap
	if err := o.client.Get(ctx, request.NamespacedName, &object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if _, done := object.Annotations[annotation]; done {
		o.finish(object.Name)
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, o.client.Patch(ctx, &object, patch)
}

func (o *operator) finish(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished[name] {
		return
	}
	o.finished[name] = true
	if len(o.finished) == *objects {
		close(o.done)
	}
}

func newManager() (manager.Manager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1 // as ours: no limit of the client's own
	return manager.New(config, manager.Options{
		Scheme:  scheme.Scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		// As ours.
		Cache: cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
}

func newOperator(mgr manager.Manager) (*operator, error) {
	o := &operator{
		client: mgr.GetClient(), synced: make(chan struct{}), finished: map[string]bool{}, done: make(chan struct{}),
	}
	nothing := handler.EnqueueRequestsFromMapFunc(func(context.Context, client.Object) []reconcile.Request { return nil })
	bench := builder.ControllerManagedBy(mgr).Named("bench").For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *workers})
	for _, kind := range watchedKinds() {
		bench = bench.Watches(kind, nothing)
	}
	for _, kind := range watchedMetadata() {
		bench = bench.WatchesMetadata(kind, nothing)
	}
	return o, bench.Complete(o)
}

// measure measures the phases of an operator that is running since start.
func measure(ctx context.Context, o *operator, start time.Time, report *contract.Report) error {
	if err := await(ctx, o.synced); err != nil {
		return fmt.Errorf("await synced watches: %w", err)
	}
	synced, cpuOfStart := time.Now(), cpu()
	report.Add("sync", "s", synced.Sub(start).Seconds())
	report.Add("cpu_sync", "s", cpuOfStart)

	if err := await(ctx, o.done); err != nil {
		return fmt.Errorf("await annotated objects: %w", err)
	}
	seconds, cpuOfWork := time.Since(synced).Seconds(), cpu()-cpuOfStart
	report.Add("objects_per_s", "1/s", float64(*objects)/seconds)
	report.Add("cpu_object", "us", 1e6*cpuOfWork/float64(*objects))

	// What the work has left behind has ended by then.
	time.Sleep(2 * time.Second)
	before := cpu()
	time.Sleep(*idle)
	report.Add("cpu_idle_second", "us", 1e6*(cpu()-before)/idle.Seconds())
	report.Add("threads", "1", status("Threads"))
	report.Add("rss_kb", "kB", status("VmRSS"))
	debug.FreeOSMemory()
	report.Add("rss_trim_kb", "kB", status("VmRSS"))
	report.Add("rss_anon_trim_kb", "kB", status("RssAnon"))
	report.Add("peak_rss_kb", "kB", status("VmHWM"))
	return nil
}

func run(start time.Time) error {
	mgr, err := newManager()
	if err != nil {
		return err
	}
	o, err := newOperator(mgr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- mgr.Start(ctx)
		cancel() // or else nobody notices that it has failed
	}()
	var report contract.Report
	measured := measure(ctx, o, start, &report)
	cancel()
	if err := <-ended; err != nil {
		return err
	}
	if measured != nil {
		return measured
	}
	report.Print()
	return nil
}

func main() {
	start := time.Now()
	log.SetLogger(logr.Discard())
	flag.Parse()
	if err := run(start); err != nil {
		fmt.Fprintln(os.Stderr, "controller-runtime:", err)
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
