// Command webhook_oracle answers what controller-runtime's webhook server answers. A request is a function's name, a tab, and a text
// in hexadecimal:
//
//	review	the answer of a webhook to a body: review.go
package main

import (
	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"kube/tests/oracle"
)

func main() {
	log.SetLogger(logr.Discard())
	server := newServer()
	oracle.Serve(map[string]func(string) (string, error){
		"review": func(text string) (string, error) { return review(server, text) },
	})
}
