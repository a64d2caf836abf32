// Command rest_oracle answers what client-go's REST client makes of something. A request is a function's name, a tab, and
// its argument in hexadecimal, JSON where it has parts; an answer is a line.
//
//	url		a request -> the URL that is sent, or "refused" and the error's text in hexadecimal
//	try		a request and what its tries are answered with -> how often it is sent, how long it waits, how it ends
//	warning		a header Warning -> code, agent and text of each warning
//	agent		a program's path -> the user agent
//	impersonate	an impersonation -> the headers
//	server		a host -> the URL of "/x" there
//	proxy		NO_PROXY, then URLs, a line each -> a digit for each URL: whether it has a proxy
//
// Texts within the JSON that may be any bytes are in hexadecimal too.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sort"
	"strings"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"kube/tests/oracle"
)

// Bytes, in JSON as hexadecimal.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var digits string
	if err := json.Unmarshal(data, &digits); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits)
	*t = text(decoded)
	return err
}

type request struct {
	Base, Verb, Group, Version, Resource, Namespace, Name, Path text
	HasNamespace, HasName                                       bool
	Subresource                                                 []text
	Params                                                      [][2]text
	TimeoutNanoseconds                                          int64
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func clientFor(base string, version schema.GroupVersion, f roundTripper) (*rest.RESTClient, error) {
	baseURL, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	apiPath := "/apis"
	if version.Group == "" {
		apiPath = "/api"
	}
	content := rest.ClientContentConfig{
		ContentType:  "application/json",
		GroupVersion: version,
		Negotiator:   runtime.NewClientNegotiator(scheme.Codecs.WithoutConversion(), version),
	}
	return rest.NewRESTClient(baseURL, rest.DefaultVersionedAPIPath(apiPath, version), content, nil, &http.Client{Transport: f})
}

func answer(status int, header http.Header, body string, r *http.Request) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

func doURL(argument string) (string, error) {
	var q request
	if err := json.Unmarshal([]byte(argument), &q); err != nil {
		return "", err
	}
	sent := ""
	client, err := clientFor(string(q.Base), schema.GroupVersion{Group: string(q.Group), Version: string(q.Version)},
		func(r *http.Request) (*http.Response, error) {
			sent = r.URL.String()
			return answer(200, nil, "", r), nil
		})
	if err != nil {
		return "", err
	}
	req := client.Verb(string(q.Verb))
	if q.Path != "" {
		req.RequestURI(string(q.Path))
		if req.Error() != nil {
			return "", errors.New("path")
		}
	} else {
		if q.HasNamespace {
			req.Namespace(string(q.Namespace))
		}
		if q.Resource != "" {
			req.Resource(string(q.Resource))
		}
		if q.HasName {
			req.Name(string(q.Name))
		}
		if len(q.Subresource) > 0 {
			var elements []string
			for _, element := range q.Subresource {
				elements = append(elements, string(element))
			}
			req.SubResource(elements...)
		}
	}
	for _, param := range q.Params {
		req.Param(string(param[0]), string(param[1]))
	}
	if q.TimeoutNanoseconds != 0 {
		req.Timeout(time.Duration(q.TimeoutNanoseconds))
	}
	if err := req.Do(context.Background()).Error(); err != nil {
		return "refused " + hex.EncodeToString([]byte(err.Error())), nil
	}
	return sent, nil
}

type try struct {
	Status     int
	RetryAfter text
	Error      string
	Body       text
}

type script struct {
	Verb, Rule string
	MaxRetries int
	Body       text
	Tries      []try
}

type timeout struct{}

func (timeout) Error() string   { return "net/http: timeout awaiting response headers" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

var transportErrors = map[string]error{
	"reset":   &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)},
	"refused": &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
	"eof":     io.EOF,
	"lost":    errors.New("http2: client connection lost"),
	"goaway":  errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1"),
	"timeout": timeout{},
	"tls":     errors.New("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
}

// Counts what it is asked to wait, and does not wait.
type countedWait struct{ total time.Duration }

func (w *countedWait) UpdateBackoffWithContext(context.Context, *url.URL, error, int) {}
func (w *countedWait) CalculateBackoffWithContext(context.Context, *url.URL) time.Duration {
	return 0
}
func (w *countedWait) SleepWithContext(_ context.Context, d time.Duration) {
	if d > 0 {
		w.total += d
	}
}

func ending(err error) string {
	var status apierrors.APIStatus
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &status):
		return fmt.Sprintf("%d %s", status.Status().Code, status.Status().Reason)
	default:
		return "transport"
	}
}

