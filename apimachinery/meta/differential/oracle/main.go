// Command meta_oracle answers what apimachinery and client-go make of metadata.
//
//	compare		two resource versions, with a line feed between -> -1, 0 or 1
//	key		the key of an object -> its namespace and name, and the key made of them, quoted
//	conditions	JSON: conditions and one to set, or the type of one to remove -> what changed, and all of them
//	owners		JSON: the metadata of an owner and of an object -> who controls it
//	delete		JSON: a UID, a resource version, a grace period -> the three kinds of DeleteOptions
//	reset		JSON: two metadata -> the first after ResetObjectMetaForStatus, with whether it has system fields
//	single		JSON: metadata -> the ListOptions of this object
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/tools/cache"

	"kube/tests/oracle"
)

func compare(argument []byte) (string, error) {
	a, b, _ := strings.Cut(string(argument), "\n")
	order, err := resourceversion.CompareResourceVersion(a, b)
	if err != nil {
		return "refused: " + hex.EncodeToString([]byte(err.Error())), nil
	}
	return fmt.Sprint(order), nil
}

func key(argument []byte) (string, error) {
	namespace, name, err := cache.SplitMetaNamespaceKey(string(argument))
	if err != nil {
		return "refused: " + hex.EncodeToString([]byte(err.Error())), nil
	}
	made, err := cache.MetaNamespaceKeyFunc(&metav1.ObjectMeta{Namespace: namespace, Name: name})
	return hex.EncodeToString([]byte(namespace)) + " " + hex.EncodeToString([]byte(name)) + " " + hex.EncodeToString([]byte(made)), err
}

// What was set to now becomes 1970-01-01T01:00:00Z.
func fixed(conditions []metav1.Condition) []metav1.Condition {
	for i := range conditions {
		if age := time.Since(conditions[i].LastTransitionTime.Time); age > -time.Hour && age < time.Hour {
			conditions[i].LastTransitionTime = metav1.Unix(3600, 0)
		}
	}
	return conditions
}

func conditions(argument []byte) (string, error) {
	var request struct {
		Conditions []metav1.Condition
		Set        *metav1.Condition
		Remove     string
	}
	if err := json.Unmarshal(argument, &request); err != nil {
		return "", err
	}
	var changed bool
	kind := request.Remove
	if request.Set != nil {
		changed = meta.SetStatusCondition(&request.Conditions, *request.Set)
		kind = request.Set.Type
	} else {
		changed = meta.RemoveStatusCondition(&request.Conditions, request.Remove)
	}
	all, err := json.Marshal(fixed(request.Conditions))
	return fmt.Sprint(changed, " ", meta.IsStatusConditionTrue(request.Conditions, kind), " ",
		meta.IsStatusConditionFalse(request.Conditions, kind), " ", string(all)), err
}

func owners(argument []byte) (string, error) {
	var request struct {
		Owner, Object        metav1.ObjectMeta
		Group, Version, Kind string
	}
	if err := json.Unmarshal(argument, &request); err != nil {
		return "", err
	}
	made, err := json.Marshal(metav1.NewControllerRef(&request.Owner, schema.GroupVersionKind{Group: request.Group, Version: request.Version, Kind: request.Kind}))
	if err != nil {
		return "", err
	}
	controller, err := json.Marshal(metav1.GetControllerOf(&request.Object))
	return fmt.Sprint(metav1.IsControlledBy(&request.Object, &request.Owner), " ", string(controller), " ", string(made)), err
}

func deleteOptions(argument []byte) (string, error) {
	var request struct {
		UID, ResourceVersion string
		Grace                int64
	}
	if err := json.Unmarshal(argument, &request); err != nil {
		return "", err
	}
	all, err := json.Marshal([]*metav1.DeleteOptions{
		metav1.NewDeleteOptions(request.Grace), metav1.NewPreconditionDeleteOptions(request.UID), metav1.NewRVDeletionPrecondition(request.ResourceVersion)})
	return string(all), err
}

func reset(argument []byte) (string, error) {
	var request struct{ Metadata, Existing metav1.ObjectMeta }
	if err := json.Unmarshal(argument, &request); err != nil {
		return "", err
	}
	metav1.ResetObjectMetaForStatus(&request.Metadata, &request.Existing)
	encoded, err := json.Marshal(request.Metadata)
	return fmt.Sprint(metav1.HasObjectMetaSystemFieldValues(&request.Metadata), " ", string(encoded)), err
}

func single(argument []byte) (string, error) {
	var metadata metav1.ObjectMeta
	if err := json.Unmarshal(argument, &metadata); err != nil {
		return "", err
	}
	encoded, err := json.Marshal(metav1.SingleObject(metadata))
	return string(encoded), err
}

var functions = map[string]func([]byte) (string, error){
	"compare": compare, "key": key, "conditions": conditions, "owners": owners, "delete": deleteOptions, "reset": reset, "single": single,
}

func main() { oracle.Serve(functions) }
