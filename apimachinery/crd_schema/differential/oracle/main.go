// Command customresource_oracle answers what apiextensions-apiserver makes of schemas of custom resources, and of objects by
// them. A request is the name of a function, a tab, and JSON in hexadecimal: {"schema": ..., "value": ..., "old": ...}, or a
// CustomResourceDefinition. The answer is JSON in one line; errors are sorted, for maps have no order in Go.
//
//	rules      what x-kubernetes-validations say of the value, or of the update of the old one: errors, warnings and the budget
//	           that is left
//	estimates  what the rules of the schema's root can cost, and what the expressions for their messages can; how many values
//	           there may be; whether rules use oldSelf
package main

import (
	"context"
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"

	"kube/tests/oracle"
)

type question struct {
	Schema  *apiextensionsv1.JSONSchemaProps                 `json:"schema"`
	Value   json.RawMessage                                  `json:"value"`
	Old     json.RawMessage                                  `json:"old"`
	Columns []apiextensionsv1.CustomResourceColumnDefinition `json:"columns"`
	// An error that upstream may report: of several it reports the one that a map's order brings first.
	Hint string `json:"hint"`

	internal   *apiextensions.JSONSchemaProps
	structural *schema.Structural
	err        error
}

func (q *question) value() map[string]interface{} { return object(q.Value) }

func object(raw json.RawMessage) map[string]interface{} {
	var value map[string]interface{}
	if err := utiljson.Unmarshal(raw, &value); err != nil {
		panic(err)
	}
	return value
}

func texts(errs field.ErrorList) []string {
	lines := []string{}
	for _, err := range errs {
		// Go's words depend on whether a rule before has compared the same set.
		lines = append(lines, strings.Replace(err.Error(), "internal error: hash of unhashable type: ",
			"internal error: runtime error: hash of unhashable type ", 1))
	}
	sort.Strings(lines)
	return lines
}

