// Command openapi_oracle judges OpenAPI documents: by the libraries with which clients read them, by the documents that
// Kubernetes publishes, and by those that apiextensions-apiserver makes of CustomResourceDefinitions. A request is the name of a
// function, a tab, and JSON in hexadecimal that names files. The answer says what is wrong, and is empty if nothing is.
package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	openapi_v3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/spec3"
	kubeproto "k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"kube/tests/oracle"
)

// The paths of files.
type question struct {
	// The document to judge, in both encodings.
	JSON     string `json:"json"`
	Protobuf string `json:"protobuf"`
	// Upstream's document.
	Published string `json:"published"`
	// A list of definitions, and the version whose documents are compared.
	Definitions string `json:"definitions"`
	Version     string `json:"version"`
}

func parse(data []byte) (map[string]any, error) {
	var value map[string]any
	return value, json.Unmarshal(data, &value)
}

func parseFile(path string) (map[string]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// compareAgain reports what a library loses of a document that it has parsed.
func compareAgain(r *report, original []byte, parsed any) error {
	ours, err := parse(original)
	if err != nil {
		return err
	}
	again, err := json.Marshal(parsed)
	if err != nil {
		return err
	}
	theirs, err := parse(again)
	if err != nil {
		return err
	}
	r.diff("kube-openapi", ours, theirs)
	return nil
}

func (q *question) files() (text, protobuf []byte, err error) {
	text, err = os.ReadFile(q.JSON)
	if err != nil {
		return nil, nil, err
	}
	protobuf, err = os.ReadFile(q.Protobuf)
	return text, protobuf, err
}

// readV3 has gnostic, kube-openapi and server-side apply read a document.
func readV3(q *question, r *report) error {
	text, protobuf, err := q.files()
	if err != nil {
		return err
	}
	document := &spec3.OpenAPI{}
	if err := json.Unmarshal(text, document); err != nil {
		return err
	}
	if err := compareAgain(r, text, document); err != nil {
		return err
	}
	if document.Components == nil {
		return errors.New("no components")
	}
	if _, err := managedfields.NewTypeConverter(document.Components.Schemas, false); err != nil {
		return err
	}
	ours := &openapi_v3.Document{}
	if err := proto.Unmarshal(protobuf, ours); err != nil {
		return err
	}
	theirs, err := openapi_v3.ParseDocument(text)
	if err != nil {
		return err
	}
	if err := r.diffMessages(ours, theirs); err != nil {
		return err
	}
	_, err = kubeproto.NewOpenAPIV3Data(ours)
	return err
}

func readV2(q *question, r *report) error {
	text, protobuf, err := q.files()
	if err != nil {
		return err
	}
	document := &spec.Swagger{}
	if err := json.Unmarshal(text, document); err != nil {
		return err
	}
	if err := compareAgain(r, text, document); err != nil {
		return err
	}
	ours := &openapi_v2.Document{}
	if err := proto.Unmarshal(protobuf, ours); err != nil {
		return err
	}
	theirs, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return err
	}
	models, err := kubeproto.NewOpenAPIData(ours)
	if err != nil {
		return err
	}
	if _, err := managedfields.NewGVKParser(models, false); err != nil {
		return err
	}
	return r.diffMessages(ours, theirs)
}

func publishedV3(q *question, r *report) error {
	ours, err := parseFile(q.JSON)
	if err != nil {
		return err
	}
	theirs, err := parseFile(q.Published)
	if err != nil {
		return err
	}
	n := normal{noEnums: true}
	r.diff("openapi", ours["openapi"], theirs["openapi"])
	r.diff("security", n.of(at(ours, "components", "securitySchemes")), n.of(at(theirs, "components", "securitySchemes")))
	compareSchemas(r, n, at(ours, "components", "schemas"), at(theirs, "components", "schemas"), nil)
	compareNamed(r, n, at(ours, "paths"), at(theirs, "paths"), isConnectPath)
	return nil
}

