package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"unsafe"

	"k8s.io/apimachinery/pkg/runtime"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// The cluster that the program is in, with a service account that the case says is there.
type inCluster struct {
	clientcmd.InClusterConfig
	possible bool
}

func (c inCluster) Possible() bool { return c.possible }

// Makes a member that others cannot see settable.
func open(value reflect.Value) reflect.Value {
	return reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
}

func deferred(r *request) clientcmd.ClientConfig {
	rules := r.rules()
	if r.Default {
		rules.DefaultClientConfig = clientcmd.NewDefaultClientConfig(*clientcmdapi.NewConfig(),
			&clientcmd.ConfigOverrides{ClusterDefaults: clientcmdapi.Cluster{Server: r.ServerDefault}})
	}
	config := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, r.overrides())
	member := open(reflect.ValueOf(config).Elem().FieldByName("icc"))
	real := member.Interface().(clientcmd.InClusterConfig)
	provider := func() (*restclient.Config, error) {
		return &restclient.Config{
			Host: "https://in-cluster", BearerToken: "pod-token", BearerTokenFile: "/pod/token",
			TLSClientConfig: restclient.TLSClientConfig{CAFile: "/pod/ca.crt"},
		}, nil
	}
	open(reflect.ValueOf(real).Elem().FieldByName("inClusterConfigProvider")).Set(reflect.ValueOf(provider))
	possible := r.InCluster && os.Getenv("KUBERNETES_SERVICE_HOST") != "" && os.Getenv("KUBERNETES_SERVICE_PORT") != ""
	member.Set(reflect.ValueOf(inCluster{real, possible}))
	return config
}

func describeExec(e *clientcmdapi.ExecConfig) string {
	env := []string{}
	for _, v := range e.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	extension := ""
	if e.Config != nil {
		extension = string(e.Config.(*runtime.Unknown).Raw)
	}
	return fmt.Sprintf("\nexec %q %q %q %q %q %v %q %q", e.Command, strings.Join(e.Args, "|"), strings.Join(env, "|"),
		e.APIVersion, e.InstallHint, e.ProvideClusterInfo, extension, string(e.InteractiveMode))
}

func describeConfig(c *restclient.Config) string {
	proxy := "none"
	if c.Proxy != nil {
		u, err := c.Proxy(&http.Request{})
		if err != nil {
			panic(err)
		}
		proxy = u.String()
	}
	extra := []string{}
	for key, values := range c.Impersonate.Extra {
		extra = append(extra, key+"="+strings.Join(values, "|"))
	}
	sort.Strings(extra)
	t := c.TLSClientConfig
	out := fmt.Sprintf("host %q user %q %q token %q %q", c.Host, c.Username, c.Password, c.BearerToken, c.BearerTokenFile)
	out += fmt.Sprintf("\nas %q %q %q %q", c.Impersonate.UserName, c.Impersonate.UID, strings.Join(c.Impersonate.Groups, "|"), strings.Join(extra, ";"))
	out += fmt.Sprintf("\ntls %v %q cert %q %q key %q %q ca %q %q", t.Insecure, t.ServerName, t.CertFile, t.CertData, t.KeyFile, t.KeyData, t.CAFile, t.CAData)
	out += fmt.Sprintf("\nproxy %q compress %v timeout %d", proxy, !c.DisableCompression, c.Timeout.Nanoseconds())
	if c.ExecProvider != nil {
		out += describeExec(c.ExecProvider)
	}
	if c.AuthProvider != nil {
		return "error"
	}
	return out
}

// Messages come in any order from maps.
func sorted(err error) string {
	if err == nil {
		return "ok"
	}
	text := strings.TrimPrefix(err.Error(), "invalid configuration: ")
	if strings.HasPrefix(text, "[") {
		text = text[1 : len(text)-1]
	}
	parts := strings.Split(text, ", ")
	sort.Strings(parts)
	return strings.Join(parts, "\n")
}

func validate(r *request) string {
	config, err := r.rules().Load()
	if err != nil {
		return "error"
	}
	return sorted(clientcmd.Validate(*config))
}

func usable(r *request) string {
	config, err := r.rules().Load()
	if err != nil {
		return "error"
	}
	return sorted(clientcmd.ConfirmUsable(*config, r.Overrides["context"]))
}

func encode(config *clientcmdapi.Config) string {
	data, err := clientcmd.Write(*config)
	if err != nil {
		return "error"
	}
	return string(data)
}

func merged(r *request) string {
	config, err := r.rules().Load()
	if err != nil {
		return "error"
	}
	merged, err := clientcmd.NewNonInteractiveClientConfig(*config, "", r.overrides(), nil).MergedRawConfig()
	if err != nil {
		return describe(err)
	}
	return encode(&merged)
}

// The files of a case as they are now.
func list(root string) string {
	out := ""
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			data, _ := os.ReadFile(path)
			link, _ := os.Readlink(path)
			out += fmt.Sprintf("%s %s\n%s", path, link, data)
		}
		return nil
	})
	return out
}
