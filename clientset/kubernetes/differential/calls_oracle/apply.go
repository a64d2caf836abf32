package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsscheme "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/scheme"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset/scheme"
)

// answerAppliers lists all functions that apply, "AppsV1 Deployments ApplyScale" each, with commas between them.
func answerAppliers(string) (string, error) {
	var all []string
	for _, clientset := range []reflect.Type{
		reflect.TypeFor[kubernetes.Interface](),
		reflect.TypeFor[apiextensions.Interface](),
		reflect.TypeFor[aggregator.Interface](),
	} {
		for i := 0; i < clientset.NumMethod(); i++ {
			group := clientset.Method(i)
			if group.Name == "Discovery" {
				continue
			}
			for j := 0; j < group.Type.Out(0).NumMethod(); j++ {
				accessor := group.Type.Out(0).Method(j)
				if accessor.Name == "RESTClient" {
					continue
				}
				for k := 0; k < accessor.Type.Out(0).NumMethod(); k++ {
					if name := accessor.Type.Out(0).Method(k).Name; strings.HasPrefix(name, "Apply") {
						all = append(all, group.Name+" "+accessor.Name+" "+name)
					}
				}
			}
		}
	}
	return strings.Join(all, ","), nil
}

// kindOf is the apiVersion and the kind of a type such as *appsv1.Deployment.
func kindOf(object reflect.Type) (string, string, error) {
	value, ok := reflect.New(object.Elem()).Interface().(runtime.Object)
	if !ok {
		return "", "", fmt.Errorf("no object: %s", object)
	}
	for _, known := range []*runtime.Scheme{scheme.Scheme, apiextensionsscheme.Scheme, aggregatorscheme.Scheme} {
		if kinds, _, err := known.ObjectKinds(value); err == nil {
			apiVersion, kind := kinds[0].ToAPIVersionAndKind()
			return apiVersion, kind, nil
		}
	}
	return "", "", fmt.Errorf("no kind: %s", object)
}

// answerApply calls a function with a random configuration. The argument is "AppsV1 Deployments ApplyScale", a media type
// or nothing, and a seed, a line each. The answer has, with tabs between them: apiVersion and kind of the resource, those
// of the configuration, the options in JSON, and the request.
func answerApply(argument string) (string, error) {
	words := strings.Split(argument, "\n")
	names := strings.Split(words[0], " ")
	seed, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return "", err
	}
	transport := &recorder{}
	client, err := clientOf(config(transport, words[1]), names[0], names[1])
	if err != nil {
		return "", err
	}
	method := client.MethodByName(names[2])
	apiVersion, kind, err := kindOf(client.MethodByName("Apply").Type().Out(0))
	if err != nil {
		return "", err
	}
	sentVersion, sentKind, err := kindOf(method.Type().Out(0))
	if err != nil {
		return "", err
	}

	// The context, perhaps the name, the configuration, the options.
	count := method.Type().NumIn()
	configuration := reflect.New(method.Type().In(count - 2).Elem())
	fill := &filler{random: rand.New(rand.NewSource(seed)), full: seed == 1, onPath: map[reflect.Type]int{}}
	if seed > 0 {
		fill.value(configuration.Elem())
	}
	configuration.MethodByName("WithKind").Call([]reflect.Value{reflect.ValueOf(sentKind)})
	configuration.MethodByName("WithAPIVersion").Call([]reflect.Value{reflect.ValueOf(sentVersion)})
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	if count == 4 {
		arguments = append(arguments, reflect.ValueOf(name))
	} else {
		configuration.MethodByName("WithName").Call([]reflect.Value{reflect.ValueOf(name)})
	}
	options := metav1.ApplyOptions{
		FieldManager: []string{"", "ctl", "a b+c/d"}[fill.random.Intn(3)],
		Force:        fill.random.Intn(2) == 0,
	}
	if fill.random.Intn(3) == 0 {
		options.DryRun = []string{metav1.DryRunAll}
	}
	method.Call(append(arguments, configuration, reflect.ValueOf(options)))
	if transport.sent == "" {
		return "", fmt.Errorf("nothing sent by %s", words[0])
	}
	text, err := json.Marshal(options)
	return strings.Join([]string{apiVersion, kind, sentVersion, sentKind, string(text), transport.sent}, "\t"), err
}

// filler sets the fields of apply configurations.
type filler struct {
	random *rand.Rand
	// Every field is set, and otherwise each by chance.
	full bool
	// How often a struct contains itself on the way to the current value.
	onPath map[reflect.Type]int
}

func (f *filler) chance() bool { return f.full || f.random.Intn(3) == 0 }

