// Command controller_runtime_oracle answers what controller-runtime does. A request is a function's name, a tab, and a text in
// hexadecimal:
//
//	queue		the answers of a priority queue to a script: queue.go
//	predicate	whether a predicate passes the creation, the update and the deletion of an object: predicate.go
//	owners		the requests that an event of a dependent object adds: owners.go
//	families	the metrics of a controller of this name, without their values: families.go
package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kube/tests/oracle"
)

func serve(t *testing.T) {
	functions := map[string]func(string) (string, error){
		"families":  families,
		"owners":    owners,
		"predicate": passes,
		"queue": func(script string) (string, error) {
			result := "the script does not end"
			synctest.Test(t, func(*testing.T) { result = playQueue(strings.Split(script, "\n")) })
			return result, nil
		},
	}
	oracle.ServeAll(func(function, text string) (string, error) {
		answer, known := functions[function]
		if !known {
			return "", fmt.Errorf("no function %q", function)
		}
		return answer(text)
	})
}

func main() {
	log.SetLogger(logr.Discard())
	// Only tests have bubbles; what the test itself reports is not an answer.
	os.Stdout = os.Stderr
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "questions", F: serve}}, nil, nil)
}
