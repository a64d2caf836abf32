// Command queryparams_oracle answers what apimachinery makes of options and queries.
//
//	encode.TYPE	JSON of options	->	the query
//	decode.TYPE	a query	->	JSON of options; only of types of meta/v1, whose conversions clients have
//	query	a query	->	the same, parsed and written again
package main

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kube/tests/oracle"
)

var (
	v1     = schema.GroupVersion{Version: "v1"}
	metaV1 = metav1.SchemeGroupVersion
	codec  = makeCodec()
)

var types = map[string]runtime.Object{
	"CreateOptions":         &metav1.CreateOptions{},
	"DeleteOptions":         &metav1.DeleteOptions{},
	"GetOptions":            &metav1.GetOptions{},
	"ListOptions":           &metav1.ListOptions{},
	"PatchOptions":          &metav1.PatchOptions{},
	"TableOptions":          &metav1.TableOptions{},
	"UpdateOptions":         &metav1.UpdateOptions{},
	"NodeProxyOptions":      &corev1.NodeProxyOptions{},
	"PodAttachOptions":      &corev1.PodAttachOptions{},
	"PodExecOptions":        &corev1.PodExecOptions{},
	"PodLogOptions":         &corev1.PodLogOptions{},
	"PodPortForwardOptions": &corev1.PodPortForwardOptions{},
	"PodProxyOptions":       &corev1.PodProxyOptions{},
	"ServiceProxyOptions":   &corev1.ServiceProxyOptions{},
}

func makeCodec() runtime.ParameterCodec {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, v1)
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		panic(err)
	}
	return runtime.NewParameterCodec(scheme)
}

func makeNew(name string) runtime.Object {
	return reflect.New(reflect.TypeOf(types[name]).Elem()).Interface().(runtime.Object)
}

// As (*url.URL).Query: what is malformed is left out.
func parseQuery(query string) url.Values { return (&url.URL{RawQuery: query}).Query() }

func encode(name, text string) (string, error) {
	options := makeNew(name)
	if err := json.Unmarshal([]byte(text), options); err != nil {
		panic(err)
	}
	values, err := queryparams.Convert(options)
	return values.Encode(), err
}

func decode(name, query string) (string, error) {
	version := v1
	if name == "TableOptions" {
		version = metaV1
	}
	options := makeNew(name)
	if err := codec.DecodeParameters(parseQuery(query), version, options); err != nil {
		return "", err
	}
	text, err := json.Marshal(options)
	return string(text), err
}

func answer(function, text string) (string, error) {
	operation, name, _ := strings.Cut(function, ".")
	switch operation {
	case "encode":
		return encode(name, text)
	case "decode":
		return decode(name, text)
	case "query":
		return parseQuery(text).Encode(), nil
	}
	panic("no such function: " + function)
}

func main() { oracle.ServeAll(answer) }
