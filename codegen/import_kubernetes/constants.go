package main

import (
	"go/constant"
	"go/types"
	"sort"
)

// constantsOf gives a package's exported string constants in their order in the source.
func constantsOf(pkg *types.Package) []*types.Const {
	var found []*types.Const
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && object.Exported() && object.Val().Kind() == constant.String {
			found = append(found, object)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Pos() < found[j].Pos() })
	return found
}
