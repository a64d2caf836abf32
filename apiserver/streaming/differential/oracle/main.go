// streaming_program KUBECONFIG TOKEN: exec, attach, port-forward and logs by client-go, against the server of a kubeconfig.
//
// The pod default/web has the containers that the test provides. TOKEN is that of a user who may not upgrade to a WebSocket.
// Prints what came of each case as a line of JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

const patience = 30 * time.Second

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

type result struct {
	Case  string `json:"case"`
	Out   string `json:"out,omitempty"`
	Err   string `json:"err,omitempty"`
	Error string `json:"error,omitempty"`
}

func (r result) print() { fmt.Println(string(must(json.Marshal(r)))) }

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func shouldFallBack(err error) bool {
	return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
}

// A way to reach the pod.
type way struct {
	name   string
	config *rest.Config
}

func (w way) client() kubernetes.Interface { return must(kubernetes.NewForConfig(w.config)) }

func (w way) url(subresource string, options any) *url.URL {
	request := w.client().CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name("web").SubResource(subresource)
	switch o := options.(type) {
	case *corev1.PodExecOptions:
		request.VersionedParams(o, scheme.ParameterCodec)
	case *corev1.PodAttachOptions:
		request.VersionedParams(o, scheme.ParameterCodec)
	}
	return request.URL()
}

func (w way) executor(target *url.URL) remotecommand.Executor {
	bySPDY := must(remotecommand.NewSPDYExecutor(w.config, "POST", target))
	byWebSocket := must(remotecommand.NewWebSocketExecutor(w.config, "GET", target.String()))
	switch w.name {
	case "websocket":
		return byWebSocket
	case "spdy":
		return bySPDY
	}
	return must(remotecommand.NewFallbackExecutor(byWebSocket, bySPDY, shouldFallBack))
}

func (w way) dialer() httpstream.Dialer {
	target := w.url("portforward", nil)
	transport, upgrader, err := spdy.RoundTripperFor(w.config)
	check(err)
	bySPDY := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, "POST", target)
	byTunnel := must(portforward.NewSPDYOverWebsocketDialerForStreaming(target, w.config))
	switch w.name {
	case "websocket":
		return byTunnel
	case "spdy":
		return bySPDY
	}
	return portforward.NewFallbackDialerForStreaming(byTunnel, bySPDY, shouldFallBack)
}

type sizes struct{ left []remotecommand.TerminalSize }

func (s *sizes) Next() *remotecommand.TerminalSize {
	if len(s.left) == 0 {
		return nil
	}
	size := s.left[0]
	s.left = s.left[1:]
	return &size
}

type command struct {
	name      string
	words     []string
	container string
	in        string // no stdin if it is "-"
	noOut     bool
	sizes     []remotecommand.TerminalSize
	attach    bool
}

func (w way) run(c command) {
	tty := len(c.sizes) > 0
	hasIn, hasOut, hasErr := c.in != "-", !c.noOut, !tty
	target := w.url("exec", &corev1.PodExecOptions{
		Stdin: hasIn, Stdout: hasOut, Stderr: hasErr, TTY: tty, Container: c.container, Command: c.words,
	})
	if c.attach {
		target = w.url("attach", &corev1.PodAttachOptions{
			Stdin: hasIn, Stdout: hasOut, Stderr: hasErr, TTY: tty, Container: c.container,
		})
	}
	var out, errOut bytes.Buffer
	options := remotecommand.StreamOptions{Tty: tty}
	if hasIn {
		options.Stdin = strings.NewReader(c.in)
	}
	if hasOut {
		options.Stdout = &out
	}
	if hasErr {
		options.Stderr = &errOut
	}
	if tty {
		options.TerminalSizeQueue = &sizes{left: c.sizes}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := w.executor(target).StreamWithContext(ctx, options)
	text := out.String()
	if len(text) > 1000 {
		text = fmt.Sprintf("%d bytes, as sent: %v", len(text), text == c.in)
	}
	result{Case: w.name + "/" + c.name, Out: text, Err: errOut.String(), Error: textOf(err)}.print()
}

func (w way) commands() {
	w.run(command{name: "both outputs and a code", words: []string{"say", "out", "err", "3"}, in: "-"})
	w.run(command{name: "success", words: []string{"say", "out", "err", "0"}, in: "-"})
	w.run(command{name: "no stdout", words: []string{"say", "out", "err", "0"}, in: "-", noOut: true})
	w.run(command{name: "stdin", words: []string{"cat"}, in: "line one\nline two\n"})
	w.run(command{name: "empty stdin", words: []string{"cat"}, in: ""})
	w.run(command{name: "much", words: []string{"cat"}, in: strings.Repeat("0123456789abcdef", 50_000)})
	w.run(command{name: "stdin that nobody reads", words: []string{"say", "out", "err", "7"}, in: "ignored"})
	w.run(command{name: "a terminal", words: []string{"sizes"}, in: "-", sizes: []remotecommand.TerminalSize{
		{Width: 80, Height: 24}, {Width: 132, Height: 43},
	}})
	w.run(command{name: "a failure", words: []string{"fail", "no such program"}, in: "-"})
	w.run(command{name: "the largest code", words: []string{"say", "out", "err", "255"}, in: "-"})
	w.run(command{name: "an unknown container", words: []string{"cat"}, in: "-", container: "nope"})
	w.run(command{name: "attach", attach: true, in: "attached\n"})
}

// Sends a text to a local port and reads until the end.
func talk(port uint16, text string) (string, error) {
	connection, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), patience)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	check(connection.SetDeadline(time.Now().Add(patience)))
	if _, err := io.WriteString(connection, text); err != nil {
		return "", err
	}
	check(connection.(*net.TCPConn).CloseWrite())
	back, err := io.ReadAll(connection)
	return string(back), err
}

