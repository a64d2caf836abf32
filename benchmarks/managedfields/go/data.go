package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type object = map[string]any
type list = []any

// What both programs read: a Deployment as it is stored; the configuration that its manager applied last, and the one that it
// applies now; the Deployment as somebody else changes it; and what Go makes of them, by the names of the parts.
type inputs struct {
	Live          json.RawMessage            `json:"live"`
	Same          json.RawMessage            `json:"same"`
	Configuration json.RawMessage            `json:"configuration"`
	Updated       json.RawMessage            `json:"updated"`
	Want          map[string]json.RawMessage `json:"want"`
}

// 52,000 annotations have 3 MiB.
var sizes = map[string]struct{ containers, variables, annotations int }{
	"deployment": {8, 30, 0}, "3MiB": {8, 30, 52_000}}

func annotation(prefix string, i int) (string, string) {
	return fmt.Sprintf("%s.example.com/setting-%06d", prefix, i), fmt.Sprint("value of the setting ", i)
}

func container(name, image string, variables int) object {
	env := list{object{"name": "POD_NAME", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.name"}}}}
	for i := range variables {
		env = append(env, object{"name": fmt.Sprint("SETTING_", i), "value": fmt.Sprint("value of the setting ", i)})
	}
	return object{
		"name":          name,
		"image":         image,
		"args":          list{"--port=8080", "--level=info"},
		"env":           env,
		"ports":         list{object{"containerPort": 8080, "name": "http"}, object{"containerPort": 9090, "name": "metrics"}},
		"resources":     object{"limits": object{"memory": "1Gi"}, "requests": object{"cpu": "100m", "memory": "256Mi"}},
		"volumeMounts":  list{object{"mountPath": "/etc/web", "name": "config", "readOnly": true}},
		"livenessProbe": object{"httpGet": object{"path": "/healthz", "port": "http"}, "periodSeconds": 10},
	}
}

// setDefaults adds what the server does.
func setDefaults(container object) {
	container["imagePullPolicy"] = "IfNotPresent"
	container["terminationMessagePath"] = "/dev/termination-log"
	container["terminationMessagePolicy"] = "File"
	probe := container["livenessProbe"].(object)
	probe["failureThreshold"], probe["successThreshold"], probe["timeoutSeconds"] = int64(3), int64(1), int64(1)
	for _, port := range container["ports"].(list) {
		port.(object)["protocol"] = "TCP"
	}
}

func deployment(containers, variables, annotations int) object {
	all := list{}
	for i := range containers {
		all = append(all, container(fmt.Sprint("web-", i), "registry.example.com/web:1.2.3", variables))
	}
	labels := object{"app.kubernetes.io/instance": "shop", "app.kubernetes.io/name": "web"}
	notes := object{"example.com/team": "web"}
	for i := range annotations {
		key, value := annotation("m", i)
		notes[key] = value
	}
	return object{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"metadata":   object{"name": "web", "namespace": "shop", "labels": labels, "annotations": notes},
		"spec": object{"replicas": 3, "selector": object{"matchLabels": labels},
			"template": object{"metadata": object{"labels": labels}, "spec": object{
				"containers": all, "serviceAccountName": "web",
				"volumes": list{object{"configMap": object{"name": "web"}, "name": "config"}}}}},
	}
}

func podSpec(deployment object) object {
	return deployment["spec"].(object)["template"].(object)["spec"].(object)
}

// change is what people do: the image, a variable that is gone and another one, one more volume; and a half of the annotations,
// for others that stand before all.
func change(deployment object, annotations int) object {
	notes, pod := deployment["metadata"].(object)["annotations"].(object), podSpec(deployment)
	for i := 0; i < annotations; i += 2 {
		gone, _ := annotation("m", i)
		delete(notes, gone)
		key, value := annotation("a", i)
		notes[key] = value
	}
	first := pod["containers"].(list)[0].(object)
	first["image"] = "registry.example.com/web:1.2.4"
	env := first["env"].(list)
	first["env"] = append(env[:2:2], append(env[3:], object{"name": "NEW", "value": "1"})...)
	pod["volumes"] = append(pod["volumes"].(list), object{"emptyDir": object{}, "name": "scratch"})
	return deployment
}

// toUnstructured makes all numbers what they are after decoding.
func toUnstructured(o object) *unstructured.Unstructured {
	text, err := json.Marshal(o)
	check(err)
	return decode(text)
}

// live is a Deployment that was created by an apply, has the server's defaults, and that the controller has worked on.
func live(configuration *unstructured.Unstructured) *unstructured.Unstructured {
	empty := toUnstructured(object{"apiVersion": "apps/v1", "kind": "Deployment"})
	applied := must(newManager(deploymentKind, "").Apply(empty, configuration, "ctl", false)).(*unstructured.Unstructured)
	created := applied.DeepCopy() // it has parts of the configuration in it
	created.SetUID("0b6a4f1e-5d0e-4c1b-a2f7-3e9d8c7b6a5f")
	created.SetResourceVersion("200000042")
	created.SetCreationTimestamp(metav1.NewTime(time.Unix(1_500_000_000, 0)))
	created.SetGeneration(1)
	spec, pod := created.Object["spec"].(object), podSpec(created.Object)
	spec["progressDeadlineSeconds"], spec["revisionHistoryLimit"] = int64(600), int64(10)
	spec["strategy"] = object{"rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": "25%"}, "type": "RollingUpdate"}
	for _, each := range pod["containers"].(list) {
		setDefaults(each.(object))
	}
	pod["dnsPolicy"], pod["restartPolicy"], pod["schedulerName"] = "ClusterFirst", "Always", "default-scheduler"
	pod["securityContext"], pod["terminationGracePeriodSeconds"] = object{}, int64(30)

	revised := created.DeepCopy()
	notes := revised.GetAnnotations()
	notes["deployment.kubernetes.io/revision"] = "1"
	revised.SetAnnotations(notes)
	must(newManager(deploymentKind, "").Update(created, revised, "kube-controller-manager"))

	observed := revised.DeepCopy()
	observed.Object["status"] = object{"availableReplicas": int64(3), "observedGeneration": int64(1), "readyReplicas": int64(3),
		"replicas": int64(3), "updatedReplicas": int64(3), "conditions": list{object{"type": "Available", "status": "True",
			"reason": "MinimumReplicasAvailable", "message": "Deployment has minimum availability.",
			"lastTransitionTime": "2017-07-14T02:40:10Z", "lastUpdateTime": "2017-07-14T02:40:10Z"}}}
	must(newManager(deploymentKind, "status").Update(revised, observed, "kube-controller-manager"))
	setTimes(observed, time.Unix(1_500_000_000, 0))
	return observed
}

// setTimes makes the entries old: what is written now comes after them.
func setTimes(o *unstructured.Unstructured, at time.Time) {
	entries := o.GetManagedFields()
	for i := range entries {
		entries[i].Time = &metav1.Time{Time: at.UTC()}
	}
	o.SetManagedFields(entries)
}

// update is what kubectl scale and kubectl annotate do. An object without managedFields keeps those of the stored one.
func update(live *unstructured.Unstructured) *unstructured.Unstructured {
	updated := live.DeepCopy()
	updated.SetManagedFields(nil)
	notes := updated.GetAnnotations()
	notes["example.com/reviewed"] = "yes"
	updated.SetAnnotations(notes)
	updated.Object["spec"].(object)["replicas"] = int64(5)
	return updated
}

func write(folder, name string) error {
	size := sizes[name]
	same := toUnstructured(deployment(size.containers, size.variables, size.annotations))
	configuration := toUnstructured(change(deployment(size.containers, size.variables, size.annotations), size.annotations))
	stored := live(same)
	in := inputs{Want: map[string]json.RawMessage{}}
	for _, each := range []struct {
		to    *json.RawMessage
		value *unstructured.Unstructured
	}{{&in.Live, stored}, {&in.Same, same}, {&in.Configuration, configuration}, {&in.Updated, update(stored)}} {
		var err error
		if *each.to, err = json.Marshal(each.value.Object); err != nil {
			return err
		}
	}
	for _, part := range parts(&in) {
		result, err := part.run()
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		in.Want[part.name] = resultOf(result)
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".json"), text, 0o644)
}
