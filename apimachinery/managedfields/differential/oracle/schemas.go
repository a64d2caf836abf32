package main

import (
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	apiextensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationopenapi "k8s.io/kube-aggregator/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"

	"kube/tests/oracle"
)

// Where the schemas of Kubernetes' kinds come from. client-go has those of k8s.io/api as API servers make them of their OpenAPI
// documents; those of the two other servers are made here in the same way.
var (
	clientGo = sync.OnceValue(func() managedfields.TypeConverter {
		return applyconfigurations.NewTypeConverter(scheme.Scheme)
	})
	apiextensions = sync.OnceValue(func() managedfields.TypeConverter {
		return openAPIConverter(apiextensionsopenapi.GetOpenAPIDefinitions, map[string]runtimeschema.GroupVersionKind{
			apiextensionsv1.CustomResourceDefinition{}.OpenAPIModelName(): crdKind,
		})
	})
	apiregistration = sync.OnceValue(func() managedfields.TypeConverter {
		return openAPIConverter(apiregistrationopenapi.GetOpenAPIDefinitions, map[string]runtimeschema.GroupVersionKind{
			apiregistrationv1.APIService{}.OpenAPIModelName(): apiServiceKind,
		})
	})
)

var (
	crdKind        = apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	apiServiceKind = apiregistrationv1.SchemeGroupVersion.WithKind("APIService")
)

func openAPIConverter(definitions common.GetOpenAPIDefinitions, kinds map[string]runtimeschema.GroupVersionKind) managedfields.TypeConverter {
	models := map[string]*spec.Schema{}
	reference := func(name string) spec.Ref {
		return spec.MustCreateRef("#/components/schemas/" + common.EscapeJsonPointer(name))
	}
	for name, definition := range definitions(reference) {
		model := definition.Schema
		if gvk, ok := kinds[name]; ok {
			model.AddExtension("x-kubernetes-group-version-kind", []any{
				map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind},
			})
		}
		models[name] = &model
	}
	converter, err := managedfields.NewTypeConverter(models, false)
	oracle.Check(err)
	return converter
}

func sourceOf(gvk runtimeschema.GroupVersionKind) (string, managedfields.TypeConverter) {
	switch gvk.Group {
	case crdKind.Group:
		return "apiextensions", apiextensions()
	case apiServiceKind.Group:
		return "apiregistration", apiregistration()
	}
	return "client-go", clientGo()
}

// crdConverter does what an API server does for a CustomResourceDefinition.
func crdConverter(definition []byte) (managedfields.TypeConverter, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kjson.Unmarshal(definition, crd); err != nil {
		return nil, err
	}
	specs := []*spec3.OpenAPI{}
	for _, version := range crd.Spec.Versions {
		each, err := builder.BuildOpenAPIV3(crd, version.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		specs = append(specs, each)
	}
	merged, err := builder.MergeSpecsV3(specs...)
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(merged.Components.Schemas, crd.Spec.PreserveUnknownFields)
}

// typesOf returns all types of the schema that the kind belongs to, and the name of the kind's own type.
func typesOf(converter managedfields.TypeConverter, gvk runtimeschema.GroupVersionKind) (*schema.Schema, string, error) {
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetGroupVersionKind(gvk)
	typedObject, err := converter.ObjectToTyped(object)
	if err != nil {
		return nil, "", err
	}
	return typedObject.Schema(), *typedObject.TypeRef().NamedType, nil
}

func describeTypes(s *schema.Schema) map[string]any {
	types := map[string]any{}
	for _, each := range s.Types {
		types[each.Name] = describeAtom(each.Atom)
	}
	return types
}

func describeAtom(atom schema.Atom) map[string]any {
	described := map[string]any{}
	if atom.Scalar != nil {
		described["scalar"] = string(*atom.Scalar)
	}
	if atom.List != nil {
		keys := []any{}
		for _, key := range atom.List.Keys {
			keys = append(keys, key)
		}
		described["list"] = map[string]any{
			"relationship": string(atom.List.ElementRelationship),
			"element":      describeReference(atom.List.ElementType),
			"keys":         keys,
		}
	}
	if atom.Map != nil {
		fields := map[string]any{}
		for _, field := range atom.Map.Fields {
			fields[field.Name] = map[string]any{"type": describeReference(field.Type), "default": field.Default}
		}
		described["map"] = map[string]any{
			"relationship": string(atom.Map.ElementRelationship),
			"element":      describeReference(atom.Map.ElementType),
			"fields":       fields,
		}
	}
	return described
}

// A reference to nothing, which stands for the keys that a map cannot have, is an empty object.
func describeReference(reference schema.TypeRef) map[string]any {
	described := describeAtom(reference.Inlined)
	if reference.NamedType != nil {
		described = map[string]any{"named": *reference.NamedType}
	}
	if reference.ElementRelationship != nil {
		described["override"] = string(*reference.ElementRelationship)
	}
	return described
}

// builtInSchemas answers with the types of each source, and with the source and the type of each kind.
func builtInSchemas([]byte) (any, error) {
	sources, kinds := map[string]any{}, map[string]any{}
	add := func(gvk runtimeschema.GroupVersionKind) error {
		name, converter := sourceOf(gvk)
		types, root, err := typesOf(converter, gvk)
		if err != nil {
			return err
		}
		if _, found := sources[name]; !found {
			sources[name] = describeTypes(types)
		}
		kinds[gvk.GroupVersion().String()+" "+gvk.Kind] = []any{name, root}
		return nil
	}
	for _, gvk := range []runtimeschema.GroupVersionKind{crdKind, apiServiceKind} {
		if err := add(gvk); err != nil {
			return nil, err
		}
	}
	for gvk := range scheme.Scheme.AllKnownTypes() {
		// Lists and what else nobody applies have no type; nor do internal versions.
		if gvk.Version != runtime.APIVersionInternal {
			_ = add(gvk)
		}
	}
	return []any{sources, kinds}, nil
}

// crdSchema answers with the types of a CustomResourceDefinition's first version, and with the name of the resource's own; or
// with nil and the error if there is no schema for merging, because the definition's own is not valid.
func crdSchema(text []byte) (any, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kjson.Unmarshal(text, crd); err != nil {
		return nil, err
	}
	converter, err := crdConverter(text)
	if err != nil {
		return []any{nil, err.Error()}, nil
	}
	types, root, err := typesOf(converter, runtimeschema.GroupVersionKind{
		Group: crd.Spec.Group, Version: crd.Spec.Versions[0].Name, Kind: crd.Spec.Names.Kind,
	})
	if err != nil {
		return nil, err
	}
	return []any{describeTypes(types), root}, nil
}
