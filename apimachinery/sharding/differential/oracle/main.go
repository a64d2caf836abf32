// Command sharding_oracle answers what an API server makes of shard selectors. Parts of a text are separated by a byte 0x1f.
package main

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apisharding "k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/sharding"

	"kube/tests/oracle"
)

var functions = map[string]func(string) (string, error){
	"hash":    func(text string) (string, error) { return apisharding.HashField(text), nil },
	"parse":   parse,
	"matches": matches,
}

func parse(text string) (string, error) {
	s, err := sharding.Parse(text)
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// A selector, a UID and a namespace.
func matches(text string) (string, error) {
	parts := strings.Split(text, "\x1f")
	s, err := sharding.Parse(parts[0])
	if err != nil {
		return "", err
	}
	object := &metav1.PartialObjectMetadata{}
	object.UID, object.Namespace = types.UID(parts[1]), parts[2]
	matched, err := s.Matches(object)
	return fmt.Sprint(matched), err
}

func main() { oracle.Serve(functions) }
