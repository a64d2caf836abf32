package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// emitGroupVersions prints api/groups.bzl, of which the build makes what has a line for each group and version: libraries of
// clients and informers, the accessors of Clientset and SharedInformerFactory, lists of all kinds. Every name is decided here.
func emitGroupVersions(files []*protoFile) string {
	folders := map[string]string{}
	for _, file := range files {
		for _, m := range file.messages {
			folders[apiVersion(file.group, file.version)+" "+m.name] = file.folder
		}
	}
	sorted := slices.Clone(files)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].folder < sorted[j].folder })
	var out strings.Builder
	out.WriteString(buildHeader)
	out.WriteString("\"\"\"The groups and versions of a release of Kubernetes.\"\"\"\n\n")
	if len(sorted) > 0 {
		fmt.Fprintf(&out, "RELEASE = %q\n\n", sorted[0].release)
	}
	out.WriteString("# `folder`: below //api. `group` and `version`: as accessors name them. `subresource_types`: folders of the types of\n")
	out.WriteString("# subresources. A resource's `informer`: whether it can be listed and watched.\n")
	out.WriteString("GROUP_VERSIONS = [\n")
	for _, file := range sorted {
		emitGroupVersion(&out, file, subresourceFolders(file, folders))
	}
	out.WriteString("]\n")
	return out.String()
}

func emitGroupVersion(out *strings.Builder, file *protoFile, subresourceTypes []string) {
	out.WriteString("    struct(\n")
	fmt.Fprintf(out, "        folder = %q,\n", file.folder)
	fmt.Fprintf(out, "        api_version = %q,\n", apiVersion(file.group, file.version))
	fmt.Fprintf(out, "        group = %q,\n", camelGroup(file.group))
	fmt.Fprintf(out, "        version = %q,\n", camelVersion(file.version))
	fmt.Fprintf(out, "        has_kinds = %s,\n", starlarkBool(hasKinds(file)))
	emitStrings(out, "subresource_types", subresourceTypes)
	informed := informedKinds(file)
	var resources []string
	for _, m := range file.messages {
		if isResource(m) {
			resources = append(resources, fmt.Sprintf(
				"            struct(kind = %q, plural = %q, namespaced = %s, informer = %s),\n",
				m.name, pluralName(m.name, m.kind.plural), starlarkBool(m.kind.scope == "NAMESPACED"),
				starlarkBool(slices.Contains(informed, m))))
		}
	}
	if len(resources) == 0 {
		out.WriteString("        resources = [],\n    ),\n")
		return
	}
	fmt.Fprintf(out, "        resources = [\n%s        ],\n    ),\n", strings.Join(resources, ""))
}

func emitStrings(out *strings.Builder, name string, values []string) {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%q", value)
	}
	fmt.Fprintf(out, "        %s = [%s],\n", name, strings.Join(quoted, ", "))
}

func starlarkBool(value bool) string {
	if value {
		return "True"
	}
	return "False"
}

// subresourceFolders are those of other files that have the inputs and results of subresources.
func subresourceFolders(file *protoFile, folders map[string]string) []string {
	found := map[string]bool{}
	for _, m := range file.messages {
		if m.kind == nil {
			continue
		}
		for _, s := range m.kind.subresources {
			for _, name := range []string{s.input, s.result} {
				// What no file has, protoc-gen-kube reports.
				if folder, ok := folders[name]; ok && folder != file.folder {
					found[folder] = true
				}
			}
		}
	}
	return sortedKeys(found)
}

func hasKinds(file *protoFile) bool {
	return slices.ContainsFunc(file.messages, func(m *message) bool { return m.kind != nil })
}

func isResource(m *message) bool {
	return m.kind != nil && m.kind.scope != "NO_RESOURCE"
}

// informedKinds are the kinds that can be listed and watched. It is the rule of codegen/informers.cc.
func informedKinds(file *protoFile) []*message {
	lists := map[string]bool{}
	for _, m := range file.messages {
		if m.kind != nil {
			lists[m.kind.listOf] = true
		}
	}
	var kinds []*message
	for _, m := range file.messages {
		if !isResource(m) || !lists[m.name] {
			continue
		}
		// None is all.
		verbs := m.kind.verbs
		if len(verbs) == 0 || slices.Contains(verbs, "list") && slices.Contains(verbs, "watch") {
			kinds = append(kinds, m)
		}
	}
	return kinds
}

// camelGroup and camelVersion are how client-gen names a group and a version: "Rbac" of rbac.authorization.k8s.io, "V1". They
// are those of codegen/names.h.
func camelGroup(group string) string {
	if group == "" {
		group = "core"
	}
	group, _, _ = strings.Cut(group, ".")
	return strings.ToUpper(group[:1]) + group[1:]
}

func camelVersion(version string) string {
	return strings.ToUpper(version[:1]) + version[1:]
}

// pluralName is what client-gen calls a kind's objects: "NetworkPolicies". It is that of codegen/names.h.
func pluralName(kind, resource string) string {
	last, stem := kind[len(kind)-1:], kind[:len(kind)-1]
	switch {
	case strings.ToLower(kind) == resource:
		return kind
	case strings.Contains("sxz", last) || strings.HasSuffix(kind, "ch") || strings.HasSuffix(kind, "sh"):
		return kind + "es"
	case last == "y" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		return stem + "ies"
	default:
		return kind + "s"
	}
}
