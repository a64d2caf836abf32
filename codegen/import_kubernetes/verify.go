package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The wire form that Kubernetes itself generates beside the Go types is a second witness of names, numbers and types.

// A wireField is one line of generated.proto: "repeated", "string", 2.
type wireField struct{ label, typeName, number string }

var (
	wireMessage = regexp.MustCompile(`^message (\w+) \{`)
	wireLine    = regexp.MustCompile(`^  (optional|repeated|map<string, [^>]+>) ?(\S*) \w+ = (\d+);`)
)

// readWire reads generated.proto: the fields of each message, by number.
func readWire(text string) map[string]map[string]wireField {
	messages := map[string]map[string]wireField{}
	current := ""
	for line := range strings.SplitSeq(text, "\n") {
		if match := wireMessage.FindStringSubmatch(line); match != nil {
			current = match[1]
			messages[current] = map[string]wireField{}
		} else if match := wireLine.FindStringSubmatch(line); match != nil {
			f := wireField{match[1], match[2], match[3]}
			if value, ok := strings.CutPrefix(match[1], "map<string, "); ok {
				f = wireField{"map", strings.TrimSuffix(value, ">"), match[3]}
			}
			messages[current][f.number] = f
		}
	}
	return messages
}

// verify compares a file with generated.proto in the Go package's folder, where there is one.
func verify(dir string, file *protoFile) error {
	text, err := os.ReadFile(filepath.Join(dir, "generated.proto"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	wire := readWire(string(text))
	for _, m := range file.messages {
		if onWire(m) && wire[m.name] == nil {
			return fmt.Errorf("verify %s: generated.proto has no message %s", file.folder, m.name)
		}
		if err := verifyMessage(m, wire[m.name]); err != nil {
			return fmt.Errorf("verify %s: message %s: %w", file.folder, m.name, err)
		}
		delete(wire, m.name)
	}
	for _, name := range sortedKeys(wire) {
		_, left := notImported[file.goPath+"."+name]
		_, leaf := leafTypes[file.goPath+"."+name]
		if !left && !leaf {
			return fmt.Errorf("verify %s: message %s of generated.proto is not imported", file.folder, name)
		}
	}
	return nil
}

func onWire(m *message) bool {
	for _, f := range m.fields {
		if !f.noWire {
			return true
		}
	}
	return false
}

func verifyMessage(m *message, wire map[string]wireField) error {
	seen := 0
	for _, f := range m.fields {
		if f.noWire {
			continue
		}
		want, ok := wire[fmt.Sprint(f.number)]
		if !ok {
			return fmt.Errorf("field %s: generated.proto has no number %d", f.name, f.number)
		}
		seen++
		label, typeName := f.label, f.typeName
		if value, ok := strings.CutPrefix(typeName, "map<string, "); ok {
			label, typeName = "map", strings.TrimSuffix(value, ">")
		}
		if label == "" {
			label = "optional"
		}
		if label != want.label || wireType(typeName) != wireType(want.typeName) {
			return fmt.Errorf("field %s: %s %s is %s %s in generated.proto",
				f.name, label, typeName, want.label, want.typeName)
		}
	}
	if seen != len(wire) {
		return fmt.Errorf("it has %d fields, and %d in generated.proto", seen, len(wire))
	}
	return nil
}

// wireType is a scalar's name, and of a message its last name.
func wireType(name string) string {
	name = name[strings.LastIndex(name, ".")+1:]
	if name == "JSON" {
		return "RawJson"
	}
	return name
}
