// Command apply_oracle answers what managedFields client-go's Apply leaves on a server. The argument is JSON.
//
//	apply	an object, applied with one configuration after the other and then deleted -> its entries after each apply
//
// An entry is a line: MANAGER OPERATION APIVERSION SUBRESOURCE TIME FIELDS, "-" instead of the time and of no subresource.
package main

import (
	"context"
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kube/tests/oracle"
)

// What stands between the entries after an apply and those after the next one.
const separator = "\n--\n"

type life struct {
	Kubeconfig, Manager                       string
	Group, Version, Resource, Namespace, Name string
	Configurations                            []json.RawMessage
}

// text leaves out the entries of subresources: the server's controllers write a status meanwhile.
func text(entries []metav1.ManagedFieldsEntry) string {
	var lines []string
	for _, entry := range entries {
		if entry.Subresource != "" {
			continue
		}
		lines = append(lines, strings.Join([]string{entry.Manager, string(entry.Operation), entry.APIVersion, "-", "-",
			entry.FieldsV1.GetRawString()}, " "))
	}
	return strings.Join(lines, "\n")
}

func (l *life) live(config *rest.Config) (string, error) {
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return "", err
	}
	// It receives the entries as the server has them; a map would have their fields in another order.
	stored, err := metadata.NewForConfig(config)
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	resource := schema.GroupVersionResource{Group: l.Group, Version: l.Version, Resource: l.Resource}
	var texts []string
	for _, content := range l.Configurations {
		configuration := &unstructured.Unstructured{}
		if err := configuration.UnmarshalJSON(content); err != nil {
			return "", err
		}
		_, err := objects.Resource(resource).Namespace(l.Namespace).Apply(ctx, l.Name, configuration,
			metav1.ApplyOptions{FieldManager: l.Manager})
		if err != nil {
			return "", err
		}
		object, err := stored.Resource(resource).Namespace(l.Namespace).Get(ctx, l.Name, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		texts = append(texts, text(object.ManagedFields))
	}
	err = objects.Resource(resource).Namespace(l.Namespace).Delete(ctx, l.Name, metav1.DeleteOptions{})
	return strings.Join(texts, separator), err
}

func apply(argument []byte) (string, error) {
	l := &life{}
	if err := json.Unmarshal(argument, l); err != nil {
		return "", err
	}
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return "", err
	}
	config.QPS = -1
	return l.live(config)
}

func main() { oracle.Serve(map[string]func([]byte) (string, error){"apply": apply}) }
