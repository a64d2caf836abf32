package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var fooVersion = schema.GroupVersion{Group: "samplecontroller.k8s.io", Version: "v1alpha1"}

// Foo asks for one Deployment.
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FooSpec   `json:"spec"`
	Status FooStatus `json:"status"`
}

// FooSpec is what is wanted.
type FooSpec struct {
	DeploymentName string `json:"deploymentName"`
	Replicas       *int32 `json:"replicas"`
}

// FooStatus is what there is.
type FooStatus struct {
	AvailableReplicas int32 `json:"availableReplicas"`
}

// FooList is many of them.
type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Foo `json:"items"`
}

// DeepCopyInto is as generators write it.
func (in *Foo) DeepCopyInto(out *Foo) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Spec.Replicas != nil {
		replicas := *in.Spec.Replicas
		out.Spec.Replicas = &replicas
	}
}

// DeepCopy is a copy that shares nothing.
func (in *Foo) DeepCopy() *Foo {
	out := new(Foo)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject is for runtime.Object.
func (in *Foo) DeepCopyObject() runtime.Object { return in.DeepCopy() }

// DeepCopyObject is for runtime.Object.
func (in *FooList) DeepCopyObject() runtime.Object {
	out := &FooList{TypeMeta: in.TypeMeta, Items: make([]Foo, len(in.Items))}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		in.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}

func addFoos(s *runtime.Scheme) error {
	builder := runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(fooVersion, &Foo{}, &FooList{})
		metav1.AddToGroupVersion(s, fooVersion)
		return nil
	})
	return builder.AddToScheme(s)
}

// fooClient gives the client of a namespace, or of all.
type fooClient func(namespace string) *gentype.ClientWithList[*Foo, *FooList]

func newFooClient(config *rest.Config) (fooClient, error) {
	own := rest.CopyConfig(config)
	own.GroupVersion = &fooVersion
	own.APIPath = "/apis"
	own.NegotiatedSerializer = serializer.NewCodecFactory(scheme.Scheme).WithoutConversion()
	client, err := rest.RESTClientFor(own)
	if err != nil {
		return nil, err
	}
	return func(namespace string) *gentype.ClientWithList[*Foo, *FooList] {
		return gentype.NewClientWithList[*Foo, *FooList]("foos", client, scheme.ParameterCodec, namespace,
			func() *Foo { return &Foo{} }, func() *FooList { return &FooList{} })
	}, nil
}

func newFooInformer(foos fooClient) cache.SharedIndexInformer {
	all := foos(metav1.NamespaceAll)
	return cache.NewSharedIndexInformer(
		&cache.ListWatch{
			ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
				return all.List(ctx, options)
			},
			WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
				return all.Watch(ctx, options)
			},
		},
		&Foo{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}
