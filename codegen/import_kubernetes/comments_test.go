package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"
)

func TestReadComments(t *testing.T) {
	got := readComments("\n: Color\nRed: As blood: red.\n: shop\nLabel: A label.\n", ": Size\nRed: Not a size.\n")
	want := map[string]string{
		"Color.Red": "As blood: red.", "shop.Label": "A label.", "Size.Red": "Not a size.",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReadCommentsOfBadTables(t *testing.T) {
	for _, table := range []string{": A\nX: 1\nX: 2", ": A\nno colon"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q: expected it to be refused", table)
				}
			}()
			readComments(table)
		}()
	}
}

func TestCommentsAreSentencesOfOneLine(t *testing.T) {
	for name, comment := range constantComments {
		if len(comment) > maxComment || !strings.HasSuffix(comment, ".") || strings.ToUpper(comment[:1]) != comment[:1] && comment[0] != '/' && !strings.HasPrefix(comment, "fsGroup") {
			t.Errorf("%s: %q: expected a sentence of at most %d characters", name, comment, maxComment)
		}
	}
}

func TestWhereUsed(t *testing.T) {
	file := &protoFile{folder: "shop/v1", messages: []*message{
		{name: "Item", fields: []*field{{jsonName: "name"}, {jsonName: "paint", stringType: "Color"}}},
	}}
	for _, test := range []struct{ typeName, want string }{
		{"Color", "A value of Item.paint."},
		{"Size", "A value of type Size."},
		{"", "A name of group version shop/v1."},
	} {
		if got := whereUsed(file, test.typeName); got != test.want {
			t.Errorf("%q: %q, want %q", test.typeName, got, test.want)
		}
	}
}

func TestCheckComments(t *testing.T) {
	source := `package v1

// Red is the colour of blood; it
// is   what stops you. Blue is not.
//
// - Green lets you go on
const X = 1
`
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &goPackage{files: []*ast.File{file}}
	for _, test := range []struct {
		name, comment string
		ok            bool
	}{
		{"ours", "It stops you.", true},
		{"a sentence over lines", "it is what stops you.", false},
		{"one of several", "Ours. Red is the colour of blood.", false},
		{"of a list", "Green lets you go on.", false},
		{"too short to be said in another way", "Blue is not.", true},
		{"too long", strings.Repeat("x", maxComment+1), false},
	} {
		f := &protoFile{stringTypes: []stringType{{constants: []stringConstant{{comment: test.comment}}}}}
		if err := checkComments(f, pkg); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
