// Command exec_oracle answers what client-go makes of a credential plug-in. A request is a function's name, a tab, and a
// configuration, JSON in hexadecimal; an answer is a line.
//
//	credentials	-> the header Authorization and the certificates that a server gets, or "error: …"
//	info		-> KUBERNETES_EXEC_INFO as the plug-in got it, with its keys sorted, or "error: …"
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kube/tests/oracle"
)

type configuration struct {
	Plugin             string
	Env                [][2]string
	APIVersion         string
	ProvideClusterInfo bool
	InfoFile           string

	Host, ServerName, CAData, ProxyURL, Extension string
	Insecure, DisableCompression                  bool
}

func (c configuration) restConfig() (*rest.Config, error) {
	exec := &clientcmdapi.ExecConfig{
		Command: c.Plugin, Args: []string{"print"}, APIVersion: c.APIVersion,
		ProvideClusterInfo: c.ProvideClusterInfo, InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	for _, env := range c.Env {
		exec.Env = append(exec.Env, clientcmdapi.ExecEnvVar{Name: env[0], Value: env[1]})
	}
	if c.Extension != "" {
		// As a kubeconfig's extension is read.
		exec.Config = &runtime.Unknown{Raw: []byte(c.Extension), ContentType: runtime.ContentTypeJSON}
	}
	config := &rest.Config{
		Host: c.Host, ExecProvider: exec, DisableCompression: c.DisableCompression,
		TLSClientConfig: rest.TLSClientConfig{Insecure: c.Insecure, ServerName: c.ServerName, CAData: []byte(c.CAData)},
	}
	if c.ProxyURL != "" {
		proxy, err := url.Parse(c.ProxyURL)
		if err != nil {
			return nil, err
		}
		config.Proxy = http.ProxyURL(proxy)
	}
	return config, nil
}

func get(config *rest.Config) (string, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest("GET", config.Host, nil)
	if err != nil {
		return "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// A server that answers with the credentials it was shown.
func startServer() *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s\n", r.Header.Get("Authorization"))
		for _, certificate := range r.TLS.PeerCertificates {
			pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
		}
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	return server
}

func credentials(c configuration, server *httptest.Server) (string, error) {
	c.Host = server.URL
	c.Insecure = true
	config, err := c.restConfig()
	if err != nil {
		return "", err
	}
	return get(config)
}

func info(c configuration) (string, error) {
	config, err := c.restConfig()
	if err != nil {
		return "", err
	}
	_, failed := get(config) // there is no such server
	text, err := os.ReadFile(c.InfoFile)
	if err != nil {
		return "", failed
	}
	os.Remove(c.InfoFile)
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return "", err
	}
	var sorted bytes.Buffer
	encoder := json.NewEncoder(&sorted)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(value)
	return strings.TrimSpace(sorted.String()), err
}

func main() {
	server := startServer()
	oracle.ServeAll(func(function, text string) (string, error) {
		var c configuration
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return "", err
		}
		if function == "info" {
			return info(c)
		}
		return credentials(c, server)
	})
}
