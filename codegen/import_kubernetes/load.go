package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
)

// A loader type-checks packages of the modules from their sources. Packages that are not theirs, the standard
// library's too, are taken to be empty: no API type is made of one, and where one were, the field would have no type
// and the import would fail.
type loader struct {
	fset       *token.FileSet
	moduleDirs map[string]string
	packages   map[string]*goPackage
}

// A goPackage is a type-checked package with its syntax.
type goPackage struct {
	types *types.Package
	info  *types.Info
	files []*ast.File
	dir   string
	// What is said of each type and of each field, by the position of its name.
	markers map[token.Pos]markers
}

func newLoader(moduleDirs map[string]string) *loader {
	return &loader{fset: token.NewFileSet(), moduleDirs: moduleDirs, packages: map[string]*goPackage{}}
}

// Import makes a loader a types.Importer.
func (l *loader) Import(importPath string) (*types.Package, error) {
	pkg, err := l.load(importPath)
	if err != nil {
		return nil, err
	}
	return pkg.types, nil
}

func (l *loader) load(importPath string) (*goPackage, error) {
	if pkg, ok := l.packages[importPath]; ok {
		return pkg, nil
	}
	dir := packageDir(l.moduleDirs, importPath)
	if dir == "" {
		empty := types.NewPackage(importPath, path.Base(importPath))
		empty.MarkComplete()
		pkg := &goPackage{types: empty}
		l.packages[importPath] = pkg
		return pkg, nil
	}
	files, err := l.parse(dir)
	if err != nil {
		return nil, fmt.Errorf("load package %s: %w", importPath, err)
	}
	pkg := &goPackage{files: files, dir: dir, markers: map[token.Pos]markers{}}
	pkg.info = &types.Info{Defs: map[*ast.Ident]types.Object{}}
	// Errors are expected: they come from what the empty packages lack.
	config := types.Config{Importer: l, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg.types, _ = config.Check(importPath, l.fset, files, pkg.info)
	for _, file := range files {
		collectMarkers(l.fset, file, pkg.markers)
	}
	l.packages[importPath] = pkg
	return pkg, nil
}

// parse reads the files that Go would compile on Linux, without tests.
func (l *loader) parse(dir string) ([]*ast.File, error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || base == "generated.pb.go" {
			continue
		}
		if match, err := context.MatchFile(dir, base); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// markersAt gives the markers of the type or field whose name is at pos, which may be of any loaded package.
func (l *loader) markersAt(object types.Object) markers {
	if pkg, ok := l.packages[object.Pkg().Path()]; ok {
		return pkg.markers[object.Pos()]
	}
	return markers{}
}
