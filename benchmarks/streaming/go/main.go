// The client of tools/bench streaming in Go: client-go's executors and port forwarder, put together as kubectl does.
//
//	exec POD [-i] -- COMMAND...
//	port-forward POD [LOCAL]:REMOTE
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "streaming:", err)
		os.Exit(1)
	}
}

func disabled(name string) bool { return os.Getenv(name) == "false" }

func shouldFallback(err error) bool {
	return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
}

func request(client kubernetes.Interface, namespace, pod, subresource string) *rest.Request {
	return client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource(subresource)
}

func executor(config *rest.Config, location *url.URL) remotecommand.Executor {
	bySPDY, err := remotecommand.NewSPDYExecutor(config, "POST", location)
	check(err)
	if disabled("KUBECTL_REMOTE_COMMAND_WEBSOCKETS") {
		return bySPDY
	}
	byWebSocket, err := remotecommand.NewWebSocketExecutor(config, "GET", location.String())
	check(err)
	both, err := remotecommand.NewFallbackExecutor(byWebSocket, bySPDY, shouldFallback)
	check(err)
	return both
}

func execute(config *rest.Config, client kubernetes.Interface, namespace string, words []string) {
	options := &corev1.PodExecOptions{Stdout: true, Stderr: true}
	streams := remotecommand.StreamOptions{Stdout: os.Stdout, Stderr: os.Stderr}
	pod, words := words[0], words[1:]
	if words[0] == "-i" {
		options.Stdin, streams.Stdin = true, os.Stdin
		words = words[1:]
	}
	options.Command = words[1:] // without the hyphens
	location := request(client, namespace, pod, "exec").VersionedParams(options, scheme.ParameterCodec).URL()
	err := executor(config, location).StreamWithContext(context.Background(), streams)
	var failed exec.CodeExitError
	if errors.As(err, &failed) {
		os.Exit(failed.Code)
	}
	check(err)
}

func dialer(config *rest.Config, location *url.URL) httpstream.Dialer {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	check(err)
	bySPDY := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, "POST", location)
	if disabled("KUBECTL_PORT_FORWARD_WEBSOCKETS") {
		return bySPDY
	}
	byWebSocket, err := portforward.NewSPDYOverWebsocketDialerForStreaming(location, config)
	check(err)
	return portforward.NewFallbackDialerForStreaming(byWebSocket, bySPDY, shouldFallback)
}

func forward(config *rest.Config, client kubernetes.Interface, namespace string, words []string) {
	stop := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
		close(stop)
	}()
	location := request(client, namespace, words[0], "portforward").URL()
	forwarder, err := portforward.NewOnAddressesForStreaming(dialer(config, location), []string{"localhost"}, words[1:], stop,
		make(chan struct{}), os.Stdout, os.Stderr)
	check(err)
	check(forwarder.ForwardPorts())
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: streaming exec POD [-i] -- COMMAND... | port-forward POD [LOCAL]:REMOTE")
		os.Exit(2)
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(),
		&clientcmd.ConfigOverrides{})
	config, err := loader.ClientConfig()
	check(err)
	namespace, _, err := loader.Namespace()
	check(err)
	client, err := kubernetes.NewForConfig(config)
	check(err)
	if os.Args[1] == "exec" {
		execute(config, client, namespace, os.Args[2:])
	} else {
		forward(config, client, namespace, os.Args[2:])
	}
}
