package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// The inputs of an operation, and what it does with them and a value of the type.
type operation struct {
	inputs int
	run    func(into message, in [][]byte) ([]string, error)
}

type result = []string

func one(data []byte, err error) (result, error) {
	if err != nil {
		return nil, err
	}
	return result{string(data)}, nil
}

// Decoders: as apimachinery/pkg/runtime/serializer/json and .../protobuf call them.

func fromJSON(data []byte, into message) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(data, into)
}

func fromYAML(data []byte, into message) error {
	data, err := yaml.YAMLToJSON(data)
	if err != nil {
		return err
	}
	return fromJSON(data, into)
}

func fromPB(data []byte, into message) error { return into.Unmarshal(data) }

// Encoders.

func toJSON(m message) ([]byte, error) { return json.Marshal(m) }

func toPrettyJSON(m message) ([]byte, error) { return json.MarshalIndent(m, "", "  ") }

func toPB(m message) ([]byte, error) { return m.Marshal() }

func toYAML(m message) ([]byte, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(data)
}

// recode decodes each input into the same value and encodes it.
func recode(inputs int, decode func([]byte, message) error, encode func(message) ([]byte, error)) operation {
	return operation{inputs, func(into message, in [][]byte) (result, error) {
		for _, data := range in {
			if err := decode(data, into); err != nil {
				return nil, err
			}
		}
		return one(encode(into))
	}}
}

func strict(data []byte, into message, errs []error) (result, error) {
	jsonErrs, err := kjson.UnmarshalStrict(data, into)
	if err != nil {
		return nil, err
	}
	out, err := one(toJSON(into))
	for _, e := range append(errs, jsonErrs...) {
		out = append(out, e.Error())
	}
	return out, err
}

func strictJSON(into message, in [][]byte) (result, error) { return strict(in[0], into, nil) }

func strictYAML(into message, in [][]byte) (result, error) {
	var errs []error
	if _, err := yaml.YAMLToJSONStrict(in[0]); err != nil {
		errs = append(errs, err)
	}
	data, err := yaml.YAMLToJSON(in[0])
	if err != nil {
		return nil, err
	}
	return strict(data, into, errs)
}

func equal(into message, in [][]byte) (result, error) {
	other := newLike(into)
	if err := fromJSON(in[0], into); err != nil {
		return nil, err
	}
	if err := fromJSON(in[1], other); err != nil {
		return nil, err
	}
	return result{strconv.FormatBool(equality.Semantic.DeepEqual(into, other))}, nil
}

func jsonToEnvelope(into message, in [][]byte) (result, error) {
	object, ok := into.(runtime.Object)
	if !ok {
		return nil, fmt.Errorf("%T is not a kind", into)
	}
	if err := fromJSON(in[0], into); err != nil {
		return nil, err
	}
	return one(runtime.Encode(protobufSerializer, object))
}

func envelopeToJSON(into message, in [][]byte) (result, error) {
	object, ok := into.(runtime.Object)
	if into != nil && !ok {
		return nil, fmt.Errorf("%T is not a kind", into)
	}
	decoded, _, err := protobufSerializer.Decode(in[0], nil, object)
	if err != nil {
		return nil, err
	}
	return one(json.Marshal(decoded))
}

func envelopeParts(_ message, in [][]byte) (result, error) {
	unknown := runtime.Unknown{}
	if _, _, err := protobufSerializer.Decode(in[0], nil, &unknown); err != nil {
		return nil, err
	}
	return result{unknown.APIVersion, unknown.Kind, unknown.ContentEncoding, unknown.ContentType, string(unknown.Raw)}, nil
}

func strategicPatch(into message, in [][]byte) (result, error) {
	return one(strategicpatch.StrategicMergePatch(in[0], in[1], into))
}

func createStrategicPatch(into message, in [][]byte) (result, error) {
	return one(strategicpatch.CreateTwoWayMergePatch(in[0], in[1], into))
}