func (f *filler) pick(texts ...string) string { return texts[f.random.Intn(len(texts))] }

func (f *filler) text() string {
	return f.pick("", "a", "web-0", "ä<&>\u2028", "\"quoted\\\"", "tab\t\n", "123", "more than fifteen bytes of text")
}

func (f *filler) raw() []byte {
	return []byte(f.pick(`{"a":[1,"<&>",null]}`, `"text"`, `12.50`, `{}`, `[ 1 , true ]`))
}

func (f *filler) seconds() time.Time { return time.Unix(1+f.random.Int63n(4e9), 0).UTC() }

// special sets the values of types that have a form of their own in JSON.
func (f *filler) special(v reflect.Value) bool {
	switch to := v.Addr().Interface().(type) {
	case *metav1.Time:
		*to = metav1.NewTime(f.seconds())
	case *metav1.MicroTime:
		*to = metav1.NewMicroTime(f.seconds().Add(time.Duration(f.random.Intn(1e6)) * time.Microsecond))
	case *metav1.Duration:
		to.Duration = time.Duration(f.random.Int63n(1e15))
	case *resource.Quantity:
		*to = resource.MustParse(f.pick("0", "100m", "1Gi", "1.5", "2k", "1e3", "-3"))
	case *intstr.IntOrString:
		*to = intstr.FromInt32(f.random.Int31n(100))
		if f.random.Intn(2) == 0 {
			*to = intstr.FromString(f.text())
		}
	case *runtime.RawExtension:
		to.Raw = f.raw()
	case *apiextensionsv1.JSON:
		to.Raw = f.raw()
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		to.Allows = f.random.Intn(2) == 0
		if to.Schema = f.schema(); to.Schema != nil {
			to.Allows = true
		}
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		to.Schema = f.schema()
		if to.Schema == nil {
			to.JSONSchemas = []apiextensionsv1.JSONSchemaProps{{Type: "string"}, {Title: f.text()}}
		}
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		to.Schema = f.schema()
		if to.Schema == nil {
			to.Property = []string{f.text(), "b"}
		}
	default:
		return false
	}
	return true
}

// schema is one in three times nil, and always where it would be too deep.
func (f *filler) schema() *apiextensionsv1.JSONSchemaProps {
	if f.random.Intn(3) == 0 || !f.mayEnter(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()) {
		return nil
	}
	schema := &apiextensionsv1.JSONSchemaProps{}
	f.value(reflect.ValueOf(schema).Elem())
	return schema
}

// mayEnter says whether another struct of this type may be inside of those that are being filled.
func (f *filler) mayEnter(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return true
	}
	limit := 2
	if f.full {
		limit = 1
	}
	return f.onPath[t] < limit
}

// value sets a value that is there. What may be absent, null or empty is that by chance.
func (f *filler) value(v reflect.Value) {
	if f.special(v) {
		return
	}
	t := v.Type()
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.random.Intn(2) == 0)
	case reflect.Int32:
		v.SetInt([]int64{0, 1, -1, 1<<31 - 1, f.random.Int63n(1e5)}[f.random.Intn(5)])
	case reflect.Int64:
		v.SetInt([]int64{0, 1, -1, 1<<63 - 1, f.random.Int63n(1e12)}[f.random.Intn(5)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, 0.1, -2.5, 1e21, 1e-7}[f.random.Intn(6)])
	case reflect.Pointer:
		if f.mayEnter(t.Elem()) && f.chance() {
			v.Set(reflect.New(t.Elem()))
			f.value(v.Elem())
		}
	case reflect.Slice:
		if f.mayEnter(t.Elem()) && f.chance() {
			v.Set(reflect.MakeSlice(t, f.count(), 3))
			for i := 0; i < v.Len(); i++ {
				f.value(v.Index(i))
			}
		}
	case reflect.Map:
		// Never null: a pointer to it may be what is there.
		v.Set(reflect.MakeMap(t))
		if f.mayEnter(t.Elem()) && f.chance() {
			for i := f.count(); i > 0; i-- {
				key, element := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
				f.value(key)
				f.value(element)
				v.SetMapIndex(key, element)
			}
		}
	case reflect.Uint8:
		v.SetUint(uint64(f.random.Intn(256)))
	case reflect.Struct:
		f.onPath[t]++
		for i := 0; i < t.NumField(); i++ {
			if t.Field(i).IsExported() {
				f.value(v.Field(i))
			}
		}
		f.onPath[t]--
	default:
		panic(fmt.Sprintf("no way to fill a %s", t))
	}
}

// count is the number of elements of a list or map.
func (f *filler) count() int {
	if f.full {
		return 1
	}
	return f.random.Intn(3)
}
