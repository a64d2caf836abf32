package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// recorder is a priority queue that only writes down what is added. Nothing else is called.
type recorder struct {
	priorityqueue.PriorityQueue[reconcile.Request]
	added []string
}

func (r *recorder) Add(item reconcile.Request) { r.AddWithOpts(priorityqueue.AddOpts{}, item) }

func (r *recorder) AddWithOpts(o priorityqueue.AddOpts, items ...reconcile.Request) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		name := item.Name
		if item.Namespace != "" {
			name = item.Namespace + "/" + name
		}
		r.added = append(r.added, fmt.Sprintf("%s@%d", name, priority))
	}
}

// mapper knows the kinds of owners, Deployments in two versions.
func mapper() meta.RESTMapper {
	known := meta.NewDefaultRESTMapper(nil)
	known.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	known.Add(schema.GroupVersionKind{Group: "apps", Version: "v1beta1", Kind: "Deployment"}, meta.RESTScopeNamespace)
	known.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	return known
}

// owners answers which requests of owners the event of a Pod adds, sorted, each with its priority. Without an old Pod the event is
// a creation.
func owners(text string) (string, error) {
	var question struct {
		Owner      string // Deployment or Node
		Controller bool   // only the controlling owner
		Initial    bool   // the Pod is in the initial list
		Old        *corev1.Pod
		New        *corev1.Pod
	}
	if err := json.Unmarshal([]byte(text), &question); err != nil {
		return "", err
	}
	scheme := runtime.NewScheme()
	if err := appsv1.AddToScheme(scheme); err != nil {
		return "", err
	}
	if err := corev1.AddToScheme(scheme); err != nil {
		return "", err
	}
	var owner client.Object = &appsv1.Deployment{}
	if question.Owner == "Node" {
		owner = &corev1.Node{}
	}
	var options []handler.OwnerOption
	if question.Controller {
		options = append(options, handler.OnlyControllerOwner())
	}
	judge := handler.EnqueueRequestForOwner(scheme, mapper(), owner, options...)
	queue := &recorder{}
	if question.Old == nil {
		judge.Create(context.Background(), event.CreateEvent{Object: question.New, IsInInitialList: question.Initial}, queue)
	} else {
		judge.Update(context.Background(), event.UpdateEvent{ObjectOld: question.Old, ObjectNew: question.New}, queue)
	}
	sort.Strings(queue.added)
	return strings.Join(queue.added, " "), nil
}
