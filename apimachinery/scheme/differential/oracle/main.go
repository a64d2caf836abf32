// Command scheme_oracle answers what apimachinery's Scheme and serializers and apiserver's negotiation make of a text.
//
//	accept	an Accept header	->	what is negotiated for an endpoint that makes tables in JSON
//	accept_plain	an Accept header	->	the same for one that does not
//	accept_stream	an Accept header	->	the same for the events of a watch
//	content_type	a Content-Type header	->	the media type of the request's body
//	media_type	a Content-Type header	->	the media type
//	object_kinds	the name of a type of meta/v1	->	its kinds in a scheme of core/v1 and apps/v1, and whether it is unversioned
//	all_kinds	""	->	the group-versions of client-go's scheme
//	kinds_in	GROUP/VERSION	->	the kinds that it has there, each with all kinds of its type
//	recognizes	GROUP/VERSION/KIND	->	whether that scheme has it, and New makes it
//	script	lines that change a scheme and ask it	->	the answers
//	decode	a body	->	the object's kind and its JSON, or the error with what the predicates say
//	encode_json, encode_pretty, encode_yaml, encode_protobuf	a Pod's JSON	->	the body that client-go sends of it, in hexadecimal
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	clientgo "k8s.io/client-go/kubernetes/scheme"

	"kube/tests/oracle"
)

// An endpoint that makes tables in JSON.
type tables struct{}

func (tables) AllowsMediaTypeTransform(_, subType string, target *schema.GroupVersionKind) bool {
	return target == nil || (target.Kind == "Table" && subType == "json")
}
func (tables) AllowsServerVersion(version string) bool { return version == "v1" }
func (tables) AllowsStreamSchema(name string) bool     { return name == "watch" }

var (
	small      = makeScheme()
	codecs     = serializer.NewCodecFactory(small).WithoutConversion()
	universal  = serializer.NewCodecFactory(small).UniversalDeserializer()
	optionKind = map[string]runtime.Object{
		"APIGroup":        &metav1.APIGroup{},
		"APIGroupList":    &metav1.APIGroupList{},
		"APIResourceList": &metav1.APIResourceList{},
		"APIVersions":     &metav1.APIVersions{},
		"CreateOptions":   &metav1.CreateOptions{},
		"DeleteOptions":   &metav1.DeleteOptions{},
		"GetOptions":      &metav1.GetOptions{},
		"ListOptions":     &metav1.ListOptions{},
		"PatchOptions":    &metav1.PatchOptions{},
		"Status":          &metav1.Status{},
		"UpdateOptions":   &metav1.UpdateOptions{},
		"WatchEvent":      &metav1.WatchEvent{},
	}
)

// core/v1 and apps/v1.
func makeScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}

// Go names a scheme after the place that made it.
func cleanSchemeName(s *runtime.Scheme, text string) string {
	return strings.ReplaceAll(text, fmt.Sprintf("%q", s.Name()), `"test"`)
}

func request(accept string) *http.Request {
	return &http.Request{Header: http.Header{"Accept": {accept}}, URL: &url.URL{}}
}

func accept(header string, restrictions negotiation.EndpointRestrictions) (string, error) {
	options, info, err := negotiation.NegotiateOutputMediaType(request(header), codecs, restrictions)
	if err != nil {
		return "", err
	}
	convert := "none"
	if options.Convert != nil {
		convert = options.Convert.String()
	}
	sort.Strings(options.Unrecognized)
	return fmt.Sprintf("%s pretty=%v stream=%x convert=%x sv=%x export=%v profile=%x unrecognized=%x", info.MediaType, options.Pretty,
		options.Stream, convert, options.UseServerVersion, options.Export, options.Profile, options.Unrecognized), nil
}

func acceptStream(header string) (string, error) {
	info, err := negotiation.NegotiateOutputMediaTypeStream(request(header), codecs, tables{})
	return info.MediaType, err
}

func contentType(header string) (string, error) {
	info, err := negotiation.NegotiateInputSerializerForMediaType(header, false, codecs)
	return info.MediaType, err
}

func kindsOf(name string) (string, error) {
	kinds, unversioned, err := small.ObjectKinds(optionKind[name])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%v %s", unversioned, strings.Join(external(kinds), " | ")), nil
}

// Kinds without those of the versions that Go programs keep to themselves, sorted.
func external(kinds []schema.GroupVersionKind) []string {
	var words []string
	for _, kind := range kinds {
		if kind.Version != runtime.APIVersionInternal {
			words = append(words, kind.String())
		}
	}
	sort.Strings(words)
	return words
}

func groupVersions(string) (string, error) {
	seen := map[string]bool{}
	var words []string
	for kind := range clientgo.Scheme.AllKnownTypes() {
		if version := kind.GroupVersion(); kind.Version != runtime.APIVersionInternal && !seen[version.String()] {
			seen[version.String()] = true
			words = append(words, version.String())
		}
	}
	sort.Strings(words)
	return strings.Join(words, " "), nil
}

