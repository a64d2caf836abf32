// Command import_kubernetes writes the IDL of a Kubernetes release: api/GROUP/VERSION/types.proto and the BUILD files
// beside them, and api/groups.bzl, the list of which the build makes clients, informers and whatever else has a line for
// each group and version. It reads the release's Go modules, which it downloads, and discovery.json, which holds what only
// a running server knows. It takes facts alone: names, numbers, types and rules, none of the sentences.
//
//	tools/import_kubernetes                          # the release of tools/versions.bzl, into api/
//	tools/import_kubernetes --check                  # changes nothing; fails if a run would
//	tools/import_kubernetes --version 0.35.0 --out /tmp/k8s/api
//	tools/import_kubernetes --compare                # and tells where a server's schemas say otherwise
//	tools/import_kubernetes --discover               # asks the server of $KUBECONFIG, writes discovery.json
//
// docs/upgrading-kubernetes.md says how to move to another release.
package main

import (
	"flag"
	"fmt"
	"os"
	"path"
	"strings"
)

type options struct {
	version, out, discovery, goCommand, modules string
	check, compare, discover                    bool
}

func main() {
	var o options
	flag.StringVar(&o.version, "version", "", "version of the modules, as 0.36.0")
	flag.StringVar(&o.out, "out", "api", "folder to write to")
	flag.StringVar(&o.discovery, "discovery", "discovery.json", "file with a server's discovery")
	flag.StringVar(&o.goCommand, "go", "go", "go command that downloads the modules")
	flag.StringVar(&o.modules, "modules", "", "folder that has the modules by their paths: nothing is downloaded")
	flag.BoolVar(&o.check, "check", false, "change nothing, and fail where something would change")
	flag.BoolVar(&o.compare, "compare", false, "also compare rules with the schemas that $KUBECTL reads of its server")
	flag.BoolVar(&o.discover, "discover", false, "only write --discovery, from what $KUBECTL reads of its server")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "import_kubernetes:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.discover {
		return discover(os.Getenv("KUBECTL"), o.discovery)
	}
	dirs, err := moduleDirs(o)
	if err != nil {
		return err
	}
	served, err := readDiscovery(o.discovery)
	if err != nil {
		return err
	}
	result, err := importAll(dirs, served, o.version)
	if err != nil {
		return err
	}
	for _, note := range append(result.notes, result.commentNotes...) {
		fmt.Println("note:", note)
	}
	fmt.Println(result.summary())
	if o.check && len(result.commentNotes) > 0 {
		return fmt.Errorf("check comments: %d notes, see above", len(result.commentNotes))
	}
	if o.compare {
		lines, err := compareWithServer(os.Getenv("KUBECTL"), result.files)
		if err != nil {
			return err
		}
		fmt.Println(strings.Join(lines, "\n"))
	}
	return writeTree(o.out, result.tree, o.check)
}

// An imported release.
type imported struct {
	files []*protoFile
	tree  map[string]string // what to write, by path below api/
	notes []string
	// Where the comments of constants and the modules differ.
	commentNotes []string
}

func importAll(moduleDirs map[string]string, served discovery, version string) (*imported, error) {
	packages, err := findPackages(moduleDirs)
	if err != nil {
		return nil, err
	}
	c := &converter{
		loader: newLoader(moduleDirs), folders: map[string]string{}, release: release(version), served: served,
		commented: map[string]bool{},
	}
	for folder, goPath := range packages {
		c.folders[goPath] = folder
	}
	result := &imported{tree: map[string]string{}}
	for _, folder := range sortedKeys(packages) {
		file, err := c.convert(folder, packages[folder])
		if err != nil {
			return nil, err
		}
		if err := verify(c.loader.packages[packages[folder]].dir, file); err != nil {
			return nil, err
		}
		result.files = append(result.files, file)
		result.tree[path.Join(folder, "types.proto")] = emitProto(file)
		result.tree[path.Join(folder, "BUILD.bazel")] = emitBuild(file)
	}
	if err := checkAllConstants(moduleDirs, result.files); err != nil {
		return nil, err
	}
	result.tree["groups.bzl"] = emitGroupVersions(result.files)
	result.notes = c.notes
	result.commentNotes = c.commentNotes()
	return result, nil
}

// release is the Kubernetes release of a version of the modules: "1.36" of "0.36.1".
func release(version string) string {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return version
	}
	return "1." + parts[1]
}

func (r *imported) summary() string {
	var messages, fields, kinds, resources int
	for _, file := range r.files {
		messages += len(file.messages)
		for _, m := range file.messages {
			fields += len(m.fields)
			if m.kind != nil {
				kinds++
				if m.kind.scope != "NO_RESOURCE" {
					resources++
				}
			}
		}
	}
	return fmt.Sprintf("%d group-versions, %d messages, %d fields, %d kinds, %d resources",
		len(r.files), messages, fields, kinds, resources)
}
