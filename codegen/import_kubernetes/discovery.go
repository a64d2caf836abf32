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
		return r.Kind == m.name && !strings.Contains(r.Name, "/")
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
	k.subresources = servedSubresources(k, m.name, own, resource.Name, resources)
}

// servedSubresources gives those of a resource. Discovery names one kind for what they take and give; where the types'
// markers know better, they win.
func servedSubresources(k *kind, kindName, own, plural string, resources []servedResource) []subresource {
	var list []subresource
	for _, r := range resources {
		name, ok := strings.CutPrefix(r.Name, plural+"/")
		if !ok {
			continue
		}
		s := subresource{name: name, verbs: r.Verbs}
		if served := r.apiVersion(own); r.Kind != kindName || served != own {
			s.input, s.result = served+" "+r.Kind, served+" "+r.Kind
		}
		if strings.HasSuffix(r.Kind, "Options") {
			s.result = "" // a stream: what is named are its query parameters
		}
		i := slices.IndexFunc(k.subresources, func(other subresource) bool { return other.name == name })
		if i >= 0 && k.subresources[i].result != "" && s.result != "" {
			s.result = k.subresources[i].result
		}
		list = append(list, s)
	}
	return list
}

// apiVersion is what the resource says, else that of the list it is in.
func (r servedResource) apiVersion(list string) string {
	if r.Group == "" && r.Version == "" {
		return list
	}
	return apiVersion(r.Group, r.Version)
}
