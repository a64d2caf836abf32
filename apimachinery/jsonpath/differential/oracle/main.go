// Command jsonpath_oracle answers what client-go finds at a path, and what the API server prints into a column. A request is
// the name of a function, a tab, and in hexadecimal its arguments, separated by zero bytes; the answer is the results as
// JSON, or "error: " and why there are none.
//
//	find     PATH OBJECT         where members must not be missing
//	lenient  PATH OBJECT         where they may be
//	print    PATH OBJECT         the same, as kubectl prints it
//	template TEXT OBJECT         the text that a template gives, where members must not be missing
//	lenient_template TEXT OBJECT where they may be
//	json_template TEXT OBJECT    the same, as JSON
//	column   TYPE PATH OBJECT    the cell
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"

	"kube/tests/oracle"
)

func finder(lenient, print bool) func(string) (string, error) {
	return func(text string) (string, error) {
		args := strings.Split(text, "\x00")
		return find(args[0], args[1], lenient, print)
	}
}

var functions = map[string]func(string) (string, error){
	"find":    finder(false, false),
	"lenient": finder(true, false),
	"print":   finder(true, true),
	"column":  column,

	"template":         filler(false, false),
	"lenient_template": filler(true, false),
	"json_template":    filler(true, true),
}

func filler(lenient, outputJSON bool) func(string) (string, error) {
	return func(text string) (string, error) {
		args := strings.Split(text, "\x00")
		return fill(args[0], args[1], lenient, outputJSON)
	}
}

// fill reports a panic as an error: upstream's code indexes values that do not exist.
func fill(text, object string, lenient, outputJSON bool) (filled string, err error) {
	defer func() {
		if r := recover(); r != nil {
			filled, err = "", fmt.Errorf("panic: %v", r)
		}
	}()
	j := jsonpath.New("test").AllowMissingKeys(lenient)
	j.EnableJSONOutput(outputJSON)
	if err := j.Parse(text); err != nil {
		return "", fmt.Errorf("parse: %w", err)
	}
	var out bytes.Buffer
	err = j.Execute(&out, parse(object))
	return out.String(), err
}

func parse(object string) map[string]any {
	var value map[string]any
	if err := kjson.Unmarshal([]byte(object), &value); err != nil {
		panic(err)
	}
	return value
}

func find(path, object string, allowMissingKeys, print bool) (string, error) {
	j := jsonpath.New("test").AllowMissingKeys(allowMissingKeys)
	if err := j.Parse(path); err != nil {
		return "", fmt.Errorf("parse: %w", err)
	}
	var out bytes.Buffer
	if print {
		err := j.Execute(&out, parse(object))
		return out.String(), err
	}
	results, err := j.FindResults(parse(object))
	if err != nil {
		return "", err
	}
	if len(results) != 1 {
		return fmt.Sprintf("%d lists", len(results)), nil
	}
	for _, value := range results[0] {
		text, err := json.Marshal(value.Interface())
		if err != nil {
			return "", err
		}
		out.Write(text)
		out.WriteByte(';')
	}
	return out.String(), nil
}

func column(text string) (string, error) {
	args := strings.Split(text, "\x00")
	convertor, err := tableconvertor.New([]apiextensionsv1.CustomResourceColumnDefinition{
		{Name: "c", Type: args[0], JSONPath: args[1]},
	})
	if err != nil {
		return "", err
	}
	object := &unstructured.Unstructured{Object: parse(args[2])}
	table, err := convertor.ConvertToTable(context.Background(), object, nil)
	if err != nil {
		return "", err
	}
	cell, err := json.Marshal(table.Rows[0].Cells[1])
	return string(cell), err
}

func main() { oracle.Serve(functions) }
