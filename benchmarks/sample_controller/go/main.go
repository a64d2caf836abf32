// The twin of examples/sample_controller, for tools/bench sample_controller: upstream's sample-controller on client-go, whose clients
// of Foos are written by hand.
package main

import (
	"context"
	"flag"
	"os/signal"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

func run(ctx context.Context, kubeconfig string, workers int) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1 // as ours: no limit of the client's own
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := addFoos(scheme.Scheme); err != nil {
		return err
	}
	foos, err := newFooClient(config)
	if err != nil {
		return err
	}
	events := record.NewBroadcaster(record.WithContext(ctx))
	defer events.Shutdown()
	events.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controllerName})

	factory := informers.NewSharedInformerFactory(client, 0)
	controller, err := newController(client, foos, recorder, factory.Apps().V1().Deployments())
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	return controller.run(ctx, workers)
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the cluster")
	workers := flag.Int("workers", 2, "number of workers, that is, of Foos processed concurrently")
	klog.InitFlags(nil)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, *kubeconfig, *workers); err != nil {
		klog.ErrorS(err, "controller ended")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}
