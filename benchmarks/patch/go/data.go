package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type object = map[string]any
type list = []any

// What both programs read: a Deployment as it was applied last, as it is to be, and as it is; a JSON patch as a webhook
// answers it; and what Go makes of them, by the names of the parts.
type inputs struct {
	Original  json.RawMessage            `json:"original"`
	Modified  json.RawMessage            `json:"modified"`
	Current   json.RawMessage            `json:"current"`
	JSONPatch json.RawMessage            `json:"jsonPatch"`
	Want      map[string]json.RawMessage `json:"want"`
}

// Containers, the environment variables of each, and annotations. With many of the last the patches are of about the
// size of the object: a half of the annotations is deleted, and as many are added.
var sizes = map[string]struct{ containers, variables, annotations int }{
	"small": {1, 5, 0}, "large": {8, 30, 0}, "30kB": {1, 5, 400}, "300kB": {1, 5, 4_500}, "3MB": {1, 5, 45_000}}

func annotation(prefix string, i int) (string, string) {
	return fmt.Sprintf("%s.example.com/setting-%06d", prefix, i), fmt.Sprint("value of the setting ", i)
}

func annotate(deployment object, annotations int) object {
	all := deployment["metadata"].(object)["annotations"].(object)
	for i := range annotations {
		key, value := annotation("m", i)
		all[key] = value
	}
	return deployment
}

// Without every second annotation; those that come instead stand before all others.
func exchange(deployment object, annotations int) object {
	all := deployment["metadata"].(object)["annotations"].(object)
	for i := range annotations {
		key, value := annotation("m", i)
		if i%2 == 0 {
			key, value = annotation("a", i)
		}
		all[key] = value
	}
	return deployment
}

// The same as operations, as many as an API server takes.
func operations(annotations int) list {
	all := list{}
	for i := 0; i < annotations && len(all) < 9_000; i += 2 {
		gone, _ := annotation("m", i)
		key, value := annotation("a", i)
		escape := strings.NewReplacer("/", "~1")
		all = append(all, object{"op": "remove", "path": "/metadata/annotations/" + escape.Replace(gone)},
			object{"op": "add", "path": "/metadata/annotations/" + escape.Replace(key), "value": value})
	}
	return all
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

func deployment(containers, variables int) object {
	all := list{}
	for i := range containers {
		all = append(all, container(fmt.Sprint("web-", i), "registry.example.com/web:1.2.3", variables))
	}
	labels := object{"app.kubernetes.io/instance": "shop", "app.kubernetes.io/name": "web"}
	return object{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"metadata": object{"name": "web", "namespace": "shop", "labels": labels,
			"annotations": object{"example.com/revision": "41", "example.com/team": "web"}},
		"spec": object{"replicas": 3, "selector": object{"matchLabels": labels},
			"strategy": object{"rollingUpdate": object{"maxSurge": "25%"}, "type": "RollingUpdate"},
			"template": object{"metadata": object{"labels": labels}, "spec": object{
				"containers": all, "serviceAccountName": "web",
				"volumes": list{object{"configMap": object{"name": "web"}, "name": "config"}}}}},
	}
}

func podSpec(deployment object) object {
	return deployment["spec"].(object)["template"].(object)["spec"].(object)
}

// What people change: the image, a variable, one more volume, another strategy; and an annotation that is gone.
func modify(deployment object) object {
	metadata, spec, pod := deployment["metadata"].(object), deployment["spec"].(object), podSpec(deployment)
	metadata["annotations"] = object{"example.com/revision": "42"}
	spec["strategy"] = object{"type": "Recreate"}
	first := pod["containers"].(list)[0].(object)
	first["image"] = "registry.example.com/web:1.2.4"
	env := first["env"].(list)
	first["env"] = append(env[:2:2], append(env[3:], object{"name": "NEW", "value": "1"})...)
	pod["volumes"] = append(pod["volumes"].(list), object{"emptyDir": object{}, "name": "scratch"})
	return deployment
}

// What others change meanwhile: defaults, another number of replicas, a container beside, what is managed, the status.
func live(deployment object) object {
	metadata, spec, pod := deployment["metadata"].(object), deployment["spec"].(object), podSpec(deployment)
	metadata["uid"] = "0b6a4f1e-5d0e-4c1b-a2f7-3e9d8c7b6a5f"
	metadata["resourceVersion"] = "200000042"
	metadata["creationTimestamp"] = "2026-01-01T00:00:00Z"
	metadata["generation"] = 7
	metadata["annotations"].(object)["deployment.kubernetes.io/revision"] = "7"
	owned := object{"f:spec": object{"f:replicas": object{}, "f:template": object{"f:spec": object{"f:containers": object{}}}}}
	metadata["managedFields"] = list{object{"apiVersion": "apps/v1", "fieldsType": "FieldsV1", "fieldsV1": owned,
		"manager": "kubectl-client-side-apply", "operation": "Update", "time": "2026-01-01T00:00:00Z"}}
	spec["replicas"] = 5
	spec["progressDeadlineSeconds"] = 600
	spec["revisionHistoryLimit"] = 10
	for _, each := range pod["containers"].(list) {
		each.(object)["imagePullPolicy"] = "IfNotPresent"
		each.(object)["terminationMessagePath"] = "/dev/termination-log"
		each.(object)["terminationMessagePolicy"] = "File"
	}
	pod["containers"] = append(pod["containers"].(list), container("proxy", "registry.example.com/proxy:9", 3))
	pod["dnsPolicy"] = "ClusterFirst"
	pod["restartPolicy"] = "Always"
	pod["schedulerName"] = "default-scheduler"
	pod["terminationGracePeriodSeconds"] = 30
	deployment["status"] = object{"availableReplicas": 5, "observedGeneration": 7, "readyReplicas": 5, "replicas": 5, "updatedReplicas": 5}
	return deployment
}

// What a webhook answers that puts a container beside the others.
var webhook = list{
	object{"op": "test", "path": "/spec/replicas", "value": 5},
	object{"op": "add", "path": "/metadata/annotations/example.com~1injected", "value": "true"},
	object{"op": "add", "path": "/spec/template/spec/containers/-", "value": container("sidecar", "registry.example.com/sidecar:1", 5)},
	object{"op": "add", "path": "/spec/template/spec/volumes/0", "value": object{"emptyDir": object{}, "name": "sidecar"}},
	object{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "registry.example.com/web@sha256:0"},
	object{"op": "copy", "from": "/metadata/labels", "path": "/spec/template/metadata/labels"},
	object{"op": "remove", "path": "/spec/template/spec/containers/0/env/1"},
}

func write(folder, name string, containers, variables, annotations int) error {
	in := inputs{Want: map[string]json.RawMessage{}}
	for _, each := range []struct {
		to    *json.RawMessage
		value any
	}{
		{&in.Original, annotate(deployment(containers, variables), annotations)},
		{&in.Modified, exchange(modify(deployment(containers, variables)), annotations)},
		{&in.Current, live(annotate(deployment(containers, variables), annotations))},
		{&in.JSONPatch, append(webhook[:len(webhook):len(webhook)], operations(annotations)...)},
	} {
		var err error
		if *each.to, err = json.Marshal(each.value); err != nil {
			return err
		}
	}
	for _, part := range parts(&in) {
		result, err := part.run()
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if text, ok := result.([]byte); ok {
			result = json.RawMessage(text)
		}
		if in.Want[part.name], err = json.Marshal(result); err != nil {
			return err
		}
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".json"), text, 0o644)
}
