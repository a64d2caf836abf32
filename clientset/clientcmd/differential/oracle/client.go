package main

import (
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strings"

	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Keeps the headers that would go out, and sends nothing.
type recorder struct{ sent http.Header }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.sent = request.Header.Clone()
	return nil, errors.New("there is no network")
}

// What net/http refuses before it sends a request.
func sendable(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return (r < ' ' && r != '\t') || r == 0x7f })
}

// Whether a client can be made that can send requests, and as whom it sends them.
func client(r *request) string {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(r.rules(), r.overrides()).ClientConfig()
	if err != nil {
		return "no configuration"
	}
	recorder := &recorder{}
	config.WrapTransport = func(http.RoundTripper) http.RoundTripper { return recorder }
	url, _, err := restclient.DefaultServerUrlFor(config)
	if err != nil {
		return "no client"
	}
	client, err := restclient.HTTPClientFor(config)
	if err != nil {
		return "no client"
	}
	if url.Scheme != "http" && url.Scheme != "https" {
		return "no client" // net/http refuses its requests
	}
	if config.ExecProvider != nil {
		return "client with a plug-in"
	}
	// Files of certificates are read when a connection is made.
	if config, err := restclient.TLSConfigFor(config); err != nil {
		return "no client"
	} else if config != nil && config.GetClientCertificate != nil {
		if _, err := config.GetClientCertificate(nil); err != nil {
			return "no client"
		}
	}
	request, err := http.NewRequest("GET", url.String(), nil)
	if err != nil {
		return "no client"
	}
	client.Do(request)
	lines := []string{}
	for name, values := range recorder.sent {
		name = strings.ToLower(name)
		if name != "authorization" && !strings.HasPrefix(name, "impersonate-") {
			continue
		}
		for _, value := range values {
			if !sendable(value) {
				return "no client"
			}
			lines = append(lines, fmt.Sprintf("%s: %q", name, value))
		}
	}
	sort.Strings(lines)
	return "client\n" + strings.Join(lines, "\n")
}
