package main

// What a .proto file says, before it is printed.

type protoFile struct {
	folder       string // "apps/v1"
	goPath       string // "k8s.io/api/apps/v1"
	group        string // "apps"
	version      string // "v1"
	release      string // "1.36"
	messages     []*message
	dependencies map[string]bool // folders of other files
	usesLeaves   bool
	stringTypes  []stringType
}

type message struct {
	name     string
	kind     *kind
	list     bool // stands for its one field
	typeMeta bool
	atomic   bool
	jsonForm string
	fields   []*field
}

type field struct {
	name     string // of C++
	goName   string
	jsonName string
	typeName string // "string", "kube.Time", "map<string, PodSpec>"
	label    string // "", "optional" or "repeated"
	number   int
	noWire   bool
	inline   bool
	omit     string // of enum Omit; "" is EMPTY

	patchStrategy []string
	patchMergeKey string
	listType      string
	listMapKeys   []string
	atomic        bool
	granular      bool
	enumValues    []string
	stringType    string
	defaultJSON   string
	required      *bool
	validation    []string // fields of message Validation, as text
}

type kind struct {
	apiVersion             string // where it is not the file's
	scope                  string // of enum Scope
	plural, singular       string
	shortNames, categories []string
	verbs                  []string
	subresources           []subresource
	listOf                 string
	introduced             string
	deprecated             string
	removed                string
	replacement            string
}

type subresource struct {
	name          string
	verbs         []string
	input, result string
}

// A stringType is a string type's constants; those of no type have the name "".
type stringType struct {
	name      string
	closed    bool
	constants []stringConstant
}

type stringConstant struct{ name, value, comment string }
