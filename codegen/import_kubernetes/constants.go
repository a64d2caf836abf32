package main

import (
	"go/constant"
	"go/types"
	"sort"
)

// Constants that are about the Go packages, not about the API.
var notConstants = map[string]bool{"GroupName": true, "RFC3339Micro": true}

// constantsOf gives a package's exported string constants in their order in the source.
func constantsOf(pkg *types.Package) []*types.Const {
	var found []*types.Const
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && object.Exported() && object.Val().Kind() == constant.String && !notConstants[name] {
			found = append(found, object)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Pos() < found[j].Pos() })
	return found
}

// stringTypes gives the constants by their types, which are sorted by name: plain strings come first. A constant of
// another package's type is listed as a plain string.
func (c *converter) stringTypes(pkg *types.Package) []stringType {
	byName := map[string]*stringType{}
	for _, each := range constantsOf(pkg) {
		name := ""
		if named := stringTypeOf(each.Type()); named != nil && named.Obj().Pkg() == pkg {
			name = named.Obj().Name()
		}
		if byName[name] == nil {
			byName[name] = &stringType{name: name, closed: name != "" && c.isEnum(pkg.Scope().Lookup(name))}
		}
		added := stringConstant{name: each.Name(), value: constant.StringVal(each.Val())}
		byName[name].constants = append(byName[name].constants, added)
	}
	var list []stringType
	for _, name := range sortedKeys(byName) {
		list = append(list, *byName[name])
	}
	return list
}

func (c *converter) isEnum(object types.Object) bool {
	said := c.loader.markersAt(object)
	return said.has("enum") || said.has("k8s:enum")
}

// stringTypeOf is the named string type that t is, or nil.
func stringTypeOf(t types.Type) *types.Named {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if basic, ok := named.Underlying().(*types.Basic); !ok || basic.Kind() != types.String {
		return nil
	}
	return named
}

// setStringType notes the known values of a field whose type, or whose elements' type, is t.
func (c *converter) setStringType(file *protoFile, f *field, t types.Type) {
	named := stringTypeOf(element(t))
	if named == nil {
		return
	}
	seen := map[string]bool{"": true}
	for _, each := range constantsOf(named.Obj().Pkg()) {
		value := constant.StringVal(each.Val())
		if types.Identical(each.Type(), named) && !seen[value] {
			f.enumValues = append(f.enumValues, value)
			seen[value] = true
		}
	}
	folder, imported := c.folders[named.Obj().Pkg().Path()]
	if len(f.enumValues) == 0 || !imported {
		return
	}
	f.stringType = named.Obj().Name()
	if folder != file.folder {
		f.stringType = protoPackage(folder) + "." + f.stringType
	}
}
