package main

import (
	"context"
	"strings"
	"sync"

	"github.com/prometheus/common/expfmt"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// reconcileOnce runs a controller until it has reconciled one request, so that each of its metrics has a value.
func reconcileOnce(name string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	reconciled := make(chan struct{})
	var once sync.Once
	controllerOfOne, err := controller.NewUnmanaged(name, controller.Options{
		Reconciler: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			once.Do(func() { close(reconciled) })
			return reconcile.Result{}, nil
		}),
	})
	if err != nil {
		return err
	}
	request := reconcile.Request{NamespacedName: types.NamespacedName{Name: "object"}}
	err = controllerOfOne.Watch(source.Func(
		func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			queue.Add(request)
			return nil
		}))
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- controllerOfOne.Start(ctx) }()
	select {
	case <-reconciled:
	case err := <-ended:
		return err
	}
	cancel()
	return <-ended
}

// families answers the text format of the metrics of controllers and work queues, without values. Webhooks' are not asked for.
func families(name string) (string, error) {
	if err := reconcileOnce(name); err != nil {
		return "", err
	}
	gathered, err := metrics.Registry.Gather()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, family := range gathered {
		ours := strings.HasPrefix(family.GetName(), "controller_runtime_") || strings.HasPrefix(family.GetName(), "workqueue_")
		if !ours || strings.Contains(family.GetName(), "webhook") {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&text, family); err != nil {
			return "", err
		}
	}
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "#") {
			lines[i] = line[:strings.LastIndex(line, " ")]
		}
	}
	return strings.Join(lines, "\n"), nil
}
