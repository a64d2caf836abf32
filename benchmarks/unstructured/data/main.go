// Writes the data of tools/bench unstructured: 10,000 custom resources (resources.json) and 1,000 Deployments (deployments.json), as
// an API server sends them. The same bytes every time.
//
// A file holds records: four bytes of length, little-endian, and that many bytes. The last record is the list of all
// objects, those before it are the objects. Behind it stand a length of zero and zeros that a parser may read beyond the end.
//
// Four of ten are certificates as cert-manager has them, three are applications as Argo CD has them, three are cloud resources as
// Crossplane has them: what is written once for each and what many share, conditions, managed fields.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"time"
)

const (
	resourceCount   = 10000
	deploymentCount = 1000
	padding         = 64 // bytes that a parser may read beyond the end
)

type object = map[string]any
type list = []any

type generator struct{ *rand.Rand }

func (g generator) hex(n int) string {
	const digits = "0123456789abcdef"
	text := make([]byte, n)
	for i := range text {
		text[i] = digits[g.Intn(16)]
	}
	return string(text)
}

func (g generator) uid() string {
	return g.hex(8) + "-" + g.hex(4) + "-4" + g.hex(3) + "-a" + g.hex(3) + "-" + g.hex(12)
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (g generator) time() string {
	return start.Add(time.Duration(g.Intn(30*24*3600)) * time.Second).Format(time.RFC3339)
}

func (g generator) pick(texts ...string) string { return texts[g.Intn(len(texts))] }

// fields is FieldsV1 of all that the value has.
func fields(value any) any {
	members, ok := value.(object)
	if !ok {
		return object{}
	}
	owned := object{}
	for name, member := range members {
		owned["f:"+name] = fields(member)
	}
	return owned
}

func (g generator) managed(o object, manager, subresource string, members ...string) object {
	owned := object{}
	for _, name := range members {
		if member, ok := o[name]; ok {
			owned["f:"+name] = fields(member)
		}
	}
	entry := object{"apiVersion": o["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": owned, "manager": manager,
		"operation": "Update", "time": g.time()}
	if subresource != "" {
		entry["subresource"] = subresource
	}
	return entry
}

func (g generator) condition(kind, reason, message string) object {
	return object{"lastTransitionTime": g.time(), "message": message, "observedGeneration": g.Intn(5) + 1, "reason": reason,
		"status": g.pick("True", "True", "True", "False"), "type": kind}
}

func (g generator) metadata(i int, namespace, name string, labels object) object {
	return object{
		"annotations":       object{"example.com/revision": fmt.Sprint(g.Intn(50)), "example.com/team": g.pick("web", "data", "platform")},
		"creationTimestamp": g.time(),
		"generation":        g.Intn(9) + 1,
		"labels":            labels,
		"name":              name,
		"namespace":         namespace,
		"resourceVersion":   fmt.Sprint(200000000 + i*7),
		"uid":               g.uid(),
	}
}

func (g generator) certificate(i int) object {
	app := g.pick("shop", "billing", "search", "identity", "mail")
	namespace := fmt.Sprintf("%s-%d", app, g.Intn(40))
	name := fmt.Sprintf("%s-tls-%d", app, i)
	host := fmt.Sprintf("%s.%s.example.com", name, namespace)
	o := object{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "Certificate",
		"metadata":   g.metadata(i, namespace, name, object{"app.kubernetes.io/instance": app, "app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": app + "-1.2.3"}),
		"spec": object{
			"dnsNames":    list{host, "www." + host},
			"duration":    "2160h0m0s",
			"issuerRef":   object{"group": "cert-manager.io", "kind": "ClusterIssuer", "name": "letsencrypt-production"},
			"privateKey":  object{"algorithm": "RSA", "rotationPolicy": "Always", "size": 2048},
			"renewBefore": "360h0m0s",
			"secretName":  name,
			"usages":      list{"digital signature", "key encipherment", "server auth"},
		},
		"status": object{
			"conditions":  list{g.condition("Ready", "Ready", "Certificate is up to date and has not expired")},
			"notAfter":    g.time(),
			"notBefore":   g.time(),
			"renewalTime": g.time(),
			"revision":    g.Intn(20) + 1,
		},
	}
	o["metadata"].(object)["ownerReferences"] = list{object{"apiVersion": "networking.k8s.io/v1", "blockOwnerDeletion": true,
		"controller": true, "kind": "Ingress", "name": app, "uid": g.uid()}}
	o["metadata"].(object)["managedFields"] = list{g.managed(o, "cert-manager-ingress-shim", "", "metadata", "spec"),
		g.managed(o, "cert-manager-certificates-readiness", "status", "status")}
	return o
}

func (g generator) application(i int) object {
	team := g.pick("web", "data", "platform", "ml")
	name := fmt.Sprintf("%s-service-%d", team, i)
	resources := list{}
	for j := range 4 + g.Intn(12) {
		kind := g.pick("Deployment", "Service", "ConfigMap", "Ingress", "ServiceAccount")
		resource := object{"kind": kind, "name": fmt.Sprintf("%s-%d", name, j), "namespace": team, "status": "Synced", "version": "v1"}
		if kind == "Deployment" {
			resource["group"] = "apps"
			resource["health"] = object{"status": g.pick("Healthy", "Healthy", "Progressing")}
		}
		resources = append(resources, resource)
	}
	revision := g.hex(40)
	o := object{
		"apiVersion": "argoproj.io/v1alpha1",
		"kind":       "Application",
		"metadata":   g.metadata(i, "argocd", name, object{"argocd.argoproj.io/instance": "root-" + team, "team": team}),
		"spec": object{
			"destination": object{"namespace": team, "server": "https://kubernetes.default.svc"},
			"ignoreDifferences": list{object{"group": "apps", "jsonPointers": list{"/spec/replicas"}, "kind": "Deployment"},
				object{"group": "admissionregistration.k8s.io", "jqPathExpressions": list{".webhooks[].clientConfig.caBundle"}, "kind": "MutatingWebhookConfiguration"}},
			"project": team,
			"source": object{"helm": object{"parameters": list{object{"name": "image.tag", "value": "v1." + fmt.Sprint(g.Intn(90))},
				object{"name": "replicas", "value": fmt.Sprint(g.Intn(9) + 1)}}, "valueFiles": list{"values.yaml", "values-production.yaml"}},
				"path": "charts/" + name, "repoURL": "https://git.example.com/" + team + "/deployments.git", "targetRevision": "main"},
			"syncPolicy": object{"automated": object{"prune": true, "selfHeal": true},
				"retry":       object{"backoff": object{"duration": "5s", "factor": 2, "maxDuration": "3m"}, "limit": 5},
				"syncOptions": list{"CreateNamespace=true", "ServerSideApply=true", "PruneLast=true"}},
		},
		"status": object{
			"health":       object{"lastTransitionTime": g.time(), "status": "Healthy"},
			"history":      list{object{"deployStartedAt": g.time(), "deployedAt": g.time(), "id": g.Intn(40), "revision": g.hex(40)}, object{"deployStartedAt": g.time(), "deployedAt": g.time(), "id": g.Intn(40), "revision": revision}},
			"reconciledAt": g.time(),
			"resources":    resources,
			"sourceType":   "Helm",
			"summary":      object{"externalURLs": list{"https://" + name + ".example.com/"}, "images": list{"registry.example.com/" + team + "/" + name + ":v1." + fmt.Sprint(g.Intn(90))}},
			"sync":         object{"revision": revision, "status": "Synced"},
		},
	}
	o["metadata"].(object)["finalizers"] = list{"resources-finalizer.argocd.argoproj.io"}
	o["metadata"].(object)["managedFields"] = list{g.managed(o, "argocd-application-controller", "", "metadata", "status"),
		g.managed(o, "kubectl-client-side-apply", "", "metadata", "spec")}
	return o
}

func (g generator) cloudResource(i int) object {
	name := fmt.Sprintf("database-%s-%d", g.hex(5), i)
	region := g.pick("eu-central-1", "eu-west-1", "us-east-1")
	parameters := object{"allocatedStorage": 20 * (g.Intn(10) + 1), "autoMinorVersionUpgrade": true, "backupRetentionPeriod": 7,
		"dbSubnetGroupNameRef": object{"name": "private-" + region}, "engine": "postgres", "engineVersion": "16.4",
		"instanceClass": g.pick("db.t3.medium", "db.r6g.large", "db.r6g.xlarge"), "maxAllocatedStorage": 1000, "multiAz": g.Intn(2) == 0,
		"performanceInsightsEnabled": true, "region": region, "storageEncrypted": true, "storageThroughput": 125.5,
		"tags":                object{"cost-center": fmt.Sprint(g.Intn(90)), "crossplane-kind": "instance.rds.aws.upbound.io", "crossplane-name": name, "crossplane-providerconfig": "default"},
		"vpcSecurityGroupIds": list{"sg-" + g.hex(17)}}
	observed := object{"address": name + "." + g.hex(12) + "." + region + ".rds.amazonaws.com", "arn": "arn:aws:rds:" + region + ":123456789012:db:" + name,
		"hostedZoneId": "Z1RLNUO7B9Q6NB", "latestRestorableTime": g.time(), "port": 5432, "replicas": list{}, "resourceId": "db-" + g.hex(26), "status": "available"}
	for member, value := range parameters {
		observed[member] = value
	}
	o := object{
		"apiVersion": "rds.aws.upbound.io/v1beta2",
		"kind":       "Instance",
		"metadata":   g.metadata(i, "", name, object{"crossplane.io/claim-name": name, "crossplane.io/claim-namespace": "team-" + fmt.Sprint(g.Intn(60)), "crossplane.io/composite": name + "-" + g.hex(5)}),
		"spec": object{"deletionPolicy": "Delete", "forProvider": parameters, "initProvider": object{}, "managementPolicies": list{"*"},
			"providerConfigRef": object{"name": "default"}, "writeConnectionSecretToRef": object{"name": name, "namespace": "crossplane-system"}},
		"status": object{"atProvider": observed, "conditions": list{g.condition("Ready", "Available", ""),
			g.condition("Synced", "ReconcileSuccess", ""), g.condition("LastAsyncOperation", "Success", "")}},
	}
	metadata := o["metadata"].(object)
	delete(metadata, "namespace")
	metadata["annotations"].(object)["crossplane.io/external-create-succeeded"] = g.time()
	metadata["annotations"].(object)["crossplane.io/external-name"] = name
	metadata["finalizers"] = list{"finalizer.managedresource.crossplane.io"}
	metadata["managedFields"] = list{g.managed(o, "apiextensions.crossplane.io/composed/"+g.hex(64), "", "metadata", "spec"),
		g.managed(o, "provider", "", "metadata"), g.managed(o, "provider", "status", "status")}
	return o
}

func (g generator) deployment(i int) object {
	name := fmt.Sprintf("web-%d", i)
	labels := object{"app.kubernetes.io/instance": name, "app.kubernetes.io/name": "web"}
	env := list{object{"name": "POD_NAME", "valueFrom": object{"fieldRef": object{"apiVersion": "v1", "fieldPath": "metadata.name"}}}}
	for j := range 2 + g.Intn(8) {
		env = append(env, object{"name": fmt.Sprintf("SETTING_%d", j), "value": g.hex(10 + g.Intn(20))})
	}
	container := object{"args": list{"--port=8080", "--level=info"}, "env": env, "image": "registry.example.com/web:" + g.hex(12),
		"imagePullPolicy": "IfNotPresent", "livenessProbe": object{"failureThreshold": 3, "httpGet": object{"path": "/healthz", "port": "http", "scheme": "HTTP"}, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1},
		"name": "web", "ports": list{object{"containerPort": 8080, "name": "http", "protocol": "TCP"}},
		"resources":              object{"limits": object{"cpu": "2", "memory": "1Gi"}, "requests": object{"cpu": "100m", "memory": "256Mi"}},
		"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
		"volumeMounts": list{object{"mountPath": "/etc/web", "name": "config", "readOnly": true}}}
	o := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": g.metadata(i, "prod", name, labels),
		"spec": object{"progressDeadlineSeconds": 600, "replicas": g.Intn(20) + 1, "revisionHistoryLimit": 10, "selector": object{"matchLabels": labels},
			"strategy": object{"rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": 1}, "type": "RollingUpdate"},
			"template": object{"metadata": object{"labels": labels}, "spec": object{"containers": list{container}, "dnsPolicy": "ClusterFirst",
				"restartPolicy": "Always", "schedulerName": "default-scheduler", "securityContext": object{"runAsNonRoot": true}, "serviceAccountName": "web",
				"terminationGracePeriodSeconds": 30, "volumes": list{object{"configMap": object{"defaultMode": 420, "name": "web"}, "name": "config"}}}}},
		"status": object{"availableReplicas": 3, "conditions": list{object{"lastTransitionTime": g.time(), "lastUpdateTime": g.time(),
			"message": "Deployment has minimum availability.", "reason": "MinimumReplicasAvailable", "status": "True", "type": "Available"}},
			"observedGeneration": 3, "readyReplicas": 3, "replicas": 3, "updatedReplicas": 3}}
	o["metadata"].(object)["managedFields"] = list{g.managed(o, "kubectl-client-side-apply", "", "metadata", "spec"),
		g.managed(o, "kube-controller-manager", "status", "status")}
	return o
}

func write(path string, items list) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	all := object{"apiVersion": "v1", "items": items, "kind": "List", "metadata": object{"resourceVersion": "2000000000"}}
	for _, record := range append(items, all) {
		text, err := json.Marshal(record)
		if err != nil {
			return err
		}
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
		out.Write(text)
	}
	out.Write(make([]byte, 4+padding))
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func run(folder string) error {
	g := generator{rand.New(rand.NewSource(1))}
	resources, deployments := list{}, list{}
	for i := range resourceCount {
		switch n := g.Intn(10); {
		case n < 4:
			resources = append(resources, g.certificate(i))
		case n < 7:
			resources = append(resources, g.application(i))
		default:
			resources = append(resources, g.cloudResource(i))
		}
	}
	// As a server lists them, kind by kind.
	sort.SliceStable(resources, func(a, b int) bool {
		return resources[a].(object)["kind"].(string) < resources[b].(object)["kind"].(string)
	})
	for i := range deploymentCount {
		deployments = append(deployments, g.deployment(i))
	}
	if err := write(filepath.Join(folder, "resources.json"), resources); err != nil {
		return err
	}
	return write(filepath.Join(folder, "deployments.json"), deployments)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: data FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "data:", err)
		os.Exit(1)
	}
}
