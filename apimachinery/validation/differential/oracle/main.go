// Command validation_oracle answers what apimachinery's validation says of a text. A request is the name of a function, a
// tab, and the text in hexadecimal; the answer is a list of messages, or of errors with their origins, sorted where Go has
// no order. Parts of a text are separated by a byte 0x1f.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	pathvalidation "k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"kube/tests/oracle"
)

var at = field.NewPath("spec").Child("it")

func messages(f func(string) []string) func(string) (string, error) {
	return func(text string) (string, error) { return strings.Join(f(text), " | "), nil }
}

func list(errs field.ErrorList) string {
	var lines []string
	for _, err := range errs {
		lines = append(lines, fmt.Sprintf("%s (%s)", err, err.Origin))
	}
	return strings.Join(lines, " | ")
}

func sorted(errs field.ErrorList) string {
	lines := strings.Split(list(errs), " | ")
	sort.Strings(lines)
	return strings.Join(lines, " | ")
}

func errorsAt(f func(*field.Path, string) field.ErrorList) func(string) (string, error) {
	return func(text string) (string, error) { return list(f(at, text)), nil }
}

func format(f func(context.Context, operation.Operation, *field.Path, *string, *string) field.ErrorList) func(string) (string, error) {
	return func(text string) (string, error) {
		return list(f(context.Background(), operation.Operation{}, at, &text, nil)), nil
	}
}

func limit(f func(context.Context, operation.Operation, *field.Path, *string, *string, int) field.ErrorList) func(string) (string, error) {
	return func(text string) (string, error) {
		var lines []string
		for _, n := range []int{0, 1, 3, 7} {
			lines = append(lines, list(f(context.Background(), operation.Operation{}, at, &text, nil, n)))
		}
		return strings.Join(lines, ";"), nil
	}
}

func integer(f func(int64) []string) func(string) (string, error) {
	return func(text string) (string, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		return strings.Join(f(n), " | "), nil
	}
}

func named(f apivalidation.ValidateNameFunc) func(string) (string, error) {
	return func(text string) (string, error) {
		return strings.Join(f(text, false), " | ") + ";" + strings.Join(f(text, true), " | "), nil
	}
}

func decoded[T any](f func(*T) field.ErrorList) func(string) (string, error) {
	return func(text string) (string, error) {
		var value T
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			panic(err)
		}
		return sorted(f(&value)), nil
	}
}

type update struct{ Old, New metav1.ObjectMeta }