func oneError(err *field.Error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func structural(q *question) interface{} {
	for i := 0; q.err != nil && q.err.Error() != q.Hint && i < 200; i++ {
		_, q.err = schema.NewStructural(q.internal)
	}
	if q.err != nil {
		return []string{q.err.Error()}
	}
	return texts(schema.ValidateStructural(field.NewPath("s"), q.structural))
}

func prune(q *question) interface{} {
	value := q.value()
	paths := pruning.PruneWithOptions(value, q.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	return map[string]interface{}{"value": value, "paths": append([]string{}, paths...)}
}

func setDefaults(q *question) interface{} {
	value := q.value()
	defaulting.PruneNonNullableNullsWithoutDefaults(value, q.structural)
	defaulting.Default(value, q.structural)
	return value
}

func validate(q *question) interface{} {
	validator, _, err := validation.NewSchemaValidator(q.internal)
	if err != nil {
		return err.Error()
	}
	return texts(validation.ValidateCustomResource(nil, q.value(), validator))
}

func update(q *question) interface{} {
	validator, _, err := validation.NewSchemaValidator(q.internal)
	if err != nil {
		return err.Error()
	}
	return texts(validation.ValidateCustomResourceUpdate(nil, q.value(), object(q.Old), validator, validation.WithRatcheting(nil)))
}

func listTypes(q *question) interface{} {
	return texts(listtype.ValidateListSetsAndMaps(nil, q.structural, q.value()))
}

func embedded(q *question) interface{} {
	return texts(objectmeta.Validate(nil, q.value(), q.structural, false))
}

// Upstream returns the first error that it meets in a map's order: all that it may meet.
func coerce(q *question) interface{} {
	results := map[string]bool{}
	var last interface{}
	for i := 0; i < 20; i++ {
		value := q.value()
		err, unknown := objectmeta.CoerceWithOptions(nil, value, q.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
		results[oneError(err)] = true
		if err == nil {
			last = map[string]interface{}{"value": value, "unknown": append([]string{}, unknown...)}
		}
	}
	if last != nil {
		return last
	}
	return "error"
}

func coerceDropping(q *question) interface{} {
	value := q.value()
	err, _ := objectmeta.CoerceWithOptions(nil, value, q.structural, false, objectmeta.CoerceOptions{DropInvalidFields: true})
	return map[string]interface{}{"value": value, "error": oneError(err)}
}

func validateDefaults(q *question) interface{} {
	errs, err := defaulting.ValidateDefaults(context.Background(), field.NewPath("s"), q.structural, true, true)
	if err != nil {
		return err.Error()
	}
	return texts(errs)
}

type warnings struct{ texts []string }

func (w *warnings) AddWarning(agent, text string) { w.texts = append(w.texts, text) }

func rules(q *question) interface{} {
	value := q.value()
	recorder := &warnings{texts: []string{}}
	ctx := warning.WithWarningRecorder(context.Background(), recorder)
	var old interface{}
	options := []cel.Option{}
	if len(q.Old) > 0 && string(q.Old) != "null" {
		before := object(q.Old)
		old = before
		options = append(options, cel.WithRatcheting(
			common.NewCorrelatedObject(value, before, &model.Structural{Structural: q.structural})))
	}
	validator := cel.NewValidator(q.structural, true, celconfig.PerCallLimit)
	errs, budget := validator.Validate(ctx, nil, q.structural, value, old, celconfig.RuntimeCELCostBudget, options...)
	sort.Strings(recorder.texts)
	return map[string]interface{}{"errors": texts(errs), "warnings": recorder.texts, "budget": budget}
}

func estimates(q *question) interface{} {
	results, err := cel.Compile(q.structural, model.SchemaDeclType(q.structural, true), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.StoredExpressionsEnvLoader())
	if err != nil {
		return err.Error()
	}
	lines := []string{}
	for _, result := range results {
		cardinality := result.MaxCardinality
		if result.Error != nil {
			cardinality = 0
		}
		lines = append(lines, strings.Join([]string{
			strconv.FormatUint(result.MaxCost, 10), strconv.FormatUint(result.MessageExpressionMaxCost, 10),
			strconv.FormatUint(cardinality, 10), strconv.FormatBool(result.UsesOldSelf)}, " "))
	}
	return lines
}

func table(q *question) interface{} {
	convertor, err := tableconvertor.New(q.Columns)
	if err != nil {
		return err.Error()
	}
	out, err := convertor.ConvertToTable(context.Background(), &unstructured.Unstructured{Object: q.value()}, nil)
	if err != nil {
		return err.Error()
	}
	return map[string]interface{}{"columns": out.ColumnDefinitions, "cells": out.Rows[0].Cells}
}

var functions = map[string]func(*question) interface{}{
	"structural":      structural,
	"prune":           prune,
	"default":         setDefaults,
	"validate":        validate,
	"update":          update,
	"list_types":      listTypes,
	"embedded":        embedded,
	"coerce":          coerce,
	"coerce_dropping": coerceDropping,
	"defaults":        validateDefaults,
	"rules":           rules,
	"estimates":       estimates,
	"table":           table,
}

func decode(raw []byte) (*question, error) {
	q := &question{}
	if err := utiljson.Unmarshal(raw, q); err != nil {
		return nil, err
	}
	if q.Schema != nil {
		q.internal = &apiextensions.JSONSchemaProps{}
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(q.Schema, q.internal, nil); err != nil {
			return nil, err
		}
		q.structural, q.err = schema.NewStructural(q.internal)
	}
	return q, nil
}

func definition(raw []byte) (*apiextensions.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := utiljson.Unmarshal(raw, crd); err != nil {
		return nil, err
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	out := &apiextensions.CustomResourceDefinition{}
	return out, apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, out, nil)
}

// Values that upstream shows as the JSON of its internal types are left out, except for rules; so are the paths of the most
// expensive rules: of rules with the same cost a map's order chooses.
func withoutStructs(lines []string) []string {
	for i, line := range lines {
		if at := strings.Index(line, ": Forbidden: contributed to estimated rule cost total"); at >= 0 {
			lines[i] = line[at:]
			continue
		}
		for _, open := range []string{": Invalid value: [{", ": Invalid value: {"} {
			at := strings.Index(line, open)
			if at >= 0 && !strings.HasPrefix(line[at:], ": Invalid value: {\"Rule\":") {
				end := strings.LastIndex(line, ": ")
				lines[i] = line[:at] + ": Invalid value: ..." + line[end:]
			}
		}
	}
	sort.Strings(lines)
	return lines
}

func crd(raw []byte) (interface{}, error) {
	crd, err := definition(raw)
	if err != nil {
		return nil, err
	}
	return withoutStructs(texts(crdvalidation.ValidateCustomResourceDefinition(context.Background(), crd))), nil
}

func crdUpdate(raw []byte) (interface{}, error) {
	both := struct{ Value, Old json.RawMessage }{}
	if err := json.Unmarshal(raw, &both); err != nil {
		return nil, err
	}
	obj, err := definition(both.Value)
	if err != nil {
		return nil, err
	}
	old, err := definition(both.Old)
	if err != nil {
		return nil, err
	}
	return withoutStructs(texts(crdvalidation.ValidateCustomResourceDefinitionUpdate(context.Background(), obj, old))), nil
}

func ask(function string, raw []byte) (interface{}, error) {
	switch function {
	case "crd":
		return crd(raw)
	case "crd_update":
		return crdUpdate(raw)
	}
	q, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if q.err != nil && function != "structural" {
		return nil, q.err
	}
	return functions[function](q), nil
}

func main() {
	oracle.ServeAll(func(function, text string) (string, error) {
		reply, err := ask(function, []byte(text))
		if err != nil {
			return "", err
		}
		out, err := json.Marshal(reply)
		return string(out), err
	})
}
