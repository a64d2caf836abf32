// foreign_client_go KUBECONFIG NAMESPACE: an ordinary program with client-go. It creates the
// namespace, uses every kind of request in it, and prints what comes of them, so that the output for
// the embedded server and for a kube-apiserver can be compared.
//
// tests/foreign_clients/kube_rs does the same and prints the same with the kube crate.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type program struct {
	client kubernetes.Interface
	ns     string
	// What differs from run to run, and what is printed in its place.
	replaced []string
}

func (p *program) say(format string, args ...any) {
	fmt.Println(strings.NewReplacer(p.replaced...).Replace(fmt.Sprintf(format, args...)))
}

// sayError prints the status of an error that is expected.
func (p *program) sayError(what string, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		panic(fmt.Sprintf("%s: %v, expected an error of the server", what, err))
	}
	p.say("%s: %d %s: %s", what, status.Status().Code, status.Status().Reason, status.Status().Message)
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "x"}},
		Data:       map[string]string{"k": value},
	}
}

func (p *program) lists() {
	maps := p.client.CoreV1().ConfigMaps(p.ns)
	for i := range 5 {
		made := must(maps.Create(ctx, configMap(fmt.Sprintf("a%d", i), fmt.Sprint(i)), metav1.CreateOptions{}))
		p.say("create: %s %s", made.Name, made.Data["k"])
	}
	options := metav1.ListOptions{LabelSelector: "app=x", Limit: 2}
	version := ""
	for {
		page := must(maps.List(ctx, options))
		var names []string
		for _, item := range page.Items {
			names = append(names, item.Name)
		}
		p.say("page: %s, more: %t", strings.Join(names, " "), page.Continue != "")
		version, options.Continue = page.ResourceVersion, page.Continue
		if page.Continue == "" {
			break
		}
	}
	p.watch(version)
}

func (p *program) watch(version string) {
	maps := p.client.CoreV1().ConfigMaps(p.ns)
	must(maps.Patch(ctx, "a0", types.MergePatchType, []byte(`{"data":{"k":"9"}}`), metav1.PatchOptions{}))
	if err := maps.Delete(ctx, "a4", metav1.DeleteOptions{}); err != nil {
		panic(err)
	}
	must(maps.Create(ctx, configMap("a5", "5"), metav1.CreateOptions{}))
	timeout := int64(60)
	options := metav1.ListOptions{LabelSelector: "app=x", ResourceVersion: version, TimeoutSeconds: &timeout}
	watcher := must(maps.Watch(ctx, options))
	defer watcher.Stop()
	for range 3 {
		event, open := <-watcher.ResultChan()
		if !open {
			panic("the watch has ended")
		}
		object := event.Object.(*corev1.ConfigMap)
		p.say("event: %s %s %s", event.Type, object.Name, object.Data["k"])
	}
}

const deployment = `{
	"metadata": {"name": "web", "labels": {"a": "1", "b": "2"}},
	"spec": {
		"replicas": 2,
		"selector": {"matchLabels": {"app": "web"}},
		"template": {
			"metadata": {"labels": {"app": "web"}},
			"spec": {"containers": [{"name": "web", "image": "web:1"}]}
		}
	}
}`

func (p *program) patches() {
	deployments := p.client.AppsV1().Deployments(p.ns)
	var object appsv1.Deployment
	if err := json.Unmarshal([]byte(deployment), &object); err != nil {
		panic(err)
	}
	must(deployments.Create(ctx, &object, metav1.CreateOptions{}))
	for _, patch := range []struct {
		kind types.PatchType
		text string
	}{
		{types.StrategicMergePatchType, `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}`},
		{types.MergePatchType, `{"metadata":{"labels":{"a":null,"c":"3"}}}`},
		{types.JSONPatchType, `[{"op":"test","path":"/spec/replicas","value":2},{"op":"replace","path":"/spec/replicas","value":3}]`},
	} {
		got := must(deployments.Patch(ctx, "web", patch.kind, []byte(patch.text), metav1.PatchOptions{}))
		var containers, labels []string
		for _, container := range got.Spec.Template.Spec.Containers {
			containers = append(containers, container.Name)
		}
		for key := range got.Labels {
			labels = append(labels, key)
		}
		slices.Sort(labels)
		p.say("patch: containers %s, labels %s, replicas %d, generation %d",
			strings.Join(containers, " "), strings.Join(labels, " "), *got.Spec.Replicas, got.Generation)
	}
	_, err := deployments.Patch(ctx, "web", types.JSONPatchType,
		[]byte(`[{"op":"test","path":"/spec/replicas","value":7}]`), metav1.PatchOptions{})
	p.sayError("patch with a wrong test", err)
}

