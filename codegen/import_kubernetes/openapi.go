package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A server's OpenAPI documents are a second witness of the rules: what is required, how lists merge, defaults, enums.

type schemaDocument struct {
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Required   []string
	Properties map[string]property
}

type property struct {
	Default       json.RawMessage
	Enum          []string
	ListType      string   `json:"x-kubernetes-list-type"`
	ListMapKeys   []string `json:"x-kubernetes-list-map-keys"`
	MapType       string   `json:"x-kubernetes-map-type"`
	PatchStrategy string   `json:"x-kubernetes-patch-strategy"`
	PatchMergeKey string   `json:"x-kubernetes-patch-merge-key"`
}

// compareWithServer gives a line for each difference between the files and the schemas of the server of $KUBECONFIG.
func compareWithServer(kubectl string, files []*protoFile) ([]string, error) {
	if kubectl == "" {
		return nil, fmt.Errorf("compare: $KUBECTL is not set: tools/kube sets it")
	}
	schemas := map[string]schema{}
	var index struct {
		Paths map[string]struct{ ServerRelativeURL string }
	}
	if err := getRaw(kubectl, "/openapi/v3", &index); err != nil {
		return nil, err
	}
	for _, each := range sortedKeys(index.Paths) {
		var document schemaDocument
		if err := getRaw(kubectl, index.Paths[each].ServerRelativeURL, &document); err != nil {
			return nil, err
		}
		for name, s := range document.Components.Schemas {
			schemas[name] = s
		}
	}
	return compareSchemas(files, schemas), nil
}

func compareSchemas(files []*protoFile, schemas map[string]schema) []string {
	var lines []string
	fields := 0
	for _, file := range files {
		for _, m := range file.messages {
			s, ok := schemas[schemaName(file.goPath, m.name)]
			if !ok {
				continue
			}
			for _, f := range m.fields {
				p, ok := s.Properties[f.jsonName]
				if !ok {
					continue
				}
				fields++
				for _, difference := range compareField(f, p, slices.Contains(s.Required, f.jsonName)) {
					lines = append(lines, fmt.Sprintf("%s %s.%s: %s", file.folder, m.name, f.jsonName, difference))
				}
			}
		}
	}
	return append(lines, fmt.Sprintf("%d fields compared, %d differences", fields, len(lines)))
}

// schemaName is io.k8s.api.apps.v1.Deployment.
func schemaName(goPath, name string) string {
	host, rest, _ := strings.Cut(goPath, "/")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + name
}

func compareField(f *field, p property, required bool) []string {
	var lines []string
	differ := func(what, ours, theirs string) {
		if ours != theirs {
			lines = append(lines, fmt.Sprintf("%s is %q here and %q there", what, ours, theirs))
		}
	}
	differ("required", fmt.Sprint(f.isRequired()), fmt.Sprint(required))
	if f.label == "repeated" {
		differ("list type", strings.ToLower(f.listType), p.ListType)
	}
	differ("list map keys", strings.Join(f.listMapKeys, ","), strings.Join(p.ListMapKeys, ","))
	differ("patch strategy", strings.Join(f.patchStrategy, ","), p.PatchStrategy)
	differ("patch merge key", f.patchMergeKey, p.PatchMergeKey)
	mapType := ""
	switch {
	case f.atomic:
		mapType = "atomic"
	case f.granular:
		mapType = "granular"
	}
	differ("map type", mapType, p.MapType)
	differ("default", zeroless(f.defaultJSON), zeroless(string(p.Default)))
	if p.Enum != nil {
		ours := slices.Sorted(slices.Values(f.enumValues))
		theirs := slices.DeleteFunc(p.Enum, func(value string) bool { return value == "" })
		slices.Sort(theirs)
		differ("enum", strings.Join(ours, " "), strings.Join(theirs, " "))
	}
	return lines
}

// zeroless drops a default that is the zero value: the server invents one for every field that is no pointer.
func zeroless(value string) string {
	if slices.Contains([]string{`""`, "0", "false", "{}"}, value) {
		return ""
	}
	return value
}

// isRequired is the option, or what its absence means.
func (f *field) isRequired() bool {
	if f.required != nil {
		return *f.required
	}
	return f.omit == "NEVER" && f.label != "optional"
}
