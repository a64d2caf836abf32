package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/proxy"
	translator "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/streaming/pkg/httpstream/wsstream"
)

// apiServer serves what streams of pods, as Kubernetes' pkg/registry/core/pod/rest, and what kubectl asks for besides.
type apiServer struct {
	kubelet *kubelet
	// The kubelet's address. If empty, the container runtime is asked directly.
	address   string
	transport http.RoundTripper
	// Whether WebSockets are translated here.
	translates bool
	// Whether users have the right to create what streams, and not to get it.
	createOnly bool
}

func writeJSON(w http.ResponseWriter, code int, object any) {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(text)
}

func writeError(w http.ResponseWriter, err error) {
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = apierrors.NewInternalError(err)
	}
	status := known.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	writeJSON(w, int(status.Code), status)
}

type apiResponder struct{}

func (apiResponder) Error(w http.ResponseWriter, _ *http.Request, err error) { writeError(w, err) }

// isSet reads a boolean of a query as the API server does.
func isSet(query url.Values, name string) bool {
	values := query[name]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// kubeletURL returns the location of a target of a kubelet.
func kubeletURL(address string, t *target) *url.URL {
	query := url.Values{}
	for name, value := range map[string]bool{
		remotecommand.ExecStdinParam:  t.options.Stdin,
		remotecommand.ExecStdoutParam: t.options.Stdout,
		remotecommand.ExecStderrParam: t.options.Stderr,
		remotecommand.ExecTTYParam:    t.options.TTY,
	} {
		if value {
			query.Add(name, "1")
		}
	}
	for _, word := range t.command {
		query.Add("command", word)
	}
	path := fmt.Sprintf("/%s/%s/%s", t.path, t.namespace, t.pod)
	if t.container != "" {
		path += "/" + t.container
	}
	return &url.URL{Scheme: "https", Host: address, Path: path, RawQuery: query.Encode()}
}

// endpoint returns where a target is served, and how that is reached.
func (a *apiServer) endpoint(t *target) (*url.URL, http.RoundTripper, error) {
	if a.address != "" {
		return kubeletURL(a.address, t), a.transport, nil
	}
	// Kubelets do that.
	t.options.Stderr = t.options.Stderr && !t.options.TTY
	location, err := a.kubelet.locate(t)
	return location, nil, err
}

// authorize returns the pod of a request for what streams.
func (a *apiServer) authorize(r *http.Request, subresource string) (*corev1.Pod, error) {
	name := r.PathValue("pod")
	if a.createOnly && r.Method == http.MethodGet {
		// Longer than the kilobyte that client-go looks at.
		return nil, apierrors.NewForbidden(corev1.Resource("pods/"+subresource), name,
			errors.New(strings.Repeat("nobody may do that; ", 100)+"this is the end of the message"))
	}
	pod, err := findPod(r.PathValue("namespace"), name)
	if err != nil {
		return nil, err
	}
	if pod.Spec.NodeName == "" {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("pod %s does not have a host assigned", name))
	}
	return pod, nil
}

// command serves exec and attach.
func (a *apiServer) command(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		pod, err := a.authorize(r, path)
		if err != nil {
			writeError(w, err)
			return
		}
		query := r.URL.Query()
		t := targetOf(r, path)
		if t.container, err = findContainer(pod, query.Get("container")); err != nil {
			writeError(w, err)
			return
		}
		t.command = query["command"]
		t.options = remotecommand.Options{Stdin: isSet(query, "stdin"), Stdout: isSet(query, "stdout"),
			Stderr: isSet(query, "stderr"), TTY: isSet(query, "tty")}
		options := translatorOptions(&t.options)
		location, transport, err := a.endpoint(t)
		if err != nil {
			writeError(w, err)
			return
		}
		var handler http.Handler = proxy.NewUpgradeAwareHandler(location, transport, false, true, apiResponder{})
		if a.translates {
			handler = translator.NewTranslatingHandler(handler,
				translator.NewStreamTranslatorHandler(location, transport, 0, options),
				wsstream.IsWebSocketRequestWithStreamCloseProtocol)
		}
		handler.ServeHTTP(w, r)
	}
}

func (a *apiServer) ports(w http.ResponseWriter, r *http.Request) {
	if _, err := a.authorize(r, "portforward"); err != nil {
		writeError(w, err)
		return
	}
	location, transport, err := a.endpoint(targetOf(r, portForwardPath))
	if err != nil {
		writeError(w, err)
		return
	}
	var handler http.Handler = proxy.NewUpgradeAwareHandler(location, transport, false, true, apiResponder{})
	if a.translates {
		handler = translator.NewTranslatingHandler(handler, translator.NewTunnelingHandler(handler),
			wsstream.IsWebSocketRequestWithTunnelingProtocol)
	}
	handler.ServeHTTP(w, r)
}

func (a *apiServer) pod(w http.ResponseWriter, r *http.Request) {
	pod, err := findPod(r.PathValue("namespace"), r.PathValue("pod"))
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, pod)
}

// constant serves an object.
func constant(object any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, object) }
}

// authenticated refuses users without the token.
func authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			writeError(w, apierrors.NewUnauthorized("Unauthorized"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (a *apiServer) handler() http.Handler {
	const pods = "/api/v1/namespaces/{namespace}/pods/{pod}"
	mux := http.NewServeMux()
	mux.HandleFunc(pods+"/exec", a.command(execPath))
	mux.HandleFunc(pods+"/attach", a.command(attachPath))
	mux.HandleFunc(pods+"/portforward", a.ports)
	mux.HandleFunc("GET "+pods, a.pod)
	mux.HandleFunc("/cut/{bytes}/", func(w http.ResponseWriter, r *http.Request) {
		bytes, err := strconv.Atoi(r.PathValue("bytes"))
		if err != nil {
			writeError(w, apierrors.NewBadRequest(err.Error()))
			return
		}
		connectionOf(r).limit(bytes)
		http.StripPrefix("/cut/"+r.PathValue("bytes"), mux).ServeHTTP(w, r)
	})
	// So that kubectl knows pods.
	mux.HandleFunc("GET /api", constant(metav1.APIVersions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIVersions"}, Versions: []string{"v1"},
	}))
	mux.HandleFunc("GET /apis", constant(metav1.APIGroupList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}, Groups: []metav1.APIGroup{},
	}))
	mux.HandleFunc("GET /api/v1", constant(metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: "v1",
		APIResources: []metav1.APIResource{{Name: "pods", SingularName: "pod", Namespaced: true, Kind: "Pod",
			Verbs: metav1.Verbs{"get"}, ShortNames: []string{"po"}}},
	}))
	return authenticated(mux)
}