func (p *program) apply() {
	maps := p.client.CoreV1().ConfigMaps(p.ns)
	apply := func(manager, value string, force bool) (*corev1.ConfigMap, error) {
		text := fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":{"k":%q}}`, value)
		return maps.Patch(ctx, "applied", types.ApplyPatchType, []byte(text),
			metav1.PatchOptions{FieldManager: manager, Force: &force})
	}
	p.say("apply: %s", must(apply("one", "1", false)).Data["k"])
	_, err := apply("two", "2", false)
	p.sayError("apply of another manager", err)
	p.say("apply with force: %s", must(apply("two", "2", true)).Data["k"])
}

func (p *program) subresources() {
	deployments := p.client.AppsV1().Deployments(p.ns)
	got := must(deployments.Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"spec":{"replicas":9},"status":{"replicas":3,"readyReplicas":1}}`), metav1.PatchOptions{}, "status"))
	p.say("status: replicas %d, ready %d of %d", *got.Spec.Replicas, got.Status.ReadyReplicas, got.Status.Replicas)
	scale := must(deployments.GetScale(ctx, "web", metav1.GetOptions{}))
	p.say("scale: %d, status %d, selector %s", scale.Spec.Replicas, scale.Status.Replicas, scale.Status.Selector)
	scale.Spec.Replicas = 5
	p.say("scaled: %d", must(deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})).Spec.Replicas)

	pods := p.client.CoreV1().Pods(p.ns)
	must(pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "c:1"}}},
	}, metav1.CreateOptions{}))
	evict := func(name string) error {
		return pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.ns}})
	}
	if err := evict("p"); err != nil {
		panic(err)
	}
	_, err := pods.Get(ctx, "p", metav1.GetOptions{})
	p.sayError("get of an evicted pod", err)
	p.sayError("eviction of no pod", evict("none"))
}

func (p *program) failures() {
	maps := p.client.CoreV1().ConfigMaps(p.ns)
	_, err := maps.Get(ctx, "none", metav1.GetOptions{})
	p.sayError("get", err)
	_, err = maps.Create(ctx, configMap("a1", "1"), metav1.CreateOptions{})
	p.sayError("create of what exists", err)
	old := must(maps.Get(ctx, "a1", metav1.GetOptions{}))
	old.Data["k"] = "new"
	must(maps.Update(ctx, old, metav1.UpdateOptions{}))
	_, err = maps.Update(ctx, old, metav1.UpdateOptions{})
	p.sayError("update of an old version", err)
	_, err = maps.Create(ctx, configMap("A_1", "1"), metav1.CreateOptions{})
	p.sayError("create with a wrong name", err)
	_, err = p.client.AppsV1().Deployments(p.ns).Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"spec":{"replicas":-1}}`), metav1.PatchOptions{})
	p.sayError("patch with a wrong number", err)
}

func (p *program) deletions() {
	maps := p.client.CoreV1().ConfigMaps(p.ns)
	object := must(maps.Get(ctx, "a1", metav1.GetOptions{}))
	p.replaced = append(p.replaced, string(object.UID), "UID")
	wrong := types.UID("wrong")
	err := maps.Delete(ctx, "a1", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrong}})
	p.sayError("delete with a wrong precondition", err)
	err = maps.Delete(ctx, "a1", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &object.UID, ResourceVersion: &object.ResourceVersion}})
	if err != nil {
		panic(err)
	}
	err = maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=x"})
	if err != nil {
		panic(err)
	}
	p.say("left: %d", len(must(maps.List(ctx, metav1.ListOptions{LabelSelector: "app=x"})).Items))
	// Another program may use the server next.
	for _, err := range []error{
		maps.Delete(ctx, "applied", metav1.DeleteOptions{}),
		p.client.AppsV1().Deployments(p.ns).Delete(ctx, "web", metav1.DeleteOptions{}),
		p.client.CoreV1().Namespaces().Delete(ctx, p.ns, metav1.DeleteOptions{}),
	} {
		if err != nil {
			panic(err)
		}
	}
}

func (p *program) discovery() {
	groups := must(p.client.Discovery().ServerGroups())
	for _, group := range groups.Groups {
		if group.Name == "apps" {
			p.say("group: %s, preferred %s", group.Name, group.PreferredVersion.GroupVersion)
		}
	}
	resources := must(p.client.Discovery().ServerResourcesForGroupVersion("apps/v1"))
	for _, resource := range resources.APIResources {
		verbs := slices.Clone([]string(resource.Verbs))
		slices.Sort(verbs)
		p.say("resource: %s %s, namespaced: %t, verbs: %s", resource.Name, resource.Kind, resource.Namespaced, strings.Join(verbs, " "))
	}
}

func main() {
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	ns := os.Args[2]
	p := &program{client: must(kubernetes.NewForConfig(config)), ns: ns, replaced: []string{ns, "NAMESPACE"}}
	must(p.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{}))
	p.lists()
	p.patches()
	p.apply()
	p.subresources()
	p.failures()
	p.deletions()
	p.discovery()
}
