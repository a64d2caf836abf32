// Command patch_oracle answers what apimachinery's patches are, and what they make of objects.
//
// Without arguments it reads lines "FUNCTION<tab>TEXT", the text a question in JSON, in hexadecimal (see tests/oracle/go_cases.h),
// and answers each with a line: the result, or "error: " and why there is none.
//
//	patch_oracle random SEED COUNT
//
// reads kinds and objects of them: a line "apps/v1 Deployment 3", then three objects, each as four bytes of size, the highest
// first, and JSON. For each kind it writes COUNT cases that it makes of these objects: parts in the same form, as writeCase has
// them.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"strconv"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	apidiscoveryv2beta1 "k8s.io/api/apidiscovery/v2beta1"
	imagepolicyv1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clientauthenticationv1 "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	clientauthenticationv1beta1 "k8s.io/client-go/pkg/apis/clientauthentication/v1beta1"
	clientcmdv1 "k8s.io/client-go/tools/clientcmd/api/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kube/tests/oracle"
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, admissionv1.AddToScheme, admissionv1beta1.AddToScheme, apidiscoveryv2.AddToScheme,
		apidiscoveryv2beta1.AddToScheme, imagepolicyv1alpha1.AddToScheme, apiextensionsv1.AddToScheme,
		clientauthenticationv1.AddToScheme, clientauthenticationv1beta1.AddToScheme, clientcmdv1.AddToScheme,
		apiregistrationv1.AddToScheme, metricsv1beta1.AddToScheme, metav1.AddMetaToScheme,
	} {
		utilruntime.Must(add(s))
	}
	return s
}

func newObject(s *runtime.Scheme, apiVersion, kind string) (runtime.Object, error) {
	return s.New(schema.FromAPIVersionAndKind(apiVersion, kind))
}

// What a question may have; a function uses what it needs.
type question struct {
	Kind      string // "apps/v1 Deployment"
	Original  json.RawMessage
	Modified  json.RawMessage
	Current   json.RawMessage
	Patch     json.RawMessage
	Overwrite bool
	Unchanged []string // preconditions: "kind", "metadata.name"
}

func answer(s *runtime.Scheme, function, text string) (string, error) {
	var q question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		return "", err
	}
	var object runtime.Object
	if q.Kind != "" {
		apiVersion, kind, _ := strings.Cut(q.Kind, " ")
		var err error
		if object, err = newObject(s, apiVersion, kind); err != nil {
			return "", err
		}
	}
	// With this suffix the answer is the error's text.
	plain, wantsError := strings.CutSuffix(function, "_error")
	result, err := ask(plain, &q, object)
	if !wantsError {
		return string(result), err
	}
	if err == nil {
		return "no error", nil
	}
	return err.Error(), nil
}

// The objects after a line that says how many they are.
func readObjects(in io.Reader, count int) ([]map[string]any, error) {
	objects := make([]map[string]any, count)
	for i := range objects {
		var size uint32
		if err := binary.Read(in, binary.BigEndian, &size); err != nil {
			return nil, err
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(in, text); err != nil {
			return nil, err
		}
		object, err := decode(text)
		if err != nil {
			return nil, err
		}
		objects[i] = object
	}
	return objects, nil
}

func makeRandom(s *runtime.Scheme, seed int64, count int) error {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		words := strings.Fields(line)
		if len(words) != 3 {
			return fmt.Errorf("read %q: it is not API version, kind and number", line)
		}
		object, err := newObject(s, words[0], words[1])
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(words[2])
		if err != nil {
			return err
		}
		objects, err := readObjects(in, number)
		if err != nil {
			return err
		}
		// Of a kind's own, so that its cases are the same whatever else is asked for.
		hash := fnv.New64a()
		io.WriteString(hash, words[0]+" "+words[1])
		m := &mutator{rand.New(rand.NewSource(seed + int64(hash.Sum64())))}
		for i := 0; i < count; i++ {
			if err := writeCase(out, m, object, objects); err != nil {
				return fmt.Errorf("%s %s: %w", words[0], words[1], err)
			}
		}
	}
}

func run() error {
	if len(os.Args) == 1 {
		s := newScheme()
		oracle.ServeAll(func(function, text string) (string, error) { return answer(s, function, text) })
		return nil
	}
	if len(os.Args) != 4 || os.Args[1] != "random" {
		return fmt.Errorf("usage: patch_oracle [random SEED COUNT]")
	}
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(os.Args[3])
	if err != nil {
		return err
	}
	return makeRandom(newScheme(), seed, count)
}

func main() { oracle.Check(run()) }