func jsonPatch(_ message, in [][]byte) (result, error) {
	patch, err := jsonpatch.DecodePatch(in[1])
	if err != nil {
		return nil, err
	}
	return one(patch.Apply(in[0]))
}

// Go's name of a type where it is not the IDL's.
var idlTypes = strings.NewReplacer("main.HTTPAction", "main.HttpAction")

// fields lists the members of a struct as Go knows them, those of inline structs in their place.
func fields(t reflect.Type, out result) result {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		tag := field.Tag.Get("protobuf")
		if tag == "" {
			continue // TypeMeta
		}
		if name == "" && options == "inline" {
			out = fields(field.Type, out)
			continue
		}
		number := "0"
		if tag != "-" {
			number = strings.Split(tag, ",")[1]
		}
		out = append(out, strings.Join([]string{
			name, idlTypes.Replace(field.Type.String()), options, number, field.Tag.Get("patchStrategy"), field.Tag.Get("patchMergeKey"),
		}, "|"))
	}
	return out
}

func listFields(into message, _ [][]byte) (result, error) {
	return fields(reflect.TypeOf(into).Elem(), nil), nil
}

func listTypes(_ message, _ [][]byte) (result, error) { return typeNames(), nil }

// plain makes an operation of a function that knows no type.
func plain(f func([]byte) ([]byte, error)) operation {
	return operation{1, func(_ message, in [][]byte) (result, error) { return one(f(in[0])) }}
}

func plainTwo(f func(a, b []byte) ([]byte, error)) operation {
	return operation{2, func(_ message, in [][]byte) (result, error) { return one(f(in[0], in[1])) }}
}

var typedOperations = map[string]operation{
	"json_to_json":           recode(1, fromJSON, toJSON),
	"json_to_pretty_json":    recode(1, fromJSON, toPrettyJSON),
	"json_to_pb":             recode(1, fromJSON, toPB),
	"json_to_yaml":           recode(1, fromJSON, toYAML),
	"pb_to_json":             recode(1, fromPB, toJSON),
	"pb_to_pb":               recode(1, fromPB, toPB),
	"yaml_to_json":           recode(1, fromYAML, toJSON),
	"yaml_to_pb":             recode(1, fromYAML, toPB),
	"json_into_json":         recode(2, fromJSON, toJSON),
	"pb_into_pb":             recode(2, fromPB, toPB),
	"strict_json":            {1, strictJSON},
	"strict_yaml":            {1, strictYAML},
	"json_to_envelope":       {1, jsonToEnvelope},
	"equal":                  {2, equal},
	"strategic_patch":        {2, strategicPatch},
	"create_strategic_patch": {2, createStrategicPatch},
	"random":                 {2, randomObjects},
	"fields":                 {0, listFields},
}

var plainOperations = map[string]operation{
	"types":              {0, listTypes},
	"envelope_parts":     {1, envelopeParts},
	"plain_yaml_to_json": plain(yaml.YAMLToJSON),
	"plain_json_to_yaml": plain(yaml.JSONToYAML),
	"merge_patch":        plainTwo(jsonpatch.MergePatch),
	"create_merge_patch": plainTwo(jsonpatch.CreateMergePatch),
	"json_patch":         {2, jsonPatch},
}

func run(name, typeName string, inputs []string) (result, error) {
	op, typed := typedOperations[name]
	if !typed {
		op = plainOperations[name]
	}
	if name == "envelope_to_json" {
		op, typed = operation{1, envelopeToJSON}, typeName != ""
	}
	if op.run == nil {
		return nil, fmt.Errorf("no operation %q", name)
	}
	var into message
	if typed {
		if into = newMessage(typeName); into == nil {
			return nil, fmt.Errorf("no type %q", typeName)
		}
	}
	if len(inputs) != op.inputs {
		return nil, fmt.Errorf("%s takes %d inputs, not %d", name, op.inputs, len(inputs))
	}
	in := make([][]byte, len(inputs))
	for i, s := range inputs {
		in[i] = []byte(s)
	}
	return op.run(into, in)
}
