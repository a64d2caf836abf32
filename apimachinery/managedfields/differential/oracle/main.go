// Command managedfields_oracle answers what structured-merge-diff and apimachinery's package managedfields make of field sets,
// of values with schemas, and of sequences of writes.
//
// It reads lines "FUNCTION<tab>TEXT", the text a question in JSON, in hexadecimal (see tests/oracle/oracle.go), and answers each
// with a line: JSON in which doubles have a fraction.
//
// With the argument "clock" it does so in a bubble of testing/synctest, whose clock begins on 2000-01-01 and only advances
// while the program sleeps: then sequences of writes happen at the times that the questions give.
package main

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"kube/apimachinery/managedfields/differential/exactjson"
	"kube/tests/oracle"
)

var functions = map[string]func(text []byte) (any, error){
	"crd_schema": crdSchema,
	"decode":     decodeSet,
	"element":    decodeElement,
	"entries":    entries,
	"schemas":    builtInSchemas,
	"sets":       fieldSets,
	"typed":      typedValues,
	"writes":     writes,
}

func serve() {
	oracle.ServeAll(func(function, text string) (string, error) {
		ask, ok := functions[function]
		if !ok {
			return "", fmt.Errorf("there is no function %q", function)
		}
		answer, err := ask([]byte(text))
		if err != nil {
			return "", err
		}
		return exactjson.Encode(answer), nil
	})
}

// serveWithClock serves within a test, because only tests have bubbles.
func serveWithClock() {
	test := func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			serve()
			// The package testing would print that the test has passed.
			os.Exit(0)
		})
	}
	matches := func(string, string) (bool, error) { return true, nil }
	testing.Main(matches, []testing.InternalTest{{Name: "Serve", F: test}}, nil, nil)
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "clock" {
		serveWithClock()
		return
	}
	serve()
}
