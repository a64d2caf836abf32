// Command clientcmd_oracle answers what client-go's clientcmd makes of kubeconfig files. It reads lines
// "FUNCTION<tab>CASE in hexadecimal", where a case is JSON (type request), and answers each with a line.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kube/tests/oracle"
)

// Paths in it begin with @ROOT@, the folder of the case; so do those in answers.
type request struct {
	Root          string
	Env           map[string]string
	Kubeconfig    string
	Default       bool
	InCluster     bool
	Overrides     map[string]string
	Edits         []string
	Relativize    bool
	ServerDefault string
}

func (r *request) path(text string) string { return strings.ReplaceAll(text, "@ROOT@", r.Root) }

func (r *request) setUp() {
	for _, name := range []string{"KUBECONFIG", "HOME", "POD_NAMESPACE", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"} {
		os.Setenv(name, r.path(r.Env[name]))
	}
	clientcmd.RecommendedHomeFile = filepath.Join(os.Getenv("HOME"), ".kube", "config")
	if err := os.Chdir(r.Root); err != nil {
		panic(err)
	}
}

func (r *request) rules() *clientcmd.ClientConfigLoadingRules {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.MigrationRules = nil
	rules.ExplicitPath = r.path(r.Kubeconfig)
	return rules
}

func (r *request) pathOptions() *clientcmd.PathOptions {
	options := clientcmd.NewDefaultPathOptions()
	options.LoadingRules.MigrationRules = nil
	options.LoadingRules.ExplicitPath = r.path(r.Kubeconfig)
	options.GlobalFile = clientcmd.RecommendedHomeFile
	return options
}

func (r *request) overrides() *clientcmd.ConfigOverrides {
	o := &clientcmd.ConfigOverrides{ClusterDefaults: clientcmdapi.Cluster{Server: r.ServerDefault}}
	for key, value := range r.Overrides {
		value = r.path(value)
		switch key {
		case "context":
			o.CurrentContext = value
		case "cluster":
			o.Context.Cluster = value
		case "user":
			o.Context.AuthInfo = value
		case "namespace":
			o.Context.Namespace = value
		case "server":
			o.ClusterInfo.Server = value
		case "tls-server-name":
			o.ClusterInfo.TLSServerName = value
		case "insecure":
			o.ClusterInfo.InsecureSkipTLSVerify = true
		case "ca":
			o.ClusterInfo.CertificateAuthority = value
		case "proxy-url":
			o.ClusterInfo.ProxyURL = value
		case "cert":
			o.AuthInfo.ClientCertificate = value
		case "key":
			o.AuthInfo.ClientKey = value
		case "token":
			o.AuthInfo.Token = value
		case "username":
			o.AuthInfo.Username = value
		case "password":
			o.AuthInfo.Password = value
		case "as":
			o.AuthInfo.Impersonate = value
		case "as-group":
			o.AuthInfo.ImpersonateGroups = []string{value}
		case "timeout":
			o.Timeout = value
		default:
			panic(key)
		}
	}
	return o
}

func (r *request) answer(text string) string {
	return hex.EncodeToString([]byte(strings.ReplaceAll(text, r.Root, "@ROOT@")))
}

// What upstream says of what users got wrong; of the rest, that it is an error.
func describe(err error) string {
	text := err.Error()
	if clientcmd.IsConfigurationInvalid(err) || strings.HasSuffix(text, "does not exist") {
		return "error: " + text
	}
	return "error"
}

func resolve(r *request) string {
	config := deferred(r)
	restConfig, err := config.ClientConfig()
	out := ""
	if err != nil {
		out = describe(err)
	} else {
		out = describeConfig(restConfig)
	}
	namespace, overridden, err := config.Namespace()
	if err != nil {
		return out + "\nnamespace " + describe(err)
	}
	return out + fmt.Sprintf("\nnamespace %q %v", namespace, overridden)
}

func flags(r *request) string {
	config, err := clientcmd.BuildConfigFromFlags(r.path(r.Overrides["server"]), r.path(r.Kubeconfig))
	if err != nil {
		return describe(err)
	}
	return describeConfig(config)
}

func main() {
	functions := map[string]func(*request) string{
		"resolve": resolve, "flags": flags, "validate": validate, "usable": usable, "merged": merged,
		"write": write, "flatten": flatten, "minify": minify, "shorten": shorten, "redact": redact,
		"modify": modify, "url": proxies, "client": client,
	}
	oracle.ServeAll(func(function, text string) (string, error) {
		r := &request{}
		oracle.Check(json.Unmarshal([]byte(text), r))
		r.setUp()
		return r.answer(functions[function](r)), nil
	})
}