var functions = map[string]func(string) (string, error){
	"dns1123_label":                messages(validation.IsDNS1123Label),
	"dns1123_subdomain":            messages(validation.IsDNS1123Subdomain),
	"dns1123_subdomain_underscore": messages(validation.IsDNS1123SubdomainWithUnderscore),
	"dns1035_label":                messages(validation.IsDNS1035Label),
	"wildcard":                     messages(validation.IsWildcardDNS1123Subdomain),
	"content_label":                messages(content.IsDNS1123Label),
	"content_subdomain":            messages(content.IsDNS1123Subdomain),
	"content_caseless":             messages(content.IsDNS1123SubdomainCaseless),
	"qualified_name":               messages(validation.IsQualifiedName),
	"label_value":                  messages(validation.IsValidLabelValue),
	"c_identifier":                 messages(validation.IsCIdentifier),
	"port_name":                    messages(validation.IsValidPortName),
	"percent":                      messages(validation.IsValidPercent),
	"http_header":                  messages(validation.IsHTTPHeaderName),
	"env_var":                      messages(validation.IsEnvVarName),
	"relaxed_env_var":              messages(validation.IsRelaxedEnvVarName),
	"config_map_key":               messages(validation.IsConfigMapKey),
	"path_name":                    messages(pathvalidation.IsValidPathSegmentName),
	"path_prefix":                  messages(pathvalidation.IsValidPathSegmentPrefix),
	"decimal":                      messages(content.IsDecimalInteger),

	"port":     integer(func(n int64) []string { return validation.IsValidPortNum(int(int32(n))) }),
	"in_range": integer(func(n int64) []string { return validation.IsInRange(int(int32(n)), -5, 100) }),
	"group":    integer(validation.IsValidGroupID),
	"user":     integer(validation.IsValidUserID),

	"fqn":         errorsAt(validation.IsFullyQualifiedName),
	"fqdn":        errorsAt(validation.IsFullyQualifiedDomainName),
	"domain_path": errorsAt(validation.IsDomainPrefixedPath),
	"domain_key":  errorsAt(validation.IsDomainPrefixedKey),
	"ip":          errorsAt(validation.IsValidIP),
	"cidr":        errorsAt(validation.IsValidCIDR),
	"interface":   errorsAt(validation.IsValidInterfaceAddress),
	"ip_legacy": errorsAt(func(p *field.Path, s string) field.ErrorList {
		return validation.IsValidIPForLegacyField(p, s, true, nil)
	}),
	"ip_sloppy": errorsAt(func(p *field.Path, s string) field.ErrorList {
		return validation.IsValidIPForLegacyField(p, s, false, nil)
	}),
	"cidr_legacy": errorsAt(func(p *field.Path, s string) field.ErrorList {
		return validation.IsValidCIDRForLegacyField(p, s, true, nil)
	}),
	"cidr_sloppy": errorsAt(func(p *field.Path, s string) field.ErrorList {
		return validation.IsValidCIDRForLegacyField(p, s, false, nil)
	}),
	"ip_warnings":         messages(func(s string) []string { return validation.GetWarningsForIP(at, s) }),
	"cidr_warnings":       messages(func(s string) []string { return validation.GetWarningsForCIDR(at, s) }),
	"short_name":          format(validate.ShortName[string]),
	"long_name":           format(validate.LongName[string]),
	"long_name_caseless":  format(validate.LongNameCaseless[string]),
	"label_key":           format(validate.LabelKey[string]),
	"format_label_value":  format(validate.LabelValue[string]),
	"path_segment":        format(validate.PathSegmentName[string]),
	"uuid":                format(validate.UUID[string]),
	"pool_name":           format(validate.ResourcePoolName[string]),
	"extended_resource":   format(validate.ExtendedResourceName[string]),
	"resource_name":       format(validate.ResourceFullyQualifiedName[string]),
	"max_length":          limit(validate.MaxLength[string]),
	"min_length":          limit(validate.MinLength[string]),
	"max_bytes":           limit(validate.MaxBytes[string]),
	"name_subdomain":      named(apivalidation.NameIsDNSSubdomain),
	"name_label":          named(apivalidation.NameIsDNSLabel),
	"name_1035":           named(apivalidation.NameIsDNS1035Label),
	"name_path":           named(pathvalidation.ValidatePathSegmentName),
	"field_manager":       errorsAt(func(p *field.Path, s string) field.ErrorList { return metav1validation.ValidateFieldManager(s, p) }),
	"field_validation":    errorsAt(metav1validation.ValidateFieldValidation),
	"finalizer":           errorsAt(func(p *field.Path, s string) field.ErrorList { return apivalidation.ValidateFinalizerName(s, p) }),
	"annotation":          errorsAt(annotation),
	"errors":              fieldErrors,
	"path":                pathText,
	"numbers":             numbers,
	"object_meta":         decoded(func(m *metav1.ObjectMeta) field.ErrorList { return objectMeta(m, true) }),
	"cluster_object_meta": decoded(func(m *metav1.ObjectMeta) field.ErrorList { return objectMeta(m, false) }),
	"object_meta_update": decoded(func(u *update) field.ErrorList {
		return apivalidation.ValidateObjectMetaUpdate(&u.New, &u.Old, field.NewPath("metadata"))
	}),
	"label_selector": decoded(func(s *metav1.LabelSelector) field.ErrorList {
		return metav1validation.ValidateLabelSelector(s, metav1validation.LabelSelectorValidationOptions{}, at)
	}),
	"label_selector_lax": decoded(func(s *metav1.LabelSelector) field.ErrorList {
		return metav1validation.ValidateLabelSelector(s, metav1validation.LabelSelectorValidationOptions{
			AllowInvalidLabelValueInSelector: true, AllowUnknownOperatorInRequirement: true}, at)
	}),
	"field_requirement": decoded(func(s *metav1.FieldSelectorRequirement) field.ErrorList {
		return metav1validation.ValidateFieldSelectorRequirement(*s, metav1validation.FieldSelectorValidationOptions{}, at)
	}),
	"conditions":     decoded(func(s *[]metav1.Condition) field.ErrorList { return metav1validation.ValidateConditions(*s, at) }),
	"delete_options": decoded(metav1validation.ValidateDeleteOptions),
	"create_options": decoded(metav1validation.ValidateCreateOptions),
	"update_options": decoded(metav1validation.ValidateUpdateOptions),
	"table_options":  decoded(metav1validation.ValidateTableOptions),
	"patch_options": decoded(func(o *metav1.PatchOptions) field.ErrorList {
		return metav1validation.ValidatePatchOptions(o, types.MergePatchType)
	}),
	"apply_options": decoded(func(o *metav1.PatchOptions) field.ErrorList {
		return metav1validation.ValidatePatchOptions(o, types.ApplyYAMLPatchType)
	}),
}