func kindsIn(name string) (string, error) {
	version, err := schema.ParseGroupVersion(name)
	if err != nil {
		return "", err
	}
	var words []string
	for kind := range clientgo.Scheme.KnownTypes(version) {
		object, err := clientgo.Scheme.New(version.WithKind(kind))
		if err != nil {
			return "", err
		}
		kinds, _, err := clientgo.Scheme.ObjectKinds(object)
		if err != nil {
			return "", err
		}
		word := kind + ":"
		if all := external(kinds); len(all) < 10 { // others are in every group-version
			word += strings.Join(all, " | ")
		}
		words = append(words, word)
	}
	sort.Strings(words)
	return strings.Join(words, "; "), nil
}

func recognizes(name string) (string, error) {
	w := strings.Split(name, "/")
	kind := schema.GroupVersionKind{Group: w[0], Version: w[1], Kind: w[2]}
	_, err := small.New(kind)
	if err != nil {
		return "", fmt.Errorf("%v %v %s", small.Recognizes(kind), runtime.IsNotRegisteredError(err), cleanSchemeName(small, err.Error()))
	}
	return fmt.Sprint(small.Recognizes(kind)), nil
}

func versionList(versions []schema.GroupVersion) string {
	var words []string
	for _, version := range versions {
		words = append(words, version.String())
	}
	return strings.Join(words, " ")
}

// The answers of a scheme that lines of words have built:
//
//	add GROUP VERSION KIND		set GROUP/VERSION ...
//	group GROUP	all	kind GROUP KIND	preferred
func script(text string) (string, error) {
	s := runtime.NewScheme()
	var answers []string
	for _, line := range strings.Split(text, "\n") {
		w := strings.Split(line, " ")
		switch w[0] {
		case "add":
			s.AddKnownTypeWithName(schema.GroupVersionKind{Group: w[1], Version: w[2], Kind: w[3]}, &corev1.Pod{})
		case "set":
			var versions []schema.GroupVersion
			for _, word := range w[1:] {
				group, version, _ := strings.Cut(word, "/")
				versions = append(versions, schema.GroupVersion{Group: group, Version: version})
			}
			if err := s.SetVersionPriority(versions...); err != nil {
				answers = append(answers, err.Error())
			}
		case "group":
			answers = append(answers, versionList(s.PrioritizedVersionsForGroup(w[1])), fmt.Sprint(s.IsGroupRegistered(w[1])))
		case "kind":
			answers = append(answers, versionList(s.VersionsForGroupKind(schema.GroupKind{Group: w[1], Kind: w[2]})))
		case "all":
			answers = append(answers, versionList(s.PrioritizedVersionsAllGroups()), versionList(s.PreferredVersionAllGroups()))
		}
	}
	kinds, _, err := s.ObjectKinds(&corev1.Pod{})
	answers = append(answers, fmt.Sprint(kinds), fmt.Sprint(err == nil))
	return strings.Join(answers, ";"), nil
}

func predicates(err error) string {
	return fmt.Sprintf("not-registered=%v no-kind=%v no-version=%v", runtime.IsNotRegisteredError(err), runtime.IsMissingKind(err), runtime.IsMissingVersion(err))
}

func decode(body string) (string, error) {
	object, kind, err := universal.Decode([]byte(body), nil, nil)
	if err != nil {
		return "", fmt.Errorf("%s", predicates(err))
	}
	text, err := json.Marshal(object)
	return kind.String() + " " + string(text), err
}

func encode(text string, choose func(runtime.SerializerInfo) runtime.Serializer, mediaType string) (string, error) {
	pod := &corev1.Pod{}
	if err := json.Unmarshal([]byte(text), pod); err != nil {
		panic(err)
	}
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	encoder := codecs.EncoderForVersion(choose(info), corev1.SchemeGroupVersion)
	body, err := runtime.Encode(encoder, pod)
	return hex.EncodeToString(body), err
}

func plain(info runtime.SerializerInfo) runtime.Serializer  { return info.Serializer }
func pretty(info runtime.SerializerInfo) runtime.Serializer { return info.PrettySerializer }

var functions = map[string]func(string) (string, error){
	"accept":        func(text string) (string, error) { return accept(text, tables{}) },
	"accept_plain":  func(text string) (string, error) { return accept(text, negotiation.DefaultEndpointRestrictions) },
	"accept_stream": acceptStream,
	"content_type":  contentType,
	"media_type": func(text string) (string, error) {
		mediaType, _, err := mime.ParseMediaType(text)
		return mediaType, err
	},
	"object_kinds":    kindsOf,
	"all_kinds":       groupVersions,
	"kinds_in":        kindsIn,
	"recognizes":      recognizes,
	"script":          script,
	"decode":          decode,
	"encode_json":     func(text string) (string, error) { return encode(text, plain, runtime.ContentTypeJSON) },
	"encode_pretty":   func(text string) (string, error) { return encode(text, pretty, runtime.ContentTypeJSON) },
	"encode_yaml":     func(text string) (string, error) { return encode(text, plain, runtime.ContentTypeYAML) },
	"encode_protobuf": func(text string) (string, error) { return encode(text, plain, runtime.ContentTypeProtobuf) },
}

func main() { oracle.Serve(functions) }
