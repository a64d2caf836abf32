// Command calls_oracle answers what the clientsets of client-go and its siblings send. A request is a function's name, a
// tab, and its argument in hexadecimal; an answer is the request: method, URL, Accept, Content-Type, body in hexadecimal.
//
//	verb		"AppsV1 Deployments", a verb, a media type or nothing, and an object in JSON, a line each
//	call		a name of calls; in JSON
//	appliers	nothing; the answer lists the functions that apply (apply.go)
//	apply		a function that applies, a media type or nothing, and a seed, a line each (apply.go)
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sort"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
	metrics "k8s.io/metrics/pkg/client/clientset/versioned"

	"kube/tests/oracle"
)

// recorder keeps the request, and answers with an empty object.
type recorder struct{ sent string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	url := *request.URL
	if query := url.Query(); query.Has("fieldSelector") {
		// Made from a map: in any order.
		terms := strings.Split(query.Get("fieldSelector"), ",")
		sort.Strings(terms)
		query.Set("fieldSelector", strings.Join(terms, ","))
		url.RawQuery = query.Encode()
	}
	r.sent = strings.Join([]string{request.Method, url.String(), request.Header.Get("Accept"),
		request.Header.Get("Content-Type"), hex.EncodeToString(body)}, " | ")
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader("{}")),
		Request:    request,
	}, nil
}

func config(transport http.RoundTripper, contentType string) *rest.Config {
	return &rest.Config{Host: "http://localhost", Transport: transport, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: contentType}}
}

// clientOf is the client that an accessor of an accessor gives: "AppsV1", "Deployments".
func clientOf(config *rest.Config, group, resource string) (reflect.Value, error) {
	for _, clientset := range []func() any{
		func() any { return kubernetes.NewForConfigOrDie(config) },
		func() any { return apiextensions.NewForConfigOrDie(config) },
		func() any { return aggregator.NewForConfigOrDie(config) },
		func() any { return metrics.NewForConfigOrDie(config) },
	} {
		accessor := reflect.ValueOf(clientset()).MethodByName(group)
		if !accessor.IsValid() {
			continue
		}
		resources := accessor.Call(nil)[0].MethodByName(resource)
		if !resources.IsValid() {
			continue
		}
		var arguments []reflect.Value
		if resources.Type().NumIn() == 1 {
			arguments = append(arguments, reflect.ValueOf("prod"))
		}
		return resources.Call(arguments)[0], nil
	}
	return reflect.Value{}, fmt.Errorf("no such client: %s().%s()", group, resource)
}

const (
	name     = "web"
	selector = "every-kind=yes"
	patch    = `{"metadata":{"annotations":{"patched":"yes"}}}`
)

// A verb's method, and its arguments after the context. Those that are nil stand for the object.
var verbs = map[string]struct {
	method    string
	arguments []any
}{
	"create":           {"Create", []any{nil, metav1.CreateOptions{}}},
	"get":              {"Get", []any{name, metav1.GetOptions{}}},
	"list":             {"List", []any{metav1.ListOptions{LabelSelector: selector}}},
	"watch":            {"Watch", []any{metav1.ListOptions{LabelSelector: selector}}},
	"update":           {"Update", []any{nil, metav1.UpdateOptions{}}},
	"patch":            {"Patch", []any{name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}}},
	"update status":    {"UpdateStatus", []any{nil, metav1.UpdateOptions{}}},
	"patch status":     {"Patch", []any{name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status"}},
	"get scale":        {"GetScale", []any{name, metav1.GetOptions{}}},
	"update scale":     {"UpdateScale", []any{name, nil, metav1.UpdateOptions{}}},
	"delete":           {"Delete", []any{name, metav1.DeleteOptions{}}},
	"deletecollection": {"DeleteCollection", []any{metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: selector}}},
}

func answerVerb(argument string) (string, error) {
	words := strings.SplitN(argument, "\n", 4)
	group, resource, _ := strings.Cut(words[0], " ")
	transport := &recorder{}
	client, err := clientOf(config(transport, words[2]), group, resource)
	if err != nil {
		return "", err
	}
	verb := verbs[words[1]]
	method := client.MethodByName(verb.method)
	if !method.IsValid() {
		return "", fmt.Errorf("no such method: %s of %s", verb.method, words[0])
	}
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for i, argument := range verb.arguments {
		value := reflect.ValueOf(argument)
		if argument == nil {
			value = reflect.New(method.Type().In(i + 1).Elem())
			if verb.method != "UpdateScale" {
				if err := json.Unmarshal([]byte(words[3]), value.Interface()); err != nil {
					return "", err
				}
			}
		}
		arguments = append(arguments, value)
	}
	method.Call(arguments)
	return transport.sent, nil
}