func objectMeta(m *metav1.ObjectMeta, namespaced bool) field.ErrorList {
	return apivalidation.ValidateObjectMeta(m, namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
}

func annotation(p *field.Path, key string) field.ErrorList {
	return apivalidation.ValidateAnnotations(map[string]string{key: "value"}, p)
}

// A named type is written as JSON.
type namedText string

// One error of each kind, about a text.
func fieldErrors(text string) (string, error) {
	errs := field.ErrorList{
		field.Invalid(at, text, text),
		field.Invalid(at, namedText(text), ""),
		field.TypeInvalid(at, text, "detail"),
		field.NotFound(at, text),
		field.Required(at, text),
		field.Duplicate(at, namedText(text)),
		field.NotSupported(at, text, []string{text, "b"}),
		field.NotSupported(at, text, []string(nil)),
		field.Forbidden(at, text),
		field.TooShort(at, text, 1),
		field.InternalError(at, errors.New(text)),
		field.Invalid(at, text, text),
	}
	first := errs.Filter(field.NewErrorTypeMatcher(field.ErrorTypeInvalid))
	return strings.Join([]string{list(errs), errs.ToAggregate().Error(), list(first), errs[:1].ToAggregate().Error()}, ";"), nil
}

// A number, as itself and as a limit.
func numbers(text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	ctx, op, n64 := context.Background(), operation.Operation{}, int64(n)
	return list(field.ErrorList{
		field.Invalid(at, n64, "wrong"),
		field.Invalid(at, float64(n)/8, "wrong"),
		field.Invalid(at, n > 0, "wrong"),
		field.Invalid(nil, nil, "wrong"),
		field.TooLong(at, "", n),
		field.TooLongCharacters(at, "", n),
		field.TooShort(at, "", n),
		field.TooMany(at, n, n),
		field.TooMany(at, 5, n),
		field.TooFew(at, 5, n),
	}) + ";" + list(validate.Minimum(ctx, op, at, &n64, nil, 3)) + ";" + list(validate.Maximum(ctx, op, at, &n64, nil, 3)) + ";" +
		list(validate.MaxItems(ctx, op, at, make([]int, max(n, 0)), nil, 3)) + ";" +
		list(validate.MinItems(ctx, op, at, make([]int, max(n, 0)), nil, 3)), nil
}

// Steps, each of a letter and a name: c a child, k a key, i an index.
func pathText(text string) (string, error) {
	var path *field.Path
	for _, step := range strings.Split(text, "\x1f") {
		switch {
		case step == "":
		case step[0] == 'c':
			path = path.Child(step[1:])
		case step[0] == 'k':
			path = path.Key(step[1:])
		default:
			path = path.Index(len(step))
		}
	}
	return path.String(), nil
}

// One line: line feeds and backslashes are escaped.

func main() { oracle.Serve(functions) }
