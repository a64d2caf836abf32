package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/util/proxy"
	translator "k8s.io/apiserver/pkg/util/proxy"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream/wsstream"
)

// kubelet serves what clients ask of a kubelet and passes it on to the container runtime, as Kubernetes' pkg/kubelet/server does.
type kubelet struct {
	runtime streaming.Server
	// Whether it takes WebSockets, which it then translates to SPDY.
	translates bool
}

// The last segment of paths of the API, and the first one of those of a kubelet.
const (
	execPath        = "exec"
	attachPath      = "attach"
	portForwardPath = "portForward"
)

// target is what a kubelet is asked for.
type target struct {
	path                      string
	namespace, pod, container string // without a container for ports
	// As in the query.
	command []string
	options remotecommand.Options
	ports   []int32
}

func (t *target) containerID() string { return t.namespace + "/" + t.pod + "/" + t.container }

var errNoPod = errors.New("pod does not exist")

// locate returns where the container runtime serves a target, once.
func (k *kubelet) locate(t *target) (*url.URL, error) {
	switch {
	case isOf(t.pod, forgotten):
		return nil, errNoPod
	case isOf(t.pod, unstarted) && t.container != "":
		return nil, fmt.Errorf("container not found (%q)", t.container)
	}
	location, err := k.ask(t)
	if err != nil {
		return nil, err
	}
	return url.Parse(location)
}

func (k *kubelet) ask(t *target) (string, error) {
	o := t.options
	switch t.path {
	case execPath:
		response, err := k.runtime.GetExec(&runtimeapi.ExecRequest{ContainerId: t.containerID(), Cmd: t.command, Tty: o.TTY,
			Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr})
		return response.GetUrl(), err
	case attachPath:
		response, err := k.runtime.GetAttach(&runtimeapi.AttachRequest{ContainerId: t.containerID(), Tty: o.TTY,
			Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr})
		return response.GetUrl(), err
	}
	response, err := k.runtime.GetPortForward(&runtimeapi.PortForwardRequest{PodSandboxId: t.containerID(), Port: t.ports})
	return response.GetUrl(), err
}

type kubeletResponder struct{}

func (kubeletResponder) Error(w http.ResponseWriter, _ *http.Request, err error) {
	klog.ErrorS(err, "Error while proxying request")
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// forward passes a request on to the container runtime. A WebSocket that carries one of the kubelet's own protocols is translated
// by what the function returns.
func (k *kubelet) forward(w http.ResponseWriter, r *http.Request, t *target, isOwn func(*http.Request) bool,
	translate func(location *url.URL, next http.Handler) http.Handler) {
	location, err := k.locate(t)
	if errors.Is(err, errNoPod) {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if err != nil {
		_ = streaming.WriteError(err, w)
		return
	}
	var handler http.Handler = proxy.NewUpgradeAwareHandler(location, nil, false, true, kubeletResponder{})
	if k.translates && isOwn(r) {
		handler = translate(location, handler)
	}
	handler.ServeHTTP(w, r)
}

func targetOf(r *http.Request, path string) *target {
	return &target{path: path, namespace: r.PathValue("namespace"), pod: r.PathValue("pod"), container: r.PathValue("container")}
}

// command serves exec and attach.
func (k *kubelet) command(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		options, err := remotecommand.NewOptions(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		t := targetOf(r, path)
		t.command, t.options = r.URL.Query()["command"], *options
		k.forward(w, r, t, wsstream.IsWebSocketRequestWithStreamCloseProtocol, func(location *url.URL, _ http.Handler) http.Handler {
			return translator.NewStreamTranslatorHandler(location, nil, 0, translatorOptions(options))
		})
	}
}

func translatorOptions(options *remotecommand.Options) translator.Options {
	return translator.Options{Stdin: options.Stdin, Stdout: options.Stdout, Stderr: options.Stderr, Tty: options.TTY}
}

func (k *kubelet) ports(w http.ResponseWriter, r *http.Request) {
	options := &portforward.V4Options{}
	if !k.translates || !wsstream.IsWebSocketRequestWithTunnelingProtocol(r) {
		var err error
		if options, err = portforward.NewV4Options(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	t := targetOf(r, portForwardPath)
	t.ports = options.Ports
	k.forward(w, r, t, wsstream.IsWebSocketRequestWithTunnelingProtocol, func(_ *url.URL, next http.Handler) http.Handler {
		return translator.NewTunnelingHandler(next)
	})
}

func (k *kubelet) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", k.command(execPath))
	mux.HandleFunc("/attach/{namespace}/{pod}/{container}", k.command(attachPath))
	mux.HandleFunc("/portForward/{namespace}/{pod}", k.ports)
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", serveLogs)
	return mux
}
