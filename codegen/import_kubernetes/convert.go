package main

import (
	"fmt"
	"go/constant"
	"go/types"
	"path"
	"reflect"
	"sort"
	"strings"
)

// A converter makes protoFiles of Go packages.
type converter struct {
	loader  *loader
	folders map[string]string // of Go packages
	release string
	served  discovery
	// What was left out or decided on the way, for the maintainer.
	notes []string
	// Constants as in the tables of comments, "PodPhase.PodPending": all of them, and those that the tables lack.
	commented   map[string]bool
	uncommented []string
}

func (c *converter) note(format string, arguments ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, arguments...))
}

// convert reads one Go package.
func (c *converter) convert(folder, goPath string) (*protoFile, error) {
	pkg, err := c.loader.load(goPath)
	if err != nil {
		return nil, err
	}
	file := &protoFile{
		folder: folder, goPath: goPath, release: c.release,
		group: groupName(pkg.types), version: path.Base(folder),
		dependencies: map[string]bool{},
	}
	facts, err := readKindFacts(pkg)
	if err != nil {
		return nil, err
	}
	scope := pkg.types.Scope()
	for _, name := range scope.Names() {
		typeName, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !typeName.Exported() || typeName.IsAlias() || !c.isMessage(typeName) {
			continue
		}
		m, err := c.message(file, typeName)
		if err != nil {
			return nil, fmt.Errorf("import %s.%s: %w", goPath, name, err)
		}
		if err := c.setKind(file, m, typeName, facts); err != nil {
			return nil, fmt.Errorf("import kind %s.%s: %w", goPath, name, err)
		}
		file.messages = append(file.messages, m)
	}
	c.setLists(file)
	file.stringTypes = c.stringTypes(pkg.types)
	c.setComments(file)
	if err := checkComments(file, pkg); err != nil {
		return nil, err
	}
	sort.Slice(file.messages, func(i, j int) bool { return file.messages[i].name < file.messages[j].name })
	return file, nil
}

// groupName is the constant GroupName; a package without one has the core group's name, as kubeconfig has.
func groupName(pkg *types.Package) string {
	if c, ok := pkg.Scope().Lookup("GroupName").(*types.Const); ok {
		return constant.StringVal(c.Val())
	}
	return ""
}

// isMessage tells API types from the other types of a package: structs whose fields have JSON names, and named lists
// that are messages on the wire.
func (c *converter) isMessage(typeName *types.TypeName) bool {
	full := typeName.Pkg().Path() + "." + typeName.Name()
	if _, ok := leafTypes[full]; ok {
		return false
	}
	if _, ok := notImported[full]; ok {
		return false
	}
	if _, ok := jsonForms[typeName.Name()]; ok {
		return true
	}
	if c.isWrappedList(typeName) {
		return true
	}
	structType, ok := typeName.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range structType.NumFields() {
		if _, ok := reflect.StructTag(structType.Tag(i)).Lookup("json"); ok {
			return true
		}
	}
	if strings.HasSuffix(c.loader.fset.Position(typeName.Pos()).Filename, "types.go") {
		if structType.NumFields() == 0 {
			return true
		}
		c.note("%s: not imported: no field has a JSON name", full)
	}
	return false
}

// isWrappedList says whether a named list is a message on the wire: type ExtraValue []string, "+protobuf.nullable".
func (c *converter) isWrappedList(typeName *types.TypeName) bool {
	if _, ok := typeName.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	return c.loader.markersAt(typeName).has("protobuf.nullable")
}

func (c *converter) message(file *protoFile, typeName *types.TypeName) (*message, error) {
	m := &message{name: typeName.Name(), jsonForm: jsonForms[typeName.Name()]}
	m.atomic = c.loader.markersAt(typeName).first("structType") == "atomic"
	if slice, ok := typeName.Type().Underlying().(*types.Slice); ok {
		f := &field{name: "items", goName: "Items", jsonName: "items", number: 1}
		m.list = true
		m.fields = []*field{f}
		return m, c.setType(file, f, slice)
	}
	structType := typeName.Type().Underlying().(*types.Struct)
	for i := range structType.NumFields() {
		variable := structType.Field(i)
		if isTypeMeta(variable) {
			if i != 0 {
				return nil, fmt.Errorf("TypeMeta is field %d: it must be the first", i)
			}
			m.typeMeta = true
			continue
		}
		f, err := c.field(file, m, variable, reflect.StructTag(structType.Tag(i)))
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", variable.Name(), err)
		}
		if f != nil {
			m.fields = append(m.fields, f)
		}
	}
	takeTypeMeta(m)
	numberFields(m)
	return m, checkFields(m)
}

func isTypeMeta(v *types.Var) bool {
	named, ok := types.Unalias(v.Type()).(*types.Named)
	return ok && v.Embedded() && named.Obj().Name() == "TypeMeta"
}

// takeTypeMeta makes an option of the members kind and apiVersion of a kubeconfig, which are a TypeMeta in all but name.
func takeTypeMeta(m *message) {
	if m.name == "Config" && len(m.fields) > 2 && m.fields[0].jsonName == "kind" && m.fields[1].jsonName == "apiVersion" {
		m.typeMeta = true
		m.fields = m.fields[2:]
	}
}

// The first number of fields that are not on the wire in a message that is. Protobuf numbers stay far below it.
const firstJSONOnlyNumber = 1000

// numberFields numbers the fields that are not on the wire: from 1 where none is.
func numberFields(m *message) {
	next := 1
	for _, f := range m.fields {
		if !f.noWire {
			next = firstJSONOnlyNumber
		}
	}
	for _, f := range m.fields {
		if f.noWire {
			f.number = next
			next++
		}
	}
}

// checkFields refuses what would be a wrong message.
func checkFields(m *message) error {
	numbers, names := map[int]string{}, map[string]string{}
	for _, f := range m.fields {
		if other, ok := numbers[f.number]; ok {
			return fmt.Errorf("fields %s and %s have number %d", other, f.goName, f.number)
		}
		if other, ok := names[f.name]; ok {
			return fmt.Errorf("fields %s and %s are both named %s", other, f.goName, f.name)
		}
		numbers[f.number], names[f.name] = f.goName, f.goName
	}
	return nil
}
