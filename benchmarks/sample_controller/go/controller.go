package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const controllerName = "sample-controller"

type controller struct {
	client      kubernetes.Interface
	foos        fooClient
	recorder    record.EventRecorder
	fooInformer cache.SharedIndexInformer
	deployments appslisters.DeploymentLister
	synced      cache.InformerSynced // of the Deployments
	queue       workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

func newController(client kubernetes.Interface, foos fooClient, recorder record.EventRecorder,
	deployments appsinformers.DeploymentInformer) (*controller, error) {
	limiter := workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](5*time.Millisecond, 1000*time.Second),
		&workqueue.TypedBucketRateLimiter[cache.ObjectName]{Limiter: rate.NewLimiter(50, 300)})
	c := &controller{
		client: client, foos: foos, recorder: recorder, fooInformer: newFooInformer(foos), deployments: deployments.Lister(),
		synced: deployments.Informer().HasSynced,
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(limiter,
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "Foos"}),
	}
	if _, err := c.fooInformer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, foo any) { c.enqueue(foo) },
		DeleteFunc: c.enqueue,
	}); err != nil {
		return nil, err
	}
	_, err := deployments.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueueOwner,
		UpdateFunc: func(before, deployment any) {
			if before.(*appsv1.Deployment).ResourceVersion != deployment.(*appsv1.Deployment).ResourceVersion {
				c.enqueueOwner(deployment)
			}
		},
		DeleteFunc: c.enqueueOwner,
	})
	return c, err
}

func (c *controller) enqueue(object any) {
	name, err := cache.DeletionHandlingObjectToName(object)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.queue.Add(name)
}

// enqueueOwner finds the Foo that a Deployment matters to.
func (c *controller) enqueueOwner(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	deployment, ok := object.(metav1.Object)
	if !ok {
		utilruntime.HandleError(fmt.Errorf("enqueue owner: unexpected %T", object))
		return
	}
	if owner := metav1.GetControllerOf(deployment); owner != nil && owner.Kind == "Foo" {
		c.queue.Add(cache.ObjectName{Namespace: deployment.GetNamespace(), Name: owner.Name})
	}
}

func (c *controller) run(ctx context.Context, workers int) error {
	go c.fooInformer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), c.fooInformer.HasSynced, c.synced) {
		return fmt.Errorf("wait for cache sync: %w", ctx.Err())
	}
	klog.InfoS("starting workers", "count", workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	group.Wait()
	return nil
}

// next is false when the queue has been shut down.
func (c *controller) next(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	defer c.queue.Done(name)
	if err := c.sync(ctx, name); err != nil {
		klog.ErrorS(err, "sync failed", "foo", name)
		c.queue.AddRateLimited(name)
		return true
	}
	c.queue.Forget(name)
	return true
}

// sync brings a Foo's Deployment, and then its status, to where they should be.
func (c *controller) sync(ctx context.Context, name cache.ObjectName) error {
	object, exists, err := c.fooInformer.GetIndexer().GetByKey(name.String())
	if err != nil || !exists {
		return err // gone, and so will be its Deployment
	}
	foo := object.(*Foo)
	if foo.Spec.DeploymentName == "" {
		klog.ErrorS(nil, "deployment name missing", "foo", name)
		return nil // trying again would not help
	}
	deployment, err := c.syncDeployment(ctx, foo)
	if err != nil {
		return err
	}
	updated := foo.DeepCopy()
	updated.Status.AvailableReplicas = deployment.Status.AvailableReplicas
	if _, err := c.foos(foo.Namespace).UpdateStatus(ctx, updated, metav1.UpdateOptions{FieldManager: controllerName}); err != nil {
		return err
	}
	c.recorder.Event(foo, corev1.EventTypeNormal, "Synced", "Foo synced successfully")
	klog.InfoS("synced", "foo", name)
	return nil
}

func (c *controller) syncDeployment(ctx context.Context, foo *Foo) (*appsv1.Deployment, error) {
	client := c.client.AppsV1().Deployments(foo.Namespace)
	deployment, err := c.deployments.Deployments(foo.Namespace).Get(foo.Spec.DeploymentName)
	if errors.IsNotFound(err) {
		return client.Create(ctx, newDeployment(foo), metav1.CreateOptions{FieldManager: controllerName})
	}
	if err != nil {
		return nil, err
	}
	if !metav1.IsControlledBy(deployment, foo) {
		message := fmt.Sprintf("Resource %q already exists and is not managed by Foo", deployment.Name)
		c.recorder.Event(foo, corev1.EventTypeWarning, "ErrResourceExists", message)
		return nil, fmt.Errorf("%s", message)
	}
	if foo.Spec.Replicas != nil && *foo.Spec.Replicas != *deployment.Spec.Replicas {
		return client.Update(ctx, newDeployment(foo), metav1.UpdateOptions{FieldManager: controllerName})
	}
	return deployment, nil
}

// newDeployment is what a Foo asks for. Its owner reference leads from it back to the Foo.
func newDeployment(foo *Foo) *appsv1.Deployment {
	labels := map[string]string{"app": "nginx", "controller": foo.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Name:            foo.Spec.DeploymentName,
			Namespace:       foo.Namespace,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(foo, fooVersion.WithKind("Foo"))},
		},
		Spec: appsv1.DeploymentSpec{
			Replicas: foo.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:latest"}}},
			},
		},
	}
}