func meta(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name, Namespace: "prod"} }

func int64Of(value int64) *int64 { return &value }

// What has a function of its own.
var calls = map[string]func(context.Context, *kubernetes.Clientset){
	"Bind": func(ctx context.Context, c *kubernetes.Clientset) {
		_ = c.CoreV1().Pods("prod").Bind(ctx, &corev1.Binding{ObjectMeta: meta("web-0"),
			Target: corev1.ObjectReference{Kind: "Node", Name: "n1"}}, metav1.CreateOptions{})
	},
	"EvictV1": func(ctx context.Context, c *kubernetes.Clientset) {
		_ = c.CoreV1().Pods("prod").EvictV1(ctx, &policyv1.Eviction{ObjectMeta: meta("web-0"),
			DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: int64Of(5)}})
	},
	"GetLogs": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Pods("prod").GetLogs("web-0", &corev1.PodLogOptions{Container: "app", Previous: true,
			Timestamps: true, TailLines: int64Of(10), LimitBytes: int64Of(1000)}).DoRaw(ctx)
	},
	"GetLogs, no options": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Pods("prod").GetLogs("web-0", &corev1.PodLogOptions{}).DoRaw(ctx)
	},
	"pods ProxyGet": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Pods("prod").ProxyGet("https", "web-0", "8443", "a/b", map[string]string{"q": "1 2"}).DoRaw(ctx)
	},
	"services ProxyGet": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Services("prod").ProxyGet("", "web", "", "healthz", nil).DoRaw(ctx)
	},
	"CreateToken": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().ServiceAccounts("prod").CreateToken(ctx, "app", &authenticationv1.TokenRequest{
			Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"a"}, ExpirationSeconds: int64Of(600)},
		}, metav1.CreateOptions{})
	},
	"UpdateEphemeralContainers": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Pods("prod").UpdateEphemeralContainers(ctx, "web-0", &corev1.Pod{ObjectMeta: meta("web-0"),
			Spec: corev1.PodSpec{EphemeralContainers: []corev1.EphemeralContainer{{
				EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "shell", Image: "sh"},
			}}}}, metav1.UpdateOptions{FieldManager: "me"})
	},
	"UpdateResize": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Pods("prod").UpdateResize(ctx, "web-0", &corev1.Pod{ObjectMeta: meta("web-0")},
			metav1.UpdateOptions{DryRun: []string{"All"}})
	},
	"UpdateApproval": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CertificatesV1().CertificateSigningRequests().UpdateApproval(ctx, "web",
			&certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, metav1.UpdateOptions{})
	},
	"Finalize": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Namespaces().Finalize(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "prod"}},
			metav1.UpdateOptions{FieldManager: "me"})
	},
	"PatchStatus": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Nodes().PatchStatus(ctx, "n1", []byte(`{"status":{"phase":"Running"}}`))
	},
	"CreateWithEventNamespace": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Events("").CreateWithEventNamespaceWithContext(ctx, &corev1.Event{ObjectMeta: meta("e"), Reason: "R"})
	},
	"UpdateWithEventNamespace": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Events("prod").UpdateWithEventNamespaceWithContext(ctx, &corev1.Event{ObjectMeta: meta("e"), Count: 2})
	},
	"PatchWithEventNamespace": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Events("").PatchWithEventNamespaceWithContext(ctx, &corev1.Event{ObjectMeta: meta("e")}, []byte(`{"count":3}`))
	},
	"Search": func(ctx context.Context, c *kubernetes.Clientset) {
		_, _ = c.CoreV1().Events("prod").SearchWithContext(ctx, scheme.Scheme,
			&corev1.ObjectReference{Kind: "Pod", Name: "web-0", Namespace: "prod", UID: "u1"})
	},
}

func answerCall(argument string) (string, error) {
	transport := &recorder{}
	call, ok := calls[argument]
	if !ok {
		return "", fmt.Errorf("no such call: %s", argument)
	}
	call(context.Background(), kubernetes.NewForConfigOrDie(config(transport, "application/json")))
	return transport.sent, nil
}

func main() {
	oracle.Serve(map[string]func(string) (string, error){
		"verb": answerVerb, "call": answerCall, "appliers": answerAppliers, "apply": answerApply,
	})
}
