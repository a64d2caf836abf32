// Command json_text_oracle tells how encoding/json writes texts. A line of standard input is an operation and its
// argument in base64; a line of output is the result in base64, or "error".
//
//	string TEXT    json.Marshal(string)
//	compact JSON   json.Marshal(json.RawMessage): compact, HTML escaped
//	indent JSON    the same, then json.Indent with two spaces
//	number BITS    json.Marshal(float64) of the eight bytes, little endian
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"kube/tests/oracle"
)

func run(operation string, argument []byte) ([]byte, error) {
	switch operation {
	case "string":
		return json.Marshal(string(argument))
	case "compact":
		return json.Marshal(json.RawMessage(argument))
	case "indent":
		compact, err := json.Marshal(json.RawMessage(argument))
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = json.Indent(&out, compact, "", "  ")
		return out.Bytes(), err
	case "number":
		return json.Marshal(math.Float64frombits(binary.LittleEndian.Uint64(argument)))
	}
	return nil, fmt.Errorf("no operation %q", operation)
}

func main() {
	oracle.ServeLines(func(line string) string {
		operation, encoded, _ := strings.Cut(line, " ")
		argument, err := base64.StdEncoding.DecodeString(encoded)
		oracle.Check(err)
		result, err := run(operation, argument)
		if err != nil {
			return "error\n"
		}
		return base64.StdEncoding.EncodeToString(result) + "\n"
	})
}
