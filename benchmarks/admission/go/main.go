// The twin of ours_main.cc on controller-runtime: a webhook server that sets defaults in pods, and judges them. ../ours_main.cc says how it is
// called.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var (
	port         = flag.Int("port", 9443, "the port of 127.0.0.1")
	certificates = flag.String("certificates", "", "the folder of tls.crt and tls.key")
)

type defaulter struct{}

func (defaulter) Default(_ context.Context, pod *corev1.Pod) error {
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	pod.Labels["bench/defaulted"] = "true"
	for i := range pod.Spec.Containers {
		if container := &pod.Spec.Containers[i]; container.ImagePullPolicy == "" {
			container.ImagePullPolicy = corev1.PullIfNotPresent
		}
	}
	return nil
}

type validator struct{}

func (validator) ValidateCreate(_ context.Context, pod *corev1.Pod) (admission.Warnings, error) {
	return nil, check(pod)
}

func (validator) ValidateUpdate(_ context.Context, _, pod *corev1.Pod) (admission.Warnings, error) {
	return nil, check(pod)
}

func (validator) ValidateDelete(context.Context, *corev1.Pod) (admission.Warnings, error) {
	return nil, nil
}

func check(pod *corev1.Pod) error {
	var wrong field.ErrorList
	if pod.Spec.HostNetwork {
		wrong = append(wrong, field.Forbidden(field.NewPath("spec", "hostNetwork"), "not here"))
	}
	containers := field.NewPath("spec", "containers")
	for i := range pod.Spec.Containers {
		if _, limited := pod.Spec.Containers[i].Resources.Limits[corev1.ResourceMemory]; !limited {
			wrong = append(wrong, field.Required(containers.Index(i).Child("resources", "limits", "memory"), "set a limit"))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, pod.Name, wrong)
}

func main() {
	log.SetLogger(logr.Discard())
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certificates})
	server.Register("/mutate--v1-pod", admission.WithDefaulter[*corev1.Pod](scheme.Scheme, defaulter{}))
	server.Register("/validate--v1-pod", admission.WithValidator[*corev1.Pod](scheme.Scheme, validator{}))
	if err := server.Start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "controller-runtime:", err)
		os.Exit(1)
	}
}