func doTry(argument string) (string, error) {
	var s script
	if err := json.Unmarshal([]byte(argument), &s); err != nil {
		return "", err
	}
	attempts, bodies := 0, ""
	client, err := clientFor("http://localhost", schema.GroupVersion{Version: "v1"}, func(r *http.Request) (*http.Response, error) {
		next := s.Tries[min(attempts, len(s.Tries)-1)]
		attempts++
		if r.Body != nil {
			sent, _ := io.ReadAll(r.Body)
			bodies += string(sent) + ","
		}
		if next.Error != "" {
			return nil, transportErrors[next.Error]
		}
		header := http.Header{"Content-Type": {"application/json"}}
		if next.RetryAfter != "" {
			header.Set("Retry-After", string(next.RetryAfter))
		}
		return answer(next.Status, header, string(next.Body), r), nil
	})
	if err != nil {
		return "", err
	}
	waits := &countedWait{}
	req := client.Verb(s.Verb).Resource("pods").Namespace("prod").Name("web-0").BackOffWithContext(waits).MaxRetries(s.MaxRetries)
	if s.Body != "" {
		req.Body([]byte(s.Body))
	}
	end := ""
	switch s.Rule {
	case "do":
		end = ending(req.Do(context.Background()).Error())
	case "stream":
		body, err := req.Stream(context.Background())
		if err == nil {
			body.Close()
		}
		end = ending(err)
	case "watch":
		watcher, err := req.Watch(context.Background())
		end = ending(err)
		if err == nil {
			if fmt.Sprintf("%T", watcher) == "watch.emptyWatch" {
				end = "empty"
			}
			watcher.Stop()
		}
	}
	return fmt.Sprintf("%d attempts, %v, bodies %s, %s", attempts, waits.total, bodies, end), nil
}

func doWarning(argument string) (string, error) {
	warnings, _ := utilnet.ParseWarningHeaders([]string{argument})
	var out []string
	for _, w := range warnings {
		out = append(out, fmt.Sprintf("%d %x %x", w.Code, w.Agent, w.Text))
	}
	return strings.Join(out, ","), nil
}

func doAgent(argument string) (string, error) {
	os.Args[0] = argument
	return rest.DefaultKubernetesUserAgent(), nil
}

func doImpersonate(argument string) (string, error) {
	var c struct {
		User, Uid text
		Groups    []text
		Extra     [][2]text
	}
	if err := json.Unmarshal([]byte(argument), &c); err != nil {
		return "", err
	}
	config := transport.ImpersonationConfig{UserName: string(c.User), UID: string(c.Uid), Extra: map[string][]string{}}
	for _, group := range c.Groups {
		config.Groups = append(config.Groups, string(group))
	}
	for _, extra := range c.Extra {
		config.Extra[string(extra[0])] = append(config.Extra[string(extra[0])], string(extra[1]))
	}
	var lines []string
	tripper := transport.NewImpersonatingRoundTripper(config, roundTripper(func(r *http.Request) (*http.Response, error) {
		for name, values := range r.Header {
			for _, value := range values {
				lines = append(lines, strings.ToLower(name)+": "+value)
			}
		}
		return answer(200, nil, "", r), nil
	}))
	r, err := http.NewRequest("GET", "http://localhost/", nil)
	if err != nil {
		return "", err
	}
	if _, err := tripper.RoundTrip(r); err != nil {
		return "", err
	}
	sort.Strings(lines)
	return hex.EncodeToString([]byte(strings.Join(lines, "\n"))), nil
}

func doServer(argument string) (string, error) {
	tls, host := argument[0] == 't', argument[1:]
	base, _, err := rest.DefaultServerURL(host, "", schema.GroupVersion{}, tls)
	if err != nil {
		return "", err
	}
	client, err := rest.NewRESTClient(base, "", rest.ClientContentConfig{}, nil, nil)
	if err != nil {
		return "", err
	}
	return client.Get().AbsPath("/x").URL().String(), nil
}

// net/http reads its environment once, so each is for a process of its own.
func doProxy(argument string) (string, error) {
	noProxy, urls, _ := strings.Cut(argument, "\n")
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	command := exec.Command(self, append([]string{"proxies"}, strings.Split(urls, "\n")...)...)
	command.Env = []string{"HTTP_PROXY=http://plain:1", "HTTPS_PROXY=http://proxy:1", "NO_PROXY=" + noProxy}
	digits, err := command.Output()
	return string(digits), err
}

func printProxies(urls []string) {
	for _, address := range urls {
		parsed, err := url.Parse(address)
		if err != nil {
			panic(err)
		}
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: parsed})
		switch {
		case err != nil:
			panic(err)
		case proxy == nil:
			fmt.Print("0")
		default:
			fmt.Print("1")
		}
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "proxies" {
		printProxies(os.Args[2:])
		return
	}
	// What client-go logs of errors is nobody's concern.
	os.Stderr, _ = os.Open(os.DevNull)
	oracle.Serve(map[string]func(string) (string, error){
		"url": doURL, "try": doTry, "warning": doWarning, "agent": doAgent, "impersonate": doImpersonate, "server": doServer,
		"proxy": doProxy,
	})
}
