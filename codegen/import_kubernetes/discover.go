package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// discover writes what the server says of all its groups and versions.
func discover(kubectl, file string) error {
	if kubectl == "" {
		return fmt.Errorf("discover: $KUBECTL is not set: tools/kube sets it")
	}
	versions, err := servedVersions(kubectl)
	if err != nil {
		return err
	}
	served := discovery{}
	for _, version := range versions {
		root := "/apis/"
		if !strings.Contains(version, "/") {
			root = "/api/"
		}
		var list struct{ Resources []servedResource }
		if err := getRaw(kubectl, root+version, &list); err != nil {
			return err
		}
		served[version] = sortedResources(list.Resources)
	}
	text, err := formatDiscovery(served)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d versions\n", file, len(served))
	return os.WriteFile(file, text, 0o644)
}

func servedVersions(kubectl string) ([]string, error) {
	var core struct{ Versions []string }
	if err := getRaw(kubectl, "/api", &core); err != nil {
		return nil, err
	}
	var groups struct {
		Groups []struct {
			Versions []struct{ GroupVersion string }
		}
	}
	if err := getRaw(kubectl, "/apis", &groups); err != nil {
		return nil, err
	}
	versions := core.Versions
	for _, group := range groups.Groups {
		for _, version := range group.Versions {
			versions = append(versions, version.GroupVersion)
		}
	}
	return versions, nil
}

func getRaw(kubectl, path string, into any) error {
	var stderr bytes.Buffer
	command := exec.Command(kubectl, "get", "--raw", path)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("get %s: %w: %s", path, err, stderr.Bytes())
	}
	if err := json.Unmarshal(out, into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// sortedResources makes the file independent of the server's order.
func sortedResources(resources []servedResource) []servedResource {
	for i := range resources {
		slices.Sort(resources[i].Verbs)
	}
	slices.SortFunc(resources, func(a, b servedResource) int { return strings.Compare(a.Name, b.Name) })
	return resources
}

// formatDiscovery prints a resource a line, so that a change of release reads well as a diff.
func formatDiscovery(served discovery) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("{")
	for i, version := range sortedKeys(served) {
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(&out, "\n  %q: [", version)
		for j, resource := range served[version] {
			line, err := json.Marshal(resource)
			if err != nil {
				return nil, err
			}
			if j > 0 {
				out.WriteString(",")
			}
			fmt.Fprintf(&out, "\n    %s", line)
		}
		out.WriteString("\n  ]")
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}
