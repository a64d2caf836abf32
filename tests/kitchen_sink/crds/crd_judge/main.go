// Command crd_judge says what the API server has against CustomResourceDefinitions: those of the YAML files that its arguments
// name. A line each: unknown fields, errors of validation (structural schemas, defaults, CEL rules and their cost are part of it),
// warnings, and bytes that are not what sigs.k8s.io/yaml writes. Then "FILE: N definitions".
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"sigs.k8s.io/yaml"
)

var scheme = runtime.NewScheme()

// Lines are not folded; else every byte is that of kubectl's YAML.
func sameBytes(document []byte) error {
	var value interface{}
	if err := goyaml.Unmarshal(document, &value); err != nil {
		return err
	}
	want, err := goyaml.Marshal(value)
	if err != nil {
		return err
	}
	if bytes.Equal(want, document) {
		return nil
	}
	ours, theirs := strings.Split(string(document), "\n"), strings.Split(string(want), "\n")
	for i := range ours {
		if i >= len(theirs) || ours[i] != theirs[i] {
			return fmt.Errorf("line %d is %q, Go writes %q", i+1, ours[i], strings.Join(theirs[min(i, len(theirs)):min(i+2, len(theirs))], "\n"))
		}
	}
	return fmt.Errorf("Go writes %d lines more", len(theirs)-len(ours))
}

func judge(document []byte) []string {
	if err := sameBytes(document); err != nil {
		return []string{"bytes: " + err.Error()}
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(document, crd); err != nil {
		return []string{"decode: " + err.Error()}
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(crd, internal, nil); err != nil {
		return []string{"convert: " + err.Error()}
	}
	ctx := genericapirequest.WithRequestInfo(context.Background(), &genericapirequest.RequestInfo{APIGroup: "apiextensions.k8s.io", APIVersion: "v1"})
	strategy := customresourcedefinition.NewStrategy(scheme)
	strategy.PrepareForCreate(ctx, internal)
	said := []string{}
	for _, err := range strategy.Validate(ctx, internal) {
		said = append(said, "error: "+err.Error())
	}
	for _, warning := range strategy.WarningsOnCreate(ctx, internal) {
		said = append(said, "warning: "+warning)
	}
	return said
}

func main() {
	install.Install(scheme)
	goyaml.FutureLineWrap()
	for _, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		documents := bytes.Split(text, []byte("---\n"))[1:]
		for _, document := range documents {
			for _, line := range judge(document) {
				fmt.Println(strings.ReplaceAll(line, "\n", " "))
			}
		}
		fmt.Printf("%s: %d definitions\n", file, len(documents))
	}
}
