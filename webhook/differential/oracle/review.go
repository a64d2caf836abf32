package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"kube/tests/oracle"
)

// wanted returns the error that a ConfigMap asks for.
func wanted(object *corev1.ConfigMap) error {
	switch object.Data["error"] {
	case "plain":
		return errors.New("the object says so")
	case "conflict":
		return apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "m", errors.New("it has changed"))
	case "busy":
		return fmt.Errorf("ask somebody: %w", apierrors.NewTooManyRequests("later", 3))
	case "unauthorized":
		return apierrors.NewUnauthorized("who are you?")
	}
	return nil
}

// defaulter completes ConfigMaps.
type defaulter struct{}

func (defaulter) Default(_ context.Context, object *corev1.ConfigMap) error {
	if err := wanted(object); err != nil {
		return err
	}
	if object.Data["mode"] == "" {
		if object.Data == nil {
			object.Data = map[string]string{}
		}
		object.Data["mode"] = "standard"
	}
	delete(object.Data, "old")
	if object.Labels == nil {
		object.Labels = map[string]string{}
	}
	object.Labels["defaulted"] = "yes"
	return nil
}

// anyDefaulter completes objects of any kind.
type anyDefaulter struct{}

func (anyDefaulter) Default(_ context.Context, object *unstructured.Unstructured) error {
	return unstructured.SetNestedField(object.Object, "standard", "data", "mode")
}

// validator says what is wrong with ConfigMaps: errors of fields, or the error that the object asks for.
type validator struct{ ofFields bool }

func (v validator) ValidateCreate(ctx context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	return v.validate(ctx, nil, object)
}

func (v validator) ValidateUpdate(ctx context.Context, before, object *corev1.ConfigMap) (admission.Warnings, error) {
	return v.validate(ctx, before, object)
}

func (v validator) ValidateDelete(ctx context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	return v.validate(ctx, nil, object)
}

func (v validator) validate(ctx context.Context, before, object *corev1.ConfigMap) (admission.Warnings, error) {
	var warnings admission.Warnings
	if text, found := object.Data["warn"]; found {
		warnings = append(warnings, text)
	}
	if !v.ofFields {
		return warnings, wanted(object)
	}
	var wrong field.ErrorList
	data := field.NewPath("data")
	if mode, found := object.Data["mode"]; found && mode != "standard" {
		wrong = append(wrong, field.Invalid(data.Key("mode"), mode, "must be standard"))
	}
	if _, found := object.Data["error"]; found {
		wrong = append(wrong, field.Forbidden(data.Key("error"), "nobody wants one"))
	}
	if before != nil && before.Data["old"] != object.Data["old"] {
		wrong = append(wrong, field.Required(data.Key("old"), "must stay"))
	}
	if len(wrong) == 0 {
		return warnings, nil
	}
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupKind{Group: request.Kind.Group, Kind: request.Kind.Kind}
	return warnings, apierrors.NewInvalid(kind, request.Name, wrong)
}

func newServer() webhook.Server {
	scheme := runtime.NewScheme()
	oracle.Check(corev1.AddToScheme(scheme))
	server := webhook.NewServer(webhook.Options{})
	server.Register("/default", admission.WithDefaulter[*corev1.ConfigMap](scheme, defaulter{}))
	server.Register("/default-any", admission.WithDefaulter[*unstructured.Unstructured](scheme, anyDefaulter{}))
	server.Register("/validate", admission.WithValidator[*corev1.ConfigMap](scheme, validator{ofFields: true}))
	server.Register("/admit", admission.WithValidator[*corev1.ConfigMap](scheme, validator{}))
	return server
}

// review answers the HTTP code, a space, and the body of the answer to a POST. "$PADDING" in the body stands for a text of that
// many bytes.
func review(server webhook.Server, text string) (string, error) {
	var question struct {
		Path    string
		Type    string
		Body    string
		Padding int
	}
	if err := json.Unmarshal([]byte(text), &question); err != nil {
		return "", err
	}
	body := strings.ReplaceAll(question.Body, "$PADDING", strings.Repeat("x", question.Padding))
	// As of a server: a body without bytes is http.NoBody.
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	request := httptest.NewRequest(http.MethodPost, question.Path, reader)
	if question.Type != "" {
		request.Header.Set("Content-Type", question.Type)
	}
	recorder := httptest.NewRecorder()
	server.WebhookMux().ServeHTTP(recorder, request)
	return fmt.Sprintf("%d %s", recorder.Code, recorder.Body.String()), nil
}
