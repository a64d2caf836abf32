package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// kindFacts is what a package's functions say of its kinds.
type kindFacts struct {
	registered  map[string]bool // in a scheme
	unversioned map[string]bool // as kinds of "v1", whatever the package
	introduced  map[string]string
	deprecated  map[string]string
	removed     map[string]string
	replacement map[string]string
}

func readKindFacts(pkg *goPackage) (*kindFacts, error) {
	facts := &kindFacts{
		registered: map[string]bool{}, unversioned: map[string]bool{}, introduced: map[string]string{},
		deprecated: map[string]string{}, removed: map[string]string{}, replacement: map[string]string{},
	}
	for _, file := range pkg.files {
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv != nil {
				if err := facts.readLifecycle(function); err != nil {
					return nil, err
				}
			}
		}
		if facts.readsRegistrations(file) {
			ast.Inspect(file, facts.readRegistration)
		}
	}
	return facts, nil
}

// readsRegistrations says whether a file has a call of AddKnownTypes.
func (k *kindFacts) readsRegistrations(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		found = found || ok && selector.Sel.Name == "AddKnownTypes"
		return !found
	})
	return found
}

// readRegistration collects the X of each &X{}, and those that are arguments of AddUnversionedTypes(Unversioned, …).
func (k *kindFacts) readRegistration(node ast.Node) bool {
	if name := pointerToNew(node); name != "" {
		k.registered[name] = true
	}
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return true
	}
	selector, isSelector := call.Fun.(*ast.SelectorExpr)
	first, isName := call.Args[0].(*ast.Ident)
	if isSelector && isName && selector.Sel.Name == "AddUnversionedTypes" && first.Name == "Unversioned" {
		for _, argument := range call.Args[1:] {
			k.unversioned[pointerToNew(argument)] = true
		}
	}
	return true
}

// pointerToNew is the X of &X{}, or "".
func pointerToNew(node ast.Node) string {
	unary, ok := node.(*ast.UnaryExpr)
	if !ok || unary.Op != token.AND {
		return ""
	}
	literal, ok := unary.X.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	if name, ok := literal.Type.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// readLifecycle reads a generated method such as: func (in *X) APILifecycleRemoved() (major, minor int) { return 1, 22 }
func (k *kindFacts) readLifecycle(function *ast.FuncDecl) error {
	what, ok := strings.CutPrefix(function.Name.Name, "APILifecycle")
	if !ok {
		return nil
	}
	star, ok := function.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return fmt.Errorf("read %s: its receiver is no pointer", function.Name.Name)
	}
	name := star.X.(*ast.Ident).Name
	statement, ok := function.Body.List[0].(*ast.ReturnStmt)
	if !ok {
		return fmt.Errorf("read %s of %s: it is not one return", function.Name.Name, name)
	}
	if what == "Replacement" {
		k.replacement[name] = replacement(statement.Results[0])
		return nil
	}
	target := map[string]map[string]string{
		"Introduced": k.introduced, "Deprecated": k.deprecated, "Removed": k.removed,
	}[what]
	if target == nil || len(statement.Results) != 2 {
		return fmt.Errorf("read %s of %s: it returns something else", function.Name.Name, name)
	}
	major, minor := statement.Results[0].(*ast.BasicLit).Value, statement.Results[1].(*ast.BasicLit).Value
	target[name] = major + "." + minor
	return nil
}

// replacement reads schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}.
func replacement(expr ast.Expr) string {
	values := map[string]string{}
	for _, element := range expr.(*ast.CompositeLit).Elts {
		pair := element.(*ast.KeyValueExpr)
		value, err := strconv.Unquote(pair.Value.(*ast.BasicLit).Value)
		if err == nil {
			values[pair.Key.(*ast.Ident).Name] = value
		}
	}
	return apiVersion(values["Group"], values["Version"]) + " " + values["Kind"]
}

// apiVersion is "apps/v1", and "v1" of the core group.
func apiVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

// setKind fills in message.kind, of a message that is one.
func (c *converter) setKind(file *protoFile, m *message, typeName *types.TypeName, facts *kindFacts) error {
	if !m.typeMeta || !facts.registered[m.name] {
		return nil
	}
	m.typeMeta = false
	k := &kind{
		scope:      "NO_RESOURCE",
		introduced: facts.introduced[m.name], deprecated: facts.deprecated[m.name],
		removed: facts.removed[m.name], replacement: facts.replacement[m.name],
	}
	m.kind = k
	if facts.unversioned[m.name] || ofEveryVersion[file.goPath+"."+m.name] {
		k.apiVersion = "v1"
	}
	said := c.loader.markersAt(typeName)
	if said.has("genclient") && !said.has("genclient:noVerbs") {
		if err := c.setClient(file, k, m, said); err != nil {
			return err
		}
	}
	c.setServed(file, m)
	return nil
}