func publishedV2(q *question, r *report) error {
	ours, err := parseFile(q.JSON)
	if err != nil {
		return err
	}
	theirs, err := parseFile(q.Published)
	if err != nil {
		return err
	}
	n := normal{noEnums: true, parameters: at(theirs, "parameters")}
	for _, key := range []string{"swagger", "security", "securityDefinitions"} {
		r.diff(key, n.of(ours[key]), n.of(theirs[key]))
	}
	served := groupVersions(at(ours, "paths"))
	compareSchemas(r, n, at(ours, "definitions"), at(theirs, "definitions"), func(name string) bool {
		return !isServed(at(theirs, "definitions", name), served)
	})
	compareNamed(r, n, at(ours, "paths"), at(theirs, "paths"), func(path string) bool {
		return isConnectPath(path) || !served[groupVersionOf(path)] && !leadsTo(path, served)
	})
	return nil
}

func (q *question) definitions() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	data, err := os.ReadFile(q.Definitions)
	if err != nil {
		return nil, err
	}
	var definitions []*apiextensionsv1.CustomResourceDefinition
	return definitions, json.Unmarshal(data, &definitions)
}

// What upstream makes of definitions.
type built struct {
	schemas, paths map[string]any
	// Those of v2 that paths refer to. Their names are hashes of what they are.
	parameters map[string]any
	lists      map[string]bool
}

type builderFunc func(*apiextensionsv1.CustomResourceDefinition) (any, error)

// buildAll joins upstream's documents, one a definition. The keys are the way to the schemas in each.
func (q *question) buildAll(build builderFunc, keys ...string) (*built, error) {
	definitions, err := q.definitions()
	if err != nil {
		return nil, err
	}
	all := &built{schemas: map[string]any{}, paths: map[string]any{}, parameters: map[string]any{}, lists: map[string]bool{}}
	for _, each := range definitions {
		value, err := build(each)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		document, err := parse(data)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.schemas, at(document, keys...))
		maps.Copy(all.paths, at(document, "paths"))
		maps.Copy(all.parameters, at(document, "parameters"))
		all.lists[each.Spec.Names.ListKind] = true
	}
	return all, nil
}

func definedV3(q *question, r *report) error {
	ours, err := parseFile(q.JSON)
	if err != nil {
		return err
	}
	theirs, err := q.buildAll(func(crd *apiextensionsv1.CustomResourceDefinition) (any, error) {
		return builder.BuildOpenAPIV3(crd, q.Version, builder.Options{IncludeSelectableFields: true})
	}, "components", "schemas")
	if err != nil {
		return err
	}
	n := normal{descriptions: true, lists: theirs.lists}
	compareSchemas(r, n, at(ours, "components", "schemas"), theirs.schemas, nil)
	compareNamed(r, normal{}, at(ours, "paths"), theirs.paths, nil)
	return nil
}

// definedV2 looks at the part of a document that is about the definitions.
func definedV2(q *question, r *report) error {
	ours, err := parseFile(q.JSON)
	if err != nil {
		return err
	}
	theirs, err := q.buildAll(func(crd *apiextensionsv1.CustomResourceDefinition) (any, error) {
		document, err := builder.BuildOpenAPIV2(crd, q.Version, builder.Options{V2: true, IncludeSelectableFields: true})
		if err != nil {
			return nil, err
		}
		document.Definitions = handler.PruneDefaults(document.Definitions)
		return document, nil
	}, "definitions")
	if err != nil {
		return err
	}
	n := normal{descriptions: true, lists: theirs.lists}
	compareSchemas(r, n, common(at(ours, "definitions"), theirs.schemas), theirs.schemas, nil)
	m := normal{parameters: theirs.parameters}
	compareNamed(r, m, common(at(ours, "paths"), theirs.paths), theirs.paths, nil)
	return nil
}

var functions = map[string]func(*question, *report) error{
	"read_v3":      readV3,
	"read_v2":      readV2,
	"published_v3": publishedV3,
	"published_v2": publishedV2,
	"defined_v3":   definedV3,
	"defined_v2":   definedV2,
}

func main() {
	oracle.ServeAll(func(function, text string) (string, error) {
		q, r := &question{}, &report{}
		if err := json.Unmarshal([]byte(text), q); err != nil {
			return "", err
		}
		if err := functions[function](q, r); err != nil {
			return "", err
		}
		return r.text(), nil
	})
}
