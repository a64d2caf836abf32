package main

import (
	"encoding/json"
	"fmt"
	"go/constant"
	"go/types"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// setRules reads what markers and tags say beyond name and type.
func (c *converter) setRules(f *field, v *types.Var, tag reflect.StructTag) error {
	said := c.loader.markersAt(v)
	if strategy := tag.Get("patchStrategy"); strategy != "" {
		f.patchStrategy = strings.Split(strategy, ",")
	}
	f.patchMergeKey = tag.Get("patchMergeKey")
	// Some []byte are marked as lists, and so is a string.
	if listType := said.first("listType"); listType != "" && f.label == "repeated" {
		f.listType = strings.ToUpper(listType)
		f.listMapKeys = said.all("listMapKey")
	}
	mapType := said.first("mapType", "structType")
	f.atomic, f.granular = mapType == "atomic", mapType == "granular"
	setRequired(f, said)
	f.validation = validation(said)
	value := said.first("default", "kubebuilder:default")
	if value == "" {
		return nil
	}
	var err error
	f.defaultJSON, err = resolveDefault(v.Pkg(), value)
	return err
}

// setRequired follows Kubernetes' schemas: what a marker says, else what is not omitted. It is written down where it
// differs from what the vocabulary says of such a field.
func setRequired(f *field, said markers) {
	if f.inline || f.goName == "" {
		return
	}
	required := f.omit == "NEVER"
	switch {
	case said.has("optional"):
		required = false
	case said.has("required"):
		required = true
	}
	if required != (f.omit == "NEVER" && f.label != "optional") {
		f.required = &required
	}
}

var defaultReference = regexp.MustCompile(`^ref\((?:.*\.)?(\w+)\)$`)

// resolveDefault gives the JSON of a default: it is JSON, or ref(NAME) of a constant of the same package.
func resolveDefault(pkg *types.Package, value string) (string, error) {
	if match := defaultReference.FindStringSubmatch(value); match != nil {
		object, ok := pkg.Scope().Lookup(match[1]).(*types.Const)
		if !ok {
			return "", fmt.Errorf("resolve default %s: the package has no such constant", value)
		}
		if object.Val().Kind() != constant.String {
			return object.Val().ExactString(), nil
		}
		quoted, err := json.Marshal(constant.StringVal(object.Val()))
		return string(quoted), err
	}
	if !json.Valid([]byte(value)) {
		return "", fmt.Errorf("read default %s: it is not JSON", value)
	}
	return value, nil
}

// Markers that are fields of message Validation, whose values are numbers or texts.
var (
	numberRules = [][3]string{
		{"minimum", "k8s:minimum", "kubebuilder:validation:Minimum"},
		{"maximum", "k8s:maximum", "kubebuilder:validation:Maximum"},
		{"min_length", "k8s:minLength", "kubebuilder:validation:MinLength"},
		{"max_length", "k8s:maxLength", "kubebuilder:validation:MaxLength"},
		{"min_items", "k8s:minItems", "kubebuilder:validation:MinItems"},
		{"max_items", "k8s:maxItems", "kubebuilder:validation:MaxItems"},
	}
	textRules = [][3]string{
		{"pattern", "k8s:pattern", "kubebuilder:validation:Pattern"},
		{"format", "k8s:format", "kubebuilder:validation:Format"},
	}
)

var wholeNumber = regexp.MustCompile(`^-?[0-9]+$`)

func validation(said markers) []string {
	var rules []string
	for _, rule := range numberRules {
		if value := said.first(rule[1], rule[2]); wholeNumber.MatchString(value) {
			rules = append(rules, rule[0]+": "+value)
		}
	}
	for _, rule := range textRules {
		if value := strings.Trim(said.first(rule[1], rule[2]), "`\""); value != "" {
			rules = append(rules, rule[0]+": "+quote(value))
		}
	}
	// Of a type that is open otherwise: this field has no other values, whatever the release.
	if values := said.first("kubebuilder:validation:Enum"); values != "" {
		for _, value := range strings.Split(values, ";") {
			rules = append(rules, "enum_json: "+quote(strconv.Quote(value)))
		}
	}
	return rules
}
