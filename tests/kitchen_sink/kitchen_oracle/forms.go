package main

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/json"
)

// The JSON of three types as apiextensions/v1/marshal.go has it for JSONSchemaProps, with its corners: text of a wrong type is
// no error but for SchemaOrBool, "[]" is no schema and no list, and one byte is never looked at.

func firstByte(data []byte) byte {
	if len(data) > 1 {
		return data[0]
	}
	return 0
}

func (s SchemaOrBool) MarshalJSON() ([]byte, error) {
	if s.Schema != nil {
		return json.Marshal(s.Schema)
	}
	return json.Marshal(s.Allows)
}

func (s *SchemaOrBool) UnmarshalJSON(data []byte) error {
	var decoded SchemaOrBool
	switch {
	case len(data) == 0:
	case data[0] == '{':
		decoded = SchemaOrBool{Allows: true, Schema: &Schema{}}
		if err := json.Unmarshal(data, decoded.Schema); err != nil {
			return err
		}
	case string(data) == "true":
		decoded.Allows = true
	case string(data) == "false":
	default:
		return errors.New("boolean or JSON schema expected")
	}
	*s = decoded
	return nil
}

func (s SchemaOrStringArray) MarshalJSON() ([]byte, error) {
	if len(s.Property) > 0 {
		return json.Marshal(s.Property)
	}
	return json.Marshal(s.Schema)
}

func (s *SchemaOrStringArray) UnmarshalJSON(data []byte) error {
	var decoded SchemaOrStringArray
	switch firstByte(data) {
	case '{':
		decoded.Schema = &Schema{}
		if err := json.Unmarshal(data, decoded.Schema); err != nil {
			return err
		}
	case '[':
		if err := json.Unmarshal(data, &decoded.Property); err != nil {
			return err
		}
	}
	*s = decoded
	return nil
}

func (s SchemaOrArray) MarshalJSON() ([]byte, error) {
	if len(s.Schemas) > 0 {
		return json.Marshal(s.Schemas)
	}
	return json.Marshal(s.Schema)
}

func (s *SchemaOrArray) UnmarshalJSON(data []byte) error {
	var decoded SchemaOrArray
	switch firstByte(data) {
	case '{':
		decoded.Schema = &Schema{}
		if err := json.Unmarshal(data, decoded.Schema); err != nil {
			return err
		}
	case '[':
		if err := json.Unmarshal(data, &decoded.Schemas); err != nil {
			return err
		}
	}
	*s = decoded
	return nil
}
