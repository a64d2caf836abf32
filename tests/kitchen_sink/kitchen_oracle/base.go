// The Go twin of base.proto: what the kitchen sink is made of.

package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ObjectMeta, with the field numbers of Kubernetes. A zero one is `"metadata":{}`.
type ObjectMeta struct {
	Name         string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	GenerateName string `json:"generateName,omitempty" protobuf:"bytes,2,opt,name=generateName"`
	// A keyword of C++.
	Namespace       string `json:"namespace,omitempty" protobuf:"bytes,3,opt,name=namespace"`
	SelfLink        string `json:"selfLink,omitempty" protobuf:"bytes,4,opt,name=selfLink"`
	UID             string `json:"uid,omitempty" protobuf:"bytes,5,opt,name=uid"`
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,6,opt,name=resourceVersion"`
	Generation      int64  `json:"generation,omitempty" protobuf:"varint,7,opt,name=generation"`
	// Left out where it is zero.
	CreationTimestamp          metav1.Time       `json:"creationTimestamp,omitempty,omitzero" protobuf:"bytes,8,opt,name=creationTimestamp"`
	DeletionTimestamp          *metav1.Time      `json:"deletionTimestamp,omitempty" protobuf:"bytes,9,opt,name=deletionTimestamp"`
	DeletionGracePeriodSeconds *int64            `json:"deletionGracePeriodSeconds,omitempty" protobuf:"varint,10,opt,name=deletionGracePeriodSeconds"`
	Labels                     map[string]string `json:"labels,omitempty" protobuf:"bytes,11,rep,name=labels"`
	Annotations                map[string]string `json:"annotations,omitempty" protobuf:"bytes,12,rep,name=annotations"`
	// +listType=map
	// +listMapKey=uid
	OwnerReferences []OwnerReference `json:"ownerReferences,omitempty" patchStrategy:"merge" patchMergeKey:"uid" protobuf:"bytes,13,rep,name=ownerReferences"`
	// +listType=set
	Finalizers []string `json:"finalizers,omitempty" patchStrategy:"merge" protobuf:"bytes,14,rep,name=finalizers"`
	// +listType=atomic
	ManagedFields []ManagedFieldsEntry `json:"managedFields,omitempty" protobuf:"bytes,17,rep,name=managedFields"`
}

// +structType=atomic
type OwnerReference struct {
	// Declaration order and wire order differ.
	APIVersion         string `json:"apiVersion" protobuf:"bytes,5,opt,name=apiVersion"`
	Kind               string `json:"kind" protobuf:"bytes,1,opt,name=kind"`
	Name               string `json:"name" protobuf:"bytes,3,opt,name=name"`
	UID                string `json:"uid" protobuf:"bytes,4,opt,name=uid"`
	Controller         *bool  `json:"controller,omitempty" protobuf:"varint,6,opt,name=controller"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty" protobuf:"varint,7,opt,name=blockOwnerDeletion"`
}

type ManagedFieldsEntry struct {
	Manager    string       `json:"manager,omitempty" protobuf:"bytes,1,opt,name=manager"`
	Operation  string       `json:"operation,omitempty" protobuf:"bytes,2,opt,name=operation"`
	APIVersion string       `json:"apiVersion,omitempty" protobuf:"bytes,3,opt,name=apiVersion"`
	Time       *metav1.Time `json:"time,omitempty" protobuf:"bytes,4,opt,name=time"`
	FieldsType string       `json:"fieldsType,omitempty" protobuf:"bytes,6,opt,name=fieldsType"`
	// A field name and a type name in one: fieldsV1.
	FieldsV1    *metav1.FieldsV1 `json:"fieldsV1,omitempty" protobuf:"bytes,7,opt,name=fieldsV1"`
	Subresource string           `json:"subresource,omitempty" protobuf:"bytes,8,opt,name=subresource"`
}

// The metadata of a list.
type ListMeta struct {
	SelfLink        string `json:"selfLink,omitempty" protobuf:"bytes,1,opt,name=selfLink"`
	ResourceVersion string `json:"resourceVersion,omitempty" protobuf:"bytes,2,opt,name=resourceVersion"`
	// A keyword of C++.
	Continue           string `json:"continue,omitempty" protobuf:"bytes,3,opt,name=continue"`
	RemainingItemCount *int64 `json:"remainingItemCount,omitempty" protobuf:"varint,4,opt,name=remainingItemCount"`
}