// The verbs of the API that a client's methods send.
var clientVerbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// setClient reads +genclient and its siblings.
func (c *converter) setClient(file *protoFile, k *kind, m *message, said markers) error {
	k.scope = "NAMESPACED"
	if said.has("genclient:nonNamespaced") {
		k.scope = "CLUSTER"
	}
	k.plural = plural(m.name)
	if name := said.first("resourceName"); name != "" {
		k.plural = name
	}
	k.singular = strings.ToLower(m.name)
	k.verbs = verbs(said)
	hasStatus := slices.ContainsFunc(m.fields, func(f *field) bool { return f.jsonName == "status" })
	if hasStatus && !said.has("genclient:noStatus") && slices.Contains(k.verbs, "update") {
		k.subresources = append(k.subresources, subresource{name: "status", verbs: []string{"get", "patch", "update"}})
	}
	for _, method := range said.all("genclient:method") {
		if err := c.addMethod(file, k, method); err != nil {
			return err
		}
	}
	return nil
}

// verbs applies onlyVerbs, skipVerbs and readonly to all verbs.
func verbs(said markers) []string {
	if said.has("genclient:readonly") {
		return []string{"get", "list", "watch"}
	}
	only, skip := clientList(said, "genclient:onlyVerbs"), clientList(said, "genclient:skipVerbs")
	return slices.DeleteFunc(slices.Clone(clientVerbs), func(verb string) bool {
		return only != nil && !slices.Contains(only, verb) || slices.Contains(skip, verb)
	})
}

func clientList(said markers, name string) []string {
	var list []string
	for _, value := range said.all(name) {
		list = append(list, strings.Split(strings.ToLower(value), ",")...)
	}
	return list
}

// addMethod reads +genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale.
func (c *converter) addMethod(file *protoFile, k *kind, method string) error {
	values := map[string]string{}
	for _, part := range strings.Split(method, ",") {
		if key, value, ok := strings.Cut(part, "="); ok {
			values[key] = value
		}
	}
	name, verb := values["subresource"], values["verb"]
	if name == "" || verb == "" {
		return fmt.Errorf("read +genclient:method=%s: it has no subresource or no verb", method)
	}
	if verb == "apply" {
		verb = "patch"
	}
	i := slices.IndexFunc(k.subresources, func(s subresource) bool { return s.name == name })
	if i < 0 {
		k.subresources = append(k.subresources, subresource{name: name})
		i = len(k.subresources) - 1
	}
	s := &k.subresources[i]
	if !slices.Contains(s.verbs, verb) {
		s.verbs = append(s.verbs, verb)
		slices.Sort(s.verbs)
	}
	if values["input"] != "" {
		s.input = c.kindReference(file, values["input"])
	}
	if values["result"] != "" {
		s.result = c.kindReference(file, values["result"])
	}
	return nil
}

// kindReference is "autoscaling/v1 Scale" of k8s.io/api/autoscaling/v1.Scale, and of Scale in that package.
func (c *converter) kindReference(file *protoFile, reference string) string {
	dot := strings.LastIndex(reference, ".")
	if dot < 0 {
		return apiVersion(file.group, file.version) + " " + reference
	}
	goPath := reference[:dot]
	pkg, err := c.loader.load(goPath)
	if err != nil {
		return reference
	}
	return apiVersion(groupName(pkg.types), path.Base(goPath)) + " " + reference[dot+1:]
}

// setLists finds the lists: kinds with a member items of a kind of the same package.
func (c *converter) setLists(file *protoFile) {
	kinds := map[string]bool{}
	for _, m := range file.messages {
		kinds[m.name] = m.kind != nil
	}
	for _, m := range file.messages {
		if m.kind == nil || !strings.HasSuffix(m.name, "List") {
			continue
		}
		for _, f := range m.fields {
			if f.jsonName == "items" && f.label == "repeated" && kinds[f.typeName] {
				m.kind.listOf = f.typeName
			}
		}
	}
}