// Forwards ports while the function runs, and returns why that has ended.
func (w way) forward(remote []string, use func([]portforward.ForwardedPort)) error {
	stop, ready, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	specs := []string{}
	for _, port := range remote {
		specs = append(specs, "0:"+port)
	}
	forwarder := must(portforward.NewOnAddressesForStreaming(w.dialer(), []string{"127.0.0.1"}, specs, stop, ready, io.Discard, io.Discard))
	go func() { ended <- forwarder.ForwardPorts() }()
	select {
	case <-ready:
	case err := <-ended:
		return err
	case <-time.After(patience):
		return errors.New("not ready in time")
	}
	use(must(forwarder.GetPorts()))
	select {
	case err := <-ended:
		return err
	case <-time.After(100 * time.Millisecond):
	}
	close(stop)
	return <-ended
}

func (w way) ports() {
	var text string
	err := w.forward([]string{"80", "81"}, func(ports []portforward.ForwardedPort) {
		echo, goodbye := ports[0].Local, ports[1].Local
		var all sync.WaitGroup
		answers := make([]string, 5)
		for i := range answers {
			all.Add(1)
			go func() {
				defer all.Done()
				answers[i] = must(talk(echo, fmt.Sprintf("connection %d", i)))
			}()
		}
		all.Wait()
		large := strings.Repeat("0123456789abcdef", 20_000)
		answers = append(answers, fmt.Sprint(must(talk(echo, large)) == large), must(talk(goodbye, "")))
		text = strings.Join(answers, ", ")
	})
	result{Case: w.name + "/forward", Out: text, Error: textOf(err)}.print()

	text = ""
	err = w.forward([]string{"9999"}, func(ports []portforward.ForwardedPort) {
		text, _ = talk(ports[0].Local, "")
		// The whole forwarder ends with it.
		time.Sleep(100 * time.Millisecond)
	})
	result{Case: w.name + "/forward to a refused port", Out: text, Error: textOf(err)}.print()
}

// Reads lines of a log that is followed, while commands write it.
func logs(w way) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.run(command{name: "write the log", words: []string{"log", "one\ntwo\n"}, in: "-"})
	lines := int64(1)
	options := &corev1.PodLogOptions{Follow: true, TailLines: &lines}
	stream := must(w.client().CoreV1().Pods("default").GetLogs("web", options).Stream(ctx))
	defer stream.Close()
	first := make([]byte, 4)
	_, err := io.ReadFull(stream, first)
	check(err)
	w.run(command{name: "write more", words: []string{"log", "three\n"}, in: "-"})
	w.run(command{name: "end the log", words: []string{"endlog"}, in: "-"})
	rest := must(io.ReadAll(stream))
	result{Case: "logs", Out: string(first) + string(rest)}.print()
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: streaming_program KUBECONFIG TOKEN")
		os.Exit(2)
	}
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.QPS = -1
	limited := rest.AnonymousClientConfig(config)
	limited.BearerToken = os.Args[2]
	limited.QPS = -1
	ways := []way{{"websocket", config}, {"spdy", config}, {"fallback", limited}}
	for _, each := range ways {
		each.commands()
		each.ports()
	}
	logs(ways[0])
}
