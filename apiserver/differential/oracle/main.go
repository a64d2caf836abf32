// client_go_program KUBECONFIG: what programs with client-go do, against the server of a kubeconfig.
//
// Prints a line for each step that went as it goes with a kube-apiserver; exits with 1 and says why
// at the first that did not.
package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

const ns = "default"

var ctx = context.Background()

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func want(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

// Which protocols were spoken.
type protocols struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (p *protocols) add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[name] = true
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "x"}},
		Data:       map[string]string{"k": value},
	}
}

func crud(client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(ns)
	made := must(maps.Create(ctx, configMap("one", "1"), metav1.CreateOptions{}))
	_, err := maps.Create(ctx, configMap("one", "1"), metav1.CreateOptions{})
	want(apierrors.IsAlreadyExists(err), "create twice: %v", err)
	changed := made.DeepCopy()
	changed.Data["k"] = "2"
	must(maps.Update(ctx, changed, metav1.UpdateOptions{}))
	_, err = maps.Update(ctx, changed, metav1.UpdateOptions{})
	want(apierrors.IsConflict(err), "update of an old version: %v", err)
	check(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current, err := maps.Get(ctx, "one", metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Data["k"] = "3"
		_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
		return err
	}))
	for kind, patch := range map[types.PatchType]string{
		types.MergePatchType:          `{"data":{"merge":"x"}}`,
		types.StrategicMergePatchType: `{"data":{"strategic":"x"}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/data/json","value":"x"}]`,
	} {
		must(maps.Patch(ctx, "one", kind, []byte(patch), metav1.PatchOptions{}))
	}
	got := must(maps.Get(ctx, "one", metav1.GetOptions{}))
	want(len(got.Data) == 4 && got.Data["k"] == "3", "after patches: %v", got.Data)
	check(maps.Delete(ctx, "one", metav1.DeleteOptions{}))
	_, err = maps.Get(ctx, "one", metav1.GetOptions{})
	want(apierrors.IsNotFound(err), "get of what is gone: %v", err)
	fmt.Println("crud")
}

func pages(client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(ns)
	for i := 0; i < 25; i++ {
		must(maps.Create(ctx, configMap(fmt.Sprintf("page-%02d", i), "1"), metav1.CreateOptions{}))
	}
	lists := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	}))
	lists.PageSize = 10
	count := 0
	check(lists.EachListItem(ctx, metav1.ListOptions{LabelSelector: "app=x"}, func(runtime.Object) error {
		count++
		return nil
	}))
	want(count == 25, "pages have %d items", count)
	check(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=x"}))
	left := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "app=x"}))
	want(len(left.Items) == 0, "%d are left", len(left.Items))
	fmt.Println("pages")
}

// Waits, for a minute, until it holds.
func eventually(what string, holds func() bool) {
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		want(time.Now().Before(end), "not in time: %s", what)
	}
}

func informer(client kubernetes.Interface) {
	maps := client.CoreV1().ConfigMaps(ns)
	must(maps.Create(ctx, configMap("before", "1"), metav1.CreateOptions{}))
	stop, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(ns))
	configMaps := factory.Core().V1().ConfigMaps()
	var mu sync.Mutex
	var events []string
	note := func(what string, object any) {
		mu.Lock()
		defer mu.Unlock()
		m := object.(*corev1.ConfigMap)
		if m.Name == "kube-root-ca.crt" { // every namespace has it
			return
		}
		events = append(events, fmt.Sprintf("%s %s %s", what, m.Name, m.Data["k"]))
	}
	must(configMaps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { note("add", object) },
		UpdateFunc: func(_, object any) { note("update", object) },
		DeleteFunc: func(object any) { note("delete", object) },
	}))
	factory.Start(stop.Done())
	for kind, synced := range factory.WaitForCacheSync(stop.Done()) {
		want(synced, "%v has not synced", kind)
	}
	must(maps.Create(ctx, configMap("after", "1"), metav1.CreateOptions{}))
	must(maps.Update(ctx, configMap("after", "2"), metav1.UpdateOptions{}))
	check(maps.Delete(ctx, "after", metav1.DeleteOptions{}))
	expected := []string{"add before 1", "add after 1", "update after 2", "delete after 2"}
	eventually(fmt.Sprint(expected), func() bool {
		mu.Lock()
		defer mu.Unlock()
		return fmt.Sprint(events) == fmt.Sprint(expected)
	})
	_, err := configMaps.Lister().ConfigMaps(ns).Get("before")
	check(err)
	cancel()
	factory.Shutdown()
	fmt.Println("informer")
}

