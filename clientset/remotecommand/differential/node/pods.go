package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Pods with these names, or with names that begin with one of them and a hyphen, do not run; all others do, in any namespace.
const (
	missing     = "missing"     // the API server does not have it
	forgotten   = "forgotten"   // the kubelet does not have it
	unscheduled = "unscheduled" // it has no node
	unstarted   = "unstarted"   // its container has not been created
	crashed     = "crashed"     // its container has ended
)

// pair is a pod of two containers. The second one leaves it to the kubelet to end its output.
const (
	pair   = "pair"
	app    = "app"
	untidy = "untidy"
)

func isOf(name, kind string) bool { return name == kind || strings.HasPrefix(name, kind+"-") }

func findPod(namespace, name string) (*corev1.Pod, error) {
	if isOf(name, missing) {
		return nil, apierrors.NewNotFound(corev1.Resource("pods"), name)
	}
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(name)},
		Spec:       corev1.PodSpec{NodeName: "node"},
		Status:     corev1.PodStatus{Phase: corev1.PodRunning},
	}
	names := []string{app}
	if isOf(name, pair) {
		names = append(names, untidy)
	}
	for _, container := range names {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: container, Image: container})
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name:  container,
			Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		})
	}
	if isOf(name, unscheduled) {
		pod.Spec.NodeName = ""
	}
	return pod, nil
}

// findContainer is what the API server does before it asks a kubelet.
func findContainer(pod *corev1.Pod, container string) (string, error) {
	var names []string
	for _, each := range pod.Spec.Containers {
		if each.Name == container {
			return container, nil
		}
		names = append(names, each.Name)
	}
	switch {
	case container != "":
		return "", apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", container, pod.Name))
	case len(names) > 1:
		return "", apierrors.NewBadRequest(
			fmt.Sprintf("a container name must be specified for pod %s, choose one of: %s", pod.Name, names))
	}
	return names[0], nil
}
