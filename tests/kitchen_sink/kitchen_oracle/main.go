// Command kitchen_oracle answers questions about the types of the kitchen sink (../sink.proto) with Kubernetes' own Go code.
//
// Standard input is a sequence of requests, standard output the sequence of their answers. Each is a record: the number of
// its strings, then each string as its size and its bytes; the numbers are 32 bits, little-endian.
//
//	request: operation, type, input ...
//	answer:  "ok", output ...
//	         "error", text
//
// Types are named as in the IDL: "Sink", "HttpAction". Operations and their inputs -> outputs (a value that goes through a
// type is decoded into it as apimachinery's serializers do, and encoded again):
//
//	json_to_json          JSON -> JSON                  unknown members are dropped, names match exactly
//	json_to_pretty_json   JSON -> JSON                  indented by two blanks
//	json_to_pb            JSON -> protobuf
//	json_to_yaml          JSON -> YAML
//	pb_to_json            protobuf -> JSON
//	pb_to_pb              protobuf -> protobuf
//	yaml_to_json          YAML -> JSON
//	yaml_to_pb            YAML -> protobuf
//	strict_json           JSON -> JSON, strict error ...
//	strict_yaml           YAML -> JSON, strict error ...
//	json_into_json        JSON, JSON -> JSON            the second is decoded into what the first made
//	pb_into_pb            protobuf, protobuf -> protobuf  likewise
//	json_to_envelope      JSON -> "k8s\0" and runtime.Unknown, of a kind
//	envelope_to_json      envelope -> JSON              the type may be "": then the envelope's
//	equal                 JSON, JSON -> "true" or "false"  equality.Semantic.DeepEqual
//	strategic_patch       JSON, patch -> JSON           by the rules of the type, without decoding into it
//	create_strategic_patch  JSON, JSON -> patch
//	random                seed, count -> (JSON, protobuf) of each random object
//	fields                -> "JSON name|Go type|JSON options|number or 0|patch strategy|merge key" of each field, as Go declares
//	                      them; those of inline structs in their place, apiVersion and kind left out
//
// Of these the type does not matter, and is "":
//
//	types                 -> name ...
//	envelope_parts        envelope -> apiVersion, kind, contentEncoding, contentType, raw
//	plain_yaml_to_json    YAML -> JSON                  sigs.k8s.io/yaml alone
//	plain_json_to_yaml    JSON -> YAML
//	merge_patch           JSON, patch -> JSON           RFC 7386, as evanphx reads it
//	create_merge_patch    JSON, JSON -> patch
//	json_patch            JSON, patch -> JSON           RFC 6902
//
// JSON comes without the line end that apimachinery's serializer adds.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

const maxRecordStrings = 1 << 20

func readNumber(in *bufio.Reader) (uint32, error) {
	var data [4]byte
	if _, err := io.ReadFull(in, data[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(data[:]), nil
}

func readRecord(in *bufio.Reader) ([]string, error) {
	count, err := readNumber(in)
	if err != nil {
		return nil, err // io.EOF between two records is the end
	}
	if count > maxRecordStrings {
		return nil, fmt.Errorf("read record: %d strings", count)
	}
	record := make([]string, count)
	for i := range record {
		size, err := readNumber(in)
		if err != nil {
			return nil, fmt.Errorf("read record: %v", err)
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, fmt.Errorf("read record: %v", err)
		}
		record[i] = string(data)
	}
	return record, nil
}

func writeRecord(out *bufio.Writer, record []string) {
	number := func(n int) {
		var data [4]byte
		binary.LittleEndian.PutUint32(data[:], uint32(n))
		out.Write(data[:])
	}
	number(len(record))
	for _, s := range record {
		number(len(s))
		out.WriteString(s)
	}
}

// answer is a record; a panic of the code in question is an error of this request.
func answer(request []string) (record []string) {
	defer func() {
		if r := recover(); r != nil {
			record = []string{"error", fmt.Sprintf("panic: %v", r)}
		}
	}()
	if len(request) < 2 {
		return []string{"error", "a request is an operation, a type and inputs"}
	}
	outputs, err := run(request[0], request[1], request[2:])
	if err != nil {
		return []string{"error", err.Error()}
	}
	return append([]string{"ok"}, outputs...)
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	for {
		request, err := readRecord(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		writeRecord(out, answer(request))
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