// Two candidates: the second leads when the first lets go.
func lease(client kubernetes.Interface) {
	order := make(chan string, 10)
	var all sync.WaitGroup
	candidate := func(name string, stop context.Context) {
		defer all.Done()
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: ns},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		leaderelection.RunOrDie(stop, leaderelection.LeaderElectionConfig{
			Lock:            lock,
			ReleaseOnCancel: true,
			LeaseDuration:   3 * time.Second,
			RenewDeadline:   2 * time.Second,
			RetryPeriod:     50 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { order <- name },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, endFirst := context.WithCancel(ctx)
	second, endSecond := context.WithCancel(ctx)
	all.Add(2)
	go candidate("first", first)
	want(<-order == "first", "who leads first")
	go candidate("second", second)
	endFirst()
	want(<-order == "second", "who leads second")
	endSecond()
	all.Wait()
	held := must(client.CoordinationV1().Leases(ns).Get(ctx, "leader", metav1.GetOptions{}))
	want(*held.Spec.LeaseTransitions >= 1, "transitions: %v", held.Spec.LeaseTransitions)
	fmt.Println("lease")
}

func pods(client kubernetes.Interface) {
	pods := client.CoreV1().Pods(ns)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	made := must(pods.Create(ctx, pod, metav1.CreateOptions{}))
	want(made.Spec.RestartPolicy == corev1.RestartPolicyAlways, "defaults: %v", made.Spec)
	watcher := must(pods.Watch(ctx, metav1.ListOptions{ResourceVersion: made.ResourceVersion}))
	made.Status.Phase = corev1.PodRunning
	must(pods.UpdateStatus(ctx, made, metav1.UpdateOptions{}))
	event := <-watcher.ResultChan()
	want(event.Type == watch.Modified, "watch: %v", event)
	running := event.Object.(*corev1.Pod)
	want(running.Status.Phase == corev1.PodRunning, "watch: %v", running.Status)
	watcher.Stop()
	check(pods.Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Target: corev1.ObjectReference{Kind: "Node", Name: "n1"}}, metav1.CreateOptions{}))
	on := must(pods.List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=n1"}))
	want(len(on.Items) == 1, "on the node: %d", len(on.Items))
	log := must(pods.GetLogs("web", &corev1.PodLogOptions{}).DoRaw(ctx))
	want(len(log) == 0, "log: %q", log)
	now := int64(0)
	check(pods.Delete(ctx, "web", metav1.DeleteOptions{GracePeriodSeconds: &now}))
	fmt.Println("pods")
}

func others(config *rest.Config, client kubernetes.Interface) {
	version := must(client.Discovery().ServerVersion())
	want(version.Major == "1", "version: %v", version)
	resources := must(client.Discovery().ServerPreferredResources())
	want(len(resources) > 15, "%d groups", len(resources))
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	dynamicClient := must(dynamic.NewForConfig(config))
	deployment := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web"},
		"spec": map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"app": "web"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "web"}},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "i"}}},
			},
		},
	}}
	must(dynamicClient.Resource(deployments).Namespace(ns).Create(ctx, deployment, metav1.CreateOptions{}))
	scale := must(client.AppsV1().Deployments(ns).GetScale(ctx, "web", metav1.GetOptions{}))
	scale.Spec.Replicas = 5
	must(client.AppsV1().Deployments(ns).UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}))
	metadataClient := must(metadata.NewForConfig(config))
	only := must(metadataClient.Resource(deployments).Namespace(ns).Get(ctx, "web", metav1.GetOptions{}))
	want(only.Generation == 2, "generation: %d", only.Generation)
	fmt.Println("others")
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client_go_program KUBECONFIG")
		os.Exit(2)
	}
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.QPS = -1
	spoken := &protocols{seen: map[string]bool{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err == nil {
				spoken.add(response.Proto)
			}
			return response, err
		})
	})
	client := must(kubernetes.NewForConfig(config))
	crud(client)
	pages(client)
	informer(client)
	lease(client)
	pods(client)
	others(config, client)
	fmt.Println(slices.Sorted(maps.Keys(spoken.seen)))
}
