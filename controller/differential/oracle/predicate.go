package main

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func selected(text string) (predicate.Predicate, error) {
	selector, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		return nil, err
	}
	return predicate.LabelSelectorPredicate(*selector)
}

// parse makes a predicate of an array: its name, and its parts or its selector.
func parse(raw json.RawMessage) (predicate.Predicate, error) {
	var words []json.RawMessage
	if err := json.Unmarshal(raw, &words); err != nil {
		return nil, err
	}
	var name string
	if err := json.Unmarshal(words[0], &name); err != nil {
		return nil, err
	}
	switch name {
	case "generation":
		return predicate.GenerationChangedPredicate{}, nil
	case "labels":
		return predicate.LabelChangedPredicate{}, nil
	case "annotations":
		return predicate.AnnotationChangedPredicate{}, nil
	case "version":
		return predicate.ResourceVersionChangedPredicate{}, nil
	case "selected":
		var text string
		if err := json.Unmarshal(words[1], &text); err != nil {
			return nil, err
		}
		return selected(text)
	}
	parts := []predicate.Predicate{}
	for _, word := range words[1:] {
		part, err := parse(word)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	switch name {
	case "and":
		return predicate.And[client.Object](parts...), nil
	case "or":
		return predicate.Or[client.Object](parts...), nil
	case "not":
		return predicate.Not[client.Object](parts[0]), nil
	}
	return nil, fmt.Errorf("no predicate %q", name)
}

// passes answers whether the predicate passes the creation of the new object, the update from the old one to it, and the
// deletion of the old one.
func passes(text string) (string, error) {
	var question struct {
		Predicate json.RawMessage
		Old, New  appsv1.Deployment
	}
	if err := json.Unmarshal([]byte(text), &question); err != nil {
		return "", err
	}
	judge, err := parse(question.Predicate)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%t %t %t", judge.Create(event.CreateEvent{Object: &question.New}),
		judge.Update(event.UpdateEvent{ObjectOld: &question.Old, ObjectNew: &question.New}),
		judge.Delete(event.DeleteEvent{Object: &question.Old})), nil
}
