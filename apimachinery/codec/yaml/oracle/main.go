// Command yaml_oracle converts what it reads from standard input as Kubernetes does. Each line is an operation and a
// text in base64; each answer is a line of "ok" or "error" and the outcome or the message in base64.
//
//	in      sigs.k8s.io/yaml.YAMLToJSON, without the escapes that encoding/json makes for HTML
//	strict  sigs.k8s.io/yaml.YAMLToJSONStrict, likewise
//	out     sigs.k8s.io/yaml.JSONToYAML
//	split   the documents of apimachinery's NewYAMLReader, a line of five equals signs after each, up to its first error
//	guess   apimachinery's IsJSONBuffer: "true" or "false"
//
// With the arguments "bench OPERATION", standard input is one text, and the answer is the time that converting it takes,
// in nanoseconds.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"kube/tests/oracle"
)

func withoutHTMLEscapes(text []byte) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func split(text []byte) []byte {
	var all bytes.Buffer
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all.Bytes()
		}
		if err != nil {
			document = []byte("error")
		}
		all.Write(document)
		all.WriteString("\n=====\n")
		if err != nil {
			return all.Bytes()
		}
	}
}

func convert(operation string, text []byte) (result []byte, err error) {
	// go-yaml panics on some texts: an error like others, for this purpose.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	switch operation {
	case "in", "strict":
		toJSON := yaml.YAMLToJSON
		if operation == "strict" {
			toJSON = yaml.YAMLToJSONStrict
		}
		if result, err = toJSON(text); err != nil {
			return nil, err
		}
		return withoutHTMLEscapes(result)
	case "out":
		return yaml.JSONToYAML(text)
	case "split":
		return split(text), nil
	case "guess":
		return []byte(strconv.FormatBool(utilyaml.IsJSONBuffer(text))), nil
	}
	return nil, fmt.Errorf("unknown operation %q", operation)
}

func bench(operation string) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	toOther := yaml.YAMLToJSON
	if operation == "out" {
		toOther = yaml.JSONToYAML
	}
	result := testing.Benchmark(func(b *testing.B) {
		for range b.N {
			if _, err := toOther(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	_, err = fmt.Println(result.NsPerOp())
	return err
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "bench" {
		oracle.Check(bench(os.Args[2]))
		return
	}
	oracle.ServeLines(func(line string) string {
		operation, encoded, _ := strings.Cut(line, " ")
		text, err := base64.StdEncoding.DecodeString(encoded)
		oracle.Check(err)
		outcome := "ok"
		result, err := convert(operation, text)
		if err != nil {
			outcome, result = "error", []byte(err.Error())
		}
		return outcome + " " + base64.StdEncoding.EncodeToString(result) + "\n"
	})
}
