package main

import (
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// What the generator makes of a struct.
type message interface {
	Reset()
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// Every message of the IDL by its name there.
var messages = map[string]message{
	// base.proto
	"ObjectMeta":               &ObjectMeta{},
	"OwnerReference":           &OwnerReference{},
	"ManagedFieldsEntry":       &ManagedFieldsEntry{},
	"ListMeta":                 &ListMeta{},
	"Point":                    &Point{},
	"Pair":                     &Pair{},
	"Empty":                    &Empty{},
	"LabelSelectorRequirement": &LabelSelectorRequirement{},
	"LabelSelector":            &LabelSelector{},
	"Condition":                &Condition{},
	"ExecAction":               &ExecAction{},
	"HttpAction":               &HTTPAction{},
	"Handler":                  &Handler{},
	"Source":                   &Source{},
	// sink.proto
	"Plain":               &Plain{},
	"Optional":            &Optional{},
	"Never":               &Never{},
	"OptionalNever":       &OptionalNever{},
	"Zero":                &Zero{},
	"OptionalZero":        &OptionalZero{},
	"EmptyOrZero":         &EmptyOrZero{},
	"Lists":               &Lists{},
	"ListsNever":          &ListsNever{},
	"ListsZero":           &ListsZero{},
	"Maps":                &Maps{},
	"MapsNever":           &MapsNever{},
	"MapsZero":            &MapsZero{},
	"Structs":             &Structs{},
	"DeepOne":             &DeepOne{},
	"DeepTwo":             &DeepTwo{},
	"DeepThree":           &DeepThree{},
	"Volume":              &Volume{},
	"Probe":               &Probe{},
	"Outer":               &Outer{},
	"Middle":              &Middle{},
	"Inner":               &Inner{},
	"Inlines":             &Inlines{},
	"Numbers":             &Numbers{},
	"OneFormat":           &OneFormat{},
	"Keywords":            &Keywords{},
	"JsonNames":           &JsonNames{},
	"LongNames":           &LongNames{},
	"Wide":                &Wide{},
	"Schema":              &Schema{},
	"SchemaOrArray":       &SchemaOrArray{},
	"SchemaOrBool":        &SchemaOrBool{},
	"SchemaOrStringArray": &SchemaOrStringArray{},
	"Merges":              &Merges{},
	"Port":                &Port{},
	"Part":                &Part{},
	"Restricted":          &Restricted{},
	"Sink":                &Sink{},
	"SinkSpec":            &SinkSpec{},
	"SinkStatus":          &SinkStatus{},
	"SinkList":            &SinkList{},
	"Tap":                 &Tap{},
	"TapList":             &TapList{},
	"DrainOptions":        &DrainOptions{},
	"Typed":               &Typed{},
	"Workload":            &Workload{},
	"Template":            &Template{},
}

func typeNames() []string { return slices.Sorted(maps.Keys(messages)) }

// newMessage is a zero value of a type, or nil.
func newMessage(name string) message {
	if m, ok := messages[name]; ok {
		return newLike(m)
	}
	return nil
}

func newLike(m message) message {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(message)
}

// ---- Kinds.

var groupVersion = schema.GroupVersion{Group: "kitchen.example.com", Version: "v1"}

var (
	scheme             = newScheme()
	protobufSerializer = protobuf.NewSerializer(scheme, scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(groupVersion, &Sink{}, &SinkList{}, &Tap{}, &TapList{}, &DrainOptions{})
	metav1.AddToGroupVersion(s, groupVersion)
	return s
}

// Serializers copy no objects.

func (in *Sink) DeepCopyObject() runtime.Object         { panic("not copied") }
func (in *SinkList) DeepCopyObject() runtime.Object     { panic("not copied") }
func (in *Tap) DeepCopyObject() runtime.Object          { panic("not copied") }
func (in *TapList) DeepCopyObject() runtime.Object      { panic("not copied") }
func (in *DrainOptions) DeepCopyObject() runtime.Object { panic("not copied") }
