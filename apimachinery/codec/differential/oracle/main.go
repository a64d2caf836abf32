// Command random_objects writes random objects of Kubernetes' kinds, as Go encodes them.
//
//	echo "apps/v1 Deployment" | random_objects SEED COUNT
//
// For each line of standard input it writes COUNT objects of the kind: four bytes of size, the highest first, and the
// object's JSON; likewise what Go makes of that JSON when it reads and writes it again, which differs where JSON does not
// tell null from empty; likewise its protobuf, of size 0 for kinds that have none, and that again. A kind that is not registered is an error.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	imagepolicyv1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clientauthenticationv1 "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	clientauthenticationv1beta1 "k8s.io/client-go/pkg/apis/clientauthentication/v1beta1"
	clientcmdv1 "k8s.io/client-go/tools/clientcmd/api/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/randfill"

	"kube/tests/oracle"
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, admissionv1.AddToScheme, admissionv1beta1.AddToScheme, apidiscoveryv2.AddToScheme,
		apidiscoveryv2beta1.AddToScheme, imagepolicyv1alpha1.AddToScheme, apiextensionsv1.AddToScheme,
		clientauthenticationv1.AddToScheme, clientauthenticationv1beta1.AddToScheme, clientcmdv1.AddToScheme,
		apiregistrationv1.AddToScheme, metricsv1beta1.AddToScheme, metav1.AddMetaToScheme,
	} {
		utilruntime.Must(add(s))
	}
	return s
}

// What the filler would make without end, or of what is no JSON.
func ownFuncs(serializer.CodecFactory) []interface{} {
	depth := 0
	return []interface{}{
		func(j *apiextensionsv1.JSON, c randfill.Continue) {
			values := []string{`{"a":1}`, `[1,"b",null]`, `"text"`, `1.5`, `true`}
			j.Raw = []byte(values[c.Intn(len(values))])
		},
		// Each of its many parts may hold another: seldom is one there, and never far down.
		func(j *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
			depth++
			defer func() { depth-- }()
			if depth > 3 {
				c.Fill(&j.Type)
				return
			}
			for _, part := range []interface{}{
				&j.ID, &j.Schema, &j.Ref, &j.Description, &j.Type, &j.Format, &j.Title, &j.Default, &j.Maximum, &j.ExclusiveMaximum,
				&j.Minimum, &j.MaxLength, &j.MinLength, &j.Pattern, &j.MaxItems, &j.MultipleOf, &j.Enum, &j.MaxProperties,
				&j.Required, &j.Nullable, &j.ExternalDocs, &j.Example, &j.XPreserveUnknownFields, &j.XListMapKeys, &j.XListType,
				&j.XValidations,
			} {
				c.Fill(part)
			}
			for _, part := range []interface{}{
				&j.Items, &j.AllOf, &j.OneOf, &j.Not, &j.Properties, &j.AdditionalProperties, &j.PatternProperties,
				&j.Dependencies, &j.AdditionalItems, &j.Definitions,
			} {
				if c.Intn(4) == 0 {
					c.Fill(part)
				}
			}
		},
		// In JSON these are one or the other.
		func(j *apiextensionsv1.JSONSchemaPropsOrBool, c randfill.Continue) {
			if j.Allows = true; c.Bool() {
				j.Schema = &apiextensionsv1.JSONSchemaProps{}
				c.Fill(j.Schema)
			}
		},
		func(j *apiextensionsv1.JSONSchemaPropsOrArray, c randfill.Continue) {
			if c.Bool() {
				j.Schema = &apiextensionsv1.JSONSchemaProps{}
				c.Fill(j.Schema)
			} else {
				j.JSONSchemas = make([]apiextensionsv1.JSONSchemaProps, 1+c.Intn(2))
				for i := range j.JSONSchemas {
					c.Fill(&j.JSONSchemas[i])
				}
			}
		},
		func(j *apiextensionsv1.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			if c.Bool() {
				j.Schema = &apiextensionsv1.JSONSchemaProps{}
				c.Fill(j.Schema)
			} else {
				j.Property = []string{c.String(10), c.String(10)}
			}
		},
		// Otherwise always without: what owns a field.
		func(j *metav1.FieldsV1, c randfill.Continue) { j.Raw = []byte(`{"f:a":{"k:{\"b\":1}":{".":{}}}}`) },
	}
}

type program struct {
	scheme   *runtime.Scheme
	filler   *randfill.Filler
	json     runtime.Serializer
	protobuf runtime.Serializer
	out      *bufio.Writer
}

func (p *program) writeObject(gvk schema.GroupVersionKind) error {
	object, err := p.scheme.New(gvk)
	if err != nil {
		return err
	}
	p.filler.Fill(object)
	object.GetObjectKind().SetGroupVersionKind(gvk)
	var text, body bytes.Buffer
	if err := p.json.Encode(object, &text); err != nil {
		return fmt.Errorf("encode JSON of %v: %w", gvk, err)
	}
	if !isJSONOnly(gvk) {
		if err := p.protobuf.Encode(object, &body); err != nil && !protobuf.IsNotMarshalable(err) {
			return fmt.Errorf("encode protobuf of %v: %w", gvk, err)
		}
	}
	for _, each := range []struct {
		serializer runtime.Serializer
		encoded    []byte
	}{{p.json, text.Bytes()}, {p.protobuf, body.Bytes()}} {
		var again bytes.Buffer
		if len(each.encoded) > 0 {
			decoded, _, err := each.serializer.Decode(each.encoded, nil, nil)
			if err != nil {
				return fmt.Errorf("decode %v: %w", gvk, err)
			}
			decoded.GetObjectKind().SetGroupVersionKind(gvk)
			if err := each.serializer.Encode(decoded, &again); err != nil {
				return fmt.Errorf("encode %v again: %w", gvk, err)
			}
		}
		for _, part := range [][]byte{each.encoded, again.Bytes()} {
			if err := p.writePart(part); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *program) writePart(part []byte) error {
	if err := binary.Write(p.out, binary.BigEndian, uint32(len(part))); err != nil {
		return err
	}
	_, err := p.out.Write(part)
	return err
}

// The encoder does not see it of these: what embeds a TypeMeta has its Marshal.
func isJSONOnly(gvk schema.GroupVersionKind) bool {
	return gvk.Group == "client.authentication.k8s.io" || gvk == clientcmdv1.SchemeGroupVersion.WithKind("Config")
}

func run() error {
	if len(os.Args) != 3 {
		return fmt.Errorf("usage: random_objects SEED COUNT")
	}
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	s := newScheme()
	codecs := serializer.NewCodecFactory(s)
	p := &program{
		scheme:   s,
		json:     json.NewSerializerWithOptions(json.DefaultMetaFactory, s, s, json.SerializerOptions{}),
		protobuf: protobuf.NewSerializer(s, s),
		out:      bufio.NewWriter(os.Stdout),
	}
	defer p.out.Flush()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		apiVersion, kind, _ := strings.Cut(lines.Text(), " ")
		gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
		if !s.Recognizes(gvk) {
			return fmt.Errorf("kind %v: it is not registered", gvk)
		}
		// Of a kind's own, so that its objects are the same whatever else is asked for.
		p.filler = fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, ownFuncs), rand.NewSource(seed), codecs)
		for i := 0; i < count; i++ {
			if err := p.writeObject(gvk); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func main() { oracle.Check(run()) }