// A list that stands for itself, as metav1.Verbs.
// +protobuf.nullable=true
// +protobuf.options.(gogoproto.goproto_stringer)=false
type Verbs []string

func (t Verbs) String() string { return fmt.Sprintf("%v", []string(t)) }

// Another, as authentication's ExtraValue.
// +protobuf.nullable=true
// +protobuf.options.(gogoproto.goproto_stringer)=false
type ExtraValue []string

func (t ExtraValue) String() string { return fmt.Sprintf("%v", []string(t)) }

// A small struct.
type Point struct {
	X     int32  `json:"x,omitempty" protobuf:"varint,1,opt,name=x"`
	Y     int32  `json:"y,omitempty" protobuf:"varint,2,opt,name=y"`
	Label string `json:"label,omitempty" protobuf:"bytes,3,opt,name=label"`
}

// A struct whose members are always written.
type Pair struct {
	Key   string `json:"key" protobuf:"bytes,1,opt,name=key"`
	Value int64  `json:"value" protobuf:"varint,2,opt,name=value"`
}

// A struct without members: `{}` in JSON, nothing on the wire.
type Empty struct {
}

type LabelSelectorRequirement struct {
	Key string `json:"key" protobuf:"bytes,1,opt,name=key"`
	// A keyword of C++.
	Operator string `json:"operator" protobuf:"bytes,2,opt,name=operator"`
	// +listType=atomic
	Values []string `json:"values,omitempty" protobuf:"bytes,3,rep,name=values"`
}

// +structType=atomic
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty" protobuf:"bytes,1,rep,name=matchLabels"`
	// +listType=atomic
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty" protobuf:"bytes,2,rep,name=matchExpressions"`
}

type Condition struct {
	Type               string `json:"type" protobuf:"bytes,1,opt,name=type"`
	Status             string `json:"status" protobuf:"bytes,2,opt,name=status"`
	ObservedGeneration int64  `json:"observedGeneration,omitempty" protobuf:"varint,3,opt,name=observedGeneration"`
	// By value and always written: null.
	LastTransitionTime metav1.Time `json:"lastTransitionTime" protobuf:"bytes,4,opt,name=lastTransitionTime"`
	Reason             string      `json:"reason" protobuf:"bytes,5,opt,name=reason"`
	Message            string      `json:"message" protobuf:"bytes,6,opt,name=message"`
}

type ExecAction struct {
	// +listType=atomic
	Command []string `json:"command,omitempty" protobuf:"bytes,1,rep,name=command"`
}

type HTTPAction struct {
	Path string             `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
	Port intstr.IntOrString `json:"port" protobuf:"bytes,2,opt,name=port"`
	Host string             `json:"host,omitempty" protobuf:"bytes,3,opt,name=host"`
}

// As ProbeHandler: one of several optional members.
type Handler struct {
	Exec    *ExecAction `json:"exec,omitempty" protobuf:"bytes,1,opt,name=exec"`
	HTTPGet *HTTPAction `json:"httpGet,omitempty" protobuf:"bytes,2,opt,name=httpGet"`
	Nothing *Empty      `json:"nothing,omitempty" protobuf:"bytes,3,opt,name=nothing"`
}

// As VolumeSource: many optional members, some renamed.
type Source struct {
	HostPath  *Point `json:"hostPath,omitempty" protobuf:"bytes,1,opt,name=hostPath"`
	EmptyDir  *Point `json:"emptyDir,omitempty" protobuf:"bytes,2,opt,name=emptyDir"`
	Secret    *Pair  `json:"secret,omitempty" protobuf:"bytes,6,opt,name=secret"`
	NFS       *Pair  `json:"nfs,omitempty" protobuf:"bytes,7,opt,name=nfs"`
	ISCSI     *Point `json:"iscsi,omitempty" protobuf:"bytes,8,opt,name=iscsi"`
	RBD       *Empty `json:"rbd,omitempty" protobuf:"bytes,11,opt,name=rbd"`
	Cephfs    *Point `json:"cephfs,omitempty" protobuf:"bytes,14,opt,name=cephfs"`
	ConfigMap Verbs  `json:"configMap,omitempty" protobuf:"bytes,19,opt,name=configMap"`
}
