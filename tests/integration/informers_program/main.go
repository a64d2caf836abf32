// informers_program KUBECONFIG NAMESPACE SELECTOR: ten shared informers of client-go, of config
// maps: typed, in protobuf and JSON, unstructured and metadata-only; one of a namespace, one with a
// selector of labels.
//
// Answers each line that it reads by one with a word for each informer, NAME=SCOPE=OBJECTS-HASH:
// the scope is all, namespace or selector; the hash is FNV-1a of the lines "NAMESPACE/NAME
// RESOURCEVERSION\n" of all objects in its cache, sorted. Ends with its input.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

type informer struct {
	name, scope string
	cache.SharedIndexInformer
}

func withContentType(config *rest.Config, contentType string) *rest.Config {
	config = rest.CopyConfig(config)
	config.ContentType = contentType
	return config
}

func typed(config *rest.Config, options ...informers.SharedInformerOption) cache.SharedIndexInformer {
	client := must(kubernetes.NewForConfig(config))
	return informers.NewSharedInformerFactoryWithOptions(client, 0, options...).Core().V1().ConfigMaps().Informer()
}

func make10(config *rest.Config, namespace, selector string) []informer {
	protobuf := withContentType(config, "application/vnd.kubernetes.protobuf")
	json := withContentType(config, "application/json")
	ofNamespace := informers.WithNamespace(namespace)
	selecting := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = selector })
	unstructured := func() cache.SharedIndexInformer {
		client := must(dynamic.NewForConfig(json))
		return dynamicinformer.NewFilteredDynamicInformer(client, configMaps, "", 0, cache.Indexers{}, nil).Informer()
	}
	ofMetadata := metadatainformer.NewFilteredMetadataInformer(
		must(metadata.NewForConfig(config)), configMaps, "", 0, cache.Indexers{}, nil).Informer()
	return []informer{
		{"protobuf-1", "all", typed(protobuf)},
		{"protobuf-2", "all", typed(protobuf)},
		{"protobuf-3", "all", typed(protobuf)},
		{"json-1", "all", typed(json)},
		{"json-2", "all", typed(json)},
		{"unstructured", "all", unstructured()},
		{"metadata", "all", ofMetadata},
		{"json-3", "all", typed(json)},
		{"namespace", "namespace", typed(json, ofNamespace)},
		{"selector", "selector", typed(protobuf, selecting)},
	}
}

func fingerprint(store cache.Store) string {
	lines := []string{}
	for _, object := range store.List() {
		accessor := must(meta.Accessor(object))
		lines = append(lines, fmt.Sprintf("%s/%s %s\n", accessor.GetNamespace(), accessor.GetName(), accessor.GetResourceVersion()))
	}
	slices.Sort(lines)
	hash := fnv.New64a()
	for _, line := range lines {
		hash.Write([]byte(line))
	}
	return fmt.Sprintf("%d-%x", len(lines), hash.Sum64())
}

func main() {
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.QPS = -1
	all := make10(config, os.Args[2], os.Args[3])
	for _, informer := range all {
		go informer.Run(make(chan struct{}))
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		for i, informer := range all {
			if i > 0 {
				fmt.Print(" ")
			}
			fmt.Printf("%s=%s=%s", informer.name, informer.scope, fingerprint(informer.GetStore()))
		}
		fmt.Println()
	}
}
