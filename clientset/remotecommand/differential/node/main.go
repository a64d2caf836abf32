// Command streaming_node is a node with pods and, in front of it, API servers, for tests of clients that exec, attach and forward
// ports. What clients talk to is Kubernetes' own code: the translator and the tunnel of the API server, the proxies of the API
// server and of the kubelet, and the streaming server of container runtimes. What is behind it stands for containers: commands.go
// and services.go. It does not imitate the kubelet's other duties, nor the API server's authorization.
//
//	streaming_node [-dir DIR]
//
// When it is ready, it prints a line: a folder with these files, which is DIR or a temporary one. It ends with its standard input.
//
//	MODE.kubeconfig	a client's configuration for an API server (servers, below); the address ends with /MODE. A client whose
//		address ends with /MODE/cut/N loses its connections N bytes after the header of an upgrade request
//	kubelet		the address of a kubelet, HOST:PORT, for a kube-apiserver
//	kubelet-extended	that of a kubelet that takes WebSockets itself
//	ca.crt	who has signed their certificates, and must have signed those of their clients
//	apiserver.crt, apiserver.key	a client's
//	log	what Kubernetes' code has to say
package main

import (
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/klog/v2"

	"kube/tests/oracle"
)

// The token that the API servers ask for.
const token = "streaming-token"

// newRuntime returns the streaming server of a container runtime that speaks these versions by SPDY. It has a port of its own.
func newRuntime(containers *containers, protocols []string) streaming.Server {
	listener := listen()
	config := streaming.DefaultConfig
	config.BaseURL = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	config.SupportedRemoteCommandProtocols = protocols
	config.SupportedPortForwardProtocols = portforward.SupportedProtocols
	server, err := streaming.NewServer(config, containers)
	oracle.Check(err)
	go serve(&http.Server{Handler: server}, listener)
	return server
}

func listen() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	oracle.Check(err)
	return listener
}

func serve(server *http.Server, listener net.Listener) {
	server.ErrorLog = errorLog()
	if server.TLSConfig == nil {
		oracle.Check(server.Serve(listener))
	}
	oracle.Check(server.ServeTLS(listener, "", ""))
}

// startKubelet returns the kubelet's address.
func startKubelet(authority *authority, k *kubelet) string {
	listener := listen()
	go serve(&http.Server{Handler: k.handler(), TLSConfig: authority.kubeletConfig()}, listener)
	return listener.Addr().String()
}

// servers returns the API servers by mode.
func servers(authority *authority, containers *containers) (map[string]*apiServer, map[string]string) {
	plain := &kubelet{runtime: newRuntime(containers, remotecommand.SupportedStreamingProtocols)}
	extended := &kubelet{runtime: plain.runtime, translates: true}
	addresses := map[string]string{
		"kubelet":          startKubelet(authority, plain),
		"kubelet-extended": startKubelet(authority, extended),
	}
	transport := &http.Transport{TLSClientConfig: authority.clientConfig()}
	with := func(server apiServer) *apiServer {
		server.transport = transport
		if server.kubelet == nil {
			server.kubelet, server.address = plain, addresses["kubelet"]
		}
		return &server
	}
	modes := map[string]*apiServer{
		// As Kubernetes 1.31 and later: the API server takes WebSockets and speaks SPDY with kubelets.
		"translating": with(apiServer{translates: true}),
		// The same with kubelets that take WebSockets themselves, to which they are passed on.
		"extended": with(apiServer{kubelet: extended, address: addresses["kubelet-extended"]}),
		// As Kubernetes before 1.29: WebSockets in version 4, which cannot end stdin, and no tunnel.
		"old": with(apiServer{}),
		// Nothing between the API server and the container runtime: for measurements.
		"direct": with(apiServer{translates: true, kubelet: plain}),
		// Users may not GET what streams.
		"create-only": with(apiServer{translates: true, createOnly: true}),
	}
	for name, protocol := range map[string]string{
		"v3": remotecommand.StreamProtocolV3Name,
		"v2": remotecommand.StreamProtocolV2Name,
		"v1": remotecommand.StreamProtocolV1Name,
	} {
		// As older kubelets: one version by SPDY.
		k := &kubelet{runtime: newRuntime(containers, []string{protocol})}
		modes[name] = with(apiServer{kubelet: k, address: startKubelet(authority, k)})
	}
	return modes, addresses
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: node
clusters:
- name: node
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: user
  user:
    token: %s
contexts:
- name: node
  context:
    cluster: node
    user: user
    namespace: default
`

func save(folder, name, text string) {
	oracle.Check(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
}

// start starts everything, and writes the files.
func start(folder string) {
	authority := newAuthority()
	containers := &containers{services: startServices()}
	modes, addresses := servers(authority, containers)
	mux := http.NewServeMux()
	for name, server := range modes {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name, server.handler()))
	}
	listener := listen()
	go serve(&http.Server{Handler: mux, ConnContext: withConnection, TLSConfig: authority.serverConfig()},
		cuttableListener{listener})
	for name := range modes {
		address := fmt.Sprintf("https://%s/%s", listener.Addr(), name)
		save(folder, name+".kubeconfig",
			fmt.Sprintf(kubeconfig, address, base64.StdEncoding.EncodeToString(authority.certificates), token))
	}
	for name, address := range addresses {
		save(folder, name, address)
	}
	certificate, key := authority.issue("kube-apiserver")
	save(folder, "ca.crt", string(authority.certificates))
	save(folder, "apiserver.crt", string(certificate))
	save(folder, "apiserver.key", string(key))
}

func main() {
	folder := flag.String("dir", "", "folder for the files; default: a temporary one, which is removed at the end")
	flag.Parse()
	temporary := *folder == ""
	if temporary {
		made, err := os.MkdirTemp("", "streaming-node-")
		oracle.Check(err)
		*folder = made
	}
	oracle.Check(os.MkdirAll(*folder, 0o700))
	log, err := os.Create(filepath.Join(*folder, "log"))
	oracle.Check(err)
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(log, nil)))
	start(*folder)
	fmt.Println(*folder)
	_, err = io.Copy(io.Discard, os.Stdin)
	oracle.Check(err)
	if temporary {
		oracle.Check(os.RemoveAll(*folder))
	}
}
