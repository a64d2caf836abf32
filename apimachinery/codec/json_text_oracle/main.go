// Command json_text_oracle tells how encoding/json writes texts. A line of standard input is an operation and its
// argument in base64; a line of output is the result in base64, or "error".
//
//	string TEXT    json.Marshal(string)
//	compact JSON   json.Marshal(json.RawMessage): compact, HTML escaped
//	indent JSON    the same, then json.Indent with two spaces
//	number BITS    json.Marshal(float64) of the eight bytes, little endian
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
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
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		operation, encoded, _ := strings.Cut(in.Text(), " ")
		argument, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if result, err := run(operation, argument); err != nil {
			fmt.Fprintln(out, "error")
		} else {
			fmt.Fprintln(out, base64.StdEncoding.EncodeToString(result))
		}
	}
}
