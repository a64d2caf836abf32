package main

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// field converts a struct's field; nil if it is neither in JSON nor on the wire.
func (c *converter) field(file *protoFile, m *message, v *types.Var, tag reflect.StructTag) (*field, error) {
	jsonTag, hasJSON := tag.Lookup("json")
	if !v.Exported() || jsonTag == "-" {
		c.note("%s.%s.%s: not imported: it is not in JSON", file.goPath, m.name, v.Name())
		return nil, nil
	}
	f := &field{goName: v.Name()}
	if !hasJSON {
		if m.jsonForm == "" {
			return nil, fmt.Errorf("it has no JSON name")
		}
		f.name = jsonFormFields[v.Name()]
		f.jsonName = lowerCamelCase(f.name)
	} else {
		setJSON(f, v, jsonTag)
	}
	if err := setNumber(f, tag.Get("protobuf")); err != nil {
		return nil, err
	}
	if err := c.setType(file, f, v.Type()); err != nil {
		return nil, err
	}
	return f, c.setRules(f, v, tag)
}

// setJSON reads the tag `json:"name,omitempty"`.
func setJSON(f *field, v *types.Var, tag string) {
	parts := strings.Split(tag, ",")
	f.jsonName = parts[0]
	empty, zero := slices.Contains(parts, "omitempty"), slices.Contains(parts, "omitzero")
	f.inline = v.Embedded() && parts[0] == "" || slices.Contains(parts, "inline")
	switch {
	case f.inline:
		f.name = snakeCase(v.Name())
		f.jsonName = lowerCamelCase(f.name)
		return
	case f.jsonName == "":
		f.jsonName = v.Name()
	}
	f.name = snakeCase(f.jsonName)
	switch {
	case empty && zero:
		f.omit = "EMPTY_OR_ZERO"
	case zero:
		f.omit = "ZERO"
	case !empty:
		f.omit = "NEVER"
	}
}

// setNumber reads the tag `protobuf:"bytes,1,opt,name=name"`. A field without one is only in JSON.
func setNumber(f *field, tag string) error {
	if tag == "" || tag == "-" {
		f.noWire = true
		return nil
	}
	parts := strings.Split(tag, ",")
	if len(parts) < 2 {
		return fmt.Errorf("read tag protobuf %q: it has no number", tag)
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		return fmt.Errorf("read tag protobuf %q: %w", tag, err)
	}
	f.number = number
	return nil
}

// setType sets label and type.
func (c *converter) setType(file *protoFile, f *field, t types.Type) error {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		f.label = "optional"
		t = pointer.Elem()
	}
	var err error
	if c.isWrapped(t) {
		f.typeName, err = c.typeName(file, t)
		return err
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if isByte(u.Elem()) {
			f.typeName = "bytes"
			return nil
		}
		if f.label != "" {
			return fmt.Errorf("type %s: a pointer to a list", t)
		}
		f.label = "repeated"
		f.typeName, err = c.typeName(file, element(u.Elem()))
		c.setStringType(file, f, u.Elem())
	case *types.Map:
		if f.label != "" {
			return fmt.Errorf("type %s: a pointer to a map", t)
		}
		if basic, ok := u.Key().Underlying().(*types.Basic); !ok || basic.Kind() != types.String {
			return fmt.Errorf("type %s: keys are not strings", t)
		}
		var value string
		value, err = c.typeName(file, element(u.Elem()))
		f.typeName = "map<string, " + value + ">"
		c.setStringType(file, f, u.Elem())
	default:
		f.typeName, err = c.typeName(file, t)
		c.setStringType(file, f, t)
	}
	return err
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8
}

// element is the type of a list's elements: pointers to them are never nil.
func element(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

func (c *converter) isWrapped(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && c.isWrappedList(named.Obj())
}

// The type of values that a list of lists has: a message that stands for a list.
const stringList = "StringList"

// typeName is the name of a type that is no list and no map, but may stand for one.
func (c *converter) typeName(file *protoFile, t types.Type) (string, error) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		object := named.Obj()
		_, isStruct := t.Underlying().(*types.Struct)
		if leaf, ok := leafTypes[object.Pkg().Path()+"."+object.Name()]; ok {
			file.usesLeaves = true
			return leaf, nil
		}
		if isStruct || c.isWrapped(t) {
			return c.messageName(file, object)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return scalar(u)
	case *types.Interface:
		// Cells of a table: interface{}.
		file.usesLeaves = true
		return "kube.RawJson", nil
	case *types.Slice:
		if isByte(u.Elem()) {
			return "bytes", nil
		}
		if basic, ok := u.Elem().Underlying().(*types.Basic); ok && basic.Kind() == types.String {
			file.addStringList()
			return stringList, nil
		}
	}
	return "", fmt.Errorf("type %s: the IDL has none like it", t)
}

// addStringList declares the message StringList, once.
func (f *protoFile) addStringList() {
	for _, m := range f.messages {
		if m.name == stringList {
			return
		}
	}
	items := &field{name: "items", goName: "Items", jsonName: "items", typeName: "string", label: "repeated", number: 1}
	f.messages = append(f.messages, &message{name: stringList, list: true, fields: []*field{items}})
}

// messageName refers to a message, of this file or of another, which becomes a dependency.
func (c *converter) messageName(file *protoFile, object *types.TypeName) (string, error) {
	goPath := object.Pkg().Path()
	if goPath == file.goPath {
		return object.Name(), nil
	}
	folder, ok := c.folders[goPath]
	if !ok {
		return "", fmt.Errorf("type %s.%s: its package is not imported", goPath, object.Name())
	}
	file.dependencies[folder] = true
	return protoPackage(folder) + "." + object.Name(), nil
}

// protoPackage is kube.api.apps.v1 of apps/v1.
func protoPackage(folder string) string {
	return "kube.api." + strings.ReplaceAll(folder, "/", ".")
}

func scalar(basic *types.Basic) (string, error) {
	switch basic.Kind() {
	case types.String:
		return "string", nil
	case types.Bool:
		return "bool", nil
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return "int32", nil
	case types.Int, types.Int64, types.Uint32:
		return "int64", nil
	case types.Float32, types.Float64:
		return "double", nil
	}
	return "", fmt.Errorf("type %s: the IDL has none like it", basic)
}
