package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A discovery is what a server says of its resources, by apiVersion.
type discovery map[string][]servedResource

// A servedResource is an APIResource without what is the server's own (storageVersionHash).
type servedResource struct {
	Name         string   `json:"name"`
	SingularName string   `json:"singularName,omitempty"`
	Namespaced   bool     `json:"namespaced"`
	Group        string   `json:"group,omitempty"`
	Version      string   `json:"version,omitempty"`
	Kind         string   `json:"kind"`
	Verbs        []string `json:"verbs"`
	ShortNames   []string `json:"shortNames,omitempty"`
	Categories   []string `json:"categories,omitempty"`
}

func readDiscovery(file string) (discovery, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var served discovery
	if err := json.Unmarshal(text, &served); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return served, nil
}

// setServed lets the server have the last word on a kind that it serves: it enforces what the type's markers only
// plan for the client.
func (c *converter) setServed(file *protoFile, m *message) {
	own := apiVersion(file.group, file.version)
	resources := c.served[own]
	i := slices.IndexFunc(resources, func(r servedResource) bool {
		return r.Kind == m.name && !strings.Contains(r.Name, "/") && r.Group == "" && r.Version == ""
	})
	if i < 0 {
		return
	}
	resource, k := resources[i], m.kind
	k.scope = "CLUSTER"
	if resource.Namespaced {
		k.scope = "NAMESPACED"
	}
	k.plural, k.singular = resource.Name, resource.SingularName
	k.shortNames, k.categories = resource.ShortNames, resource.Categories
	k.verbs = resource.Verbs
	k.subresources = nil
	for _, r := range resources {
		name, ok := strings.CutPrefix(r.Name, resource.Name+"/")
		if !ok {
			continue
		}
		s := subresource{name: name, verbs: r.Verbs}
		if served := r.apiVersion(own); r.Kind != m.name || served != own {
			s.input, s.result = served+" "+r.Kind, served+" "+r.Kind
		}
		k.subresources = append(k.subresources, s)
	}
}

// apiVersion is what the resource says, else that of the list it is in.
func (r servedResource) apiVersion(list string) string {
	if r.Group == "" && r.Version == "" {
		return list
	}
	return apiVersion(r.Group, r.Version)
}
