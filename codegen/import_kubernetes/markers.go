package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// markers are the "+name=value" lines of a comment, in order. Prose is dropped where it is read.
type markers []marker

type marker struct{ name, value string }

// Rules that a release enforces under a gate for declarative validation: +k8s:alpha(since: "1.36")=+k8s:minimum=0. The
// rule holds without the gate as well, by code.
var gatedMarker = regexp.MustCompile(`^\+k8s:(alpha|beta)(\([^)]*\))?=(\+.*)$`)

// A marker's name runs up to the first "=" outside of parentheses.
var markerLine = regexp.MustCompile(`^\+([A-Za-z][A-Za-z0-9:._-]*(?:\([^)]*\))?)(?:=(.*))?$`)

func parseMarkers(groups ...*ast.CommentGroup) markers {
	var found markers
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			for line := range strings.SplitSeq(strings.TrimPrefix(comment.Text, "/*"), "\n") {
				if m, ok := parseMarker(strings.TrimSpace(strings.TrimPrefix(line, "//"))); ok {
					found = append(found, m)
				}
			}
		}
	}
	return found
}

func parseMarker(line string) (marker, bool) {
	if match := gatedMarker.FindStringSubmatch(line); match != nil {
		line = match[3]
	}
	match := markerLine.FindStringSubmatch(line)
	if match == nil {
		return marker{}, false
	}
	value, _, _ := strings.Cut(match[2], " #")
	return marker{match[1], strings.TrimSpace(value)}, true
}

func (m markers) has(name string) bool {
	for _, each := range m {
		if each.name == name {
			return true
		}
	}
	return false
}

// first is the value of the first marker that has one of the names, by the order of the names.
func (m markers) first(names ...string) string {
	for _, name := range names {
		if values := m.all(name); len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

func (m markers) all(name string) []string {
	var values []string
	for _, each := range m {
		if each.name == name {
			values = append(values, each.value)
		}
	}
	return values
}

// collectMarkers finds the comments of each type and field. A type has two: the one right before it, and the one that
// a blank line separates from that.
func collectMarkers(fset *token.FileSet, file *ast.File, found map[token.Pos]markers) {
	byLastLine := map[int]*ast.CommentGroup{}
	for _, group := range file.Comments {
		byLastLine[fset.Position(group.End()).Line] = group
	}
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			typeSpec := spec.(*ast.TypeSpec)
			doc := typeSpec.Doc
			start := typeSpec.Pos()
			if doc == nil {
				doc, start = general.Doc, general.Pos()
			}
			if doc != nil {
				start = doc.Pos()
			}
			var earlier *ast.CommentGroup
			if !general.Lparen.IsValid() {
				earlier = byLastLine[fset.Position(start).Line-2]
			}
			found[typeSpec.Name.Pos()] = parseMarkers(earlier, doc)
			collectFieldMarkers(typeSpec, found)
		}
	}
}

func collectFieldMarkers(spec *ast.TypeSpec, found map[token.Pos]markers) {
	structType, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structType.Fields.List {
		parsed := parseMarkers(field.Doc)
		for _, name := range field.Names {
			found[name.Pos()] = parsed
		}
		if len(field.Names) == 0 {
			found[embeddedPos(field.Type)] = parsed
		}
	}
}

// embeddedPos is where go/types puts an embedded field: the name of its type.
func embeddedPos(expr ast.Expr) token.Pos {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return embeddedPos(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	}
	return expr.Pos()
}
