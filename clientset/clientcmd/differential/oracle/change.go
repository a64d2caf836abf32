package main

import (
	"fmt"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func transform(r *request, change func(*clientcmdapi.Config) error) string {
	rules := r.rules()
	rules.DoNotResolvePaths = true
	config, err := rules.Load()
	if err != nil {
		return "error"
	}
	if err := change(config); err != nil {
		return "error"
	}
	return encode(config)
}

func write(r *request) string {
	return transform(r, func(*clientcmdapi.Config) error { return nil })
}
func flatten(r *request) string { return transform(r, clientcmdapi.FlattenConfig) }
func minify(r *request) string  { return transform(r, clientcmdapi.MinifyConfig) }
func shorten(r *request) string {
	return transform(r, func(c *clientcmdapi.Config) error { clientcmdapi.ShortenConfig(c); return nil })
}
func redact(r *request) string { return transform(r, clientcmdapi.RedactSecrets) }

// "VERB KIND NAME VALUE", all at once.
func edit(r *request, config *clientcmdapi.Config) {
	for _, text := range r.Edits {
		f := strings.Split(r.path(text), " ")
		switch f[0] + " " + f[1] {
		case "set current":
			config.CurrentContext = f[2]
		case "set colors":
			config.Preferences.Colors = f[2] == "true"
		case "set cluster":
			if config.Clusters[f[2]] == nil {
				config.Clusters[f[2]] = clientcmdapi.NewCluster()
			}
			config.Clusters[f[2]].Server = "https://edited"
			config.Clusters[f[2]].CertificateAuthority = f[3]
		case "set user":
			if config.AuthInfos[f[2]] == nil {
				config.AuthInfos[f[2]] = clientcmdapi.NewAuthInfo()
			}
			config.AuthInfos[f[2]].Token = "edited"
			config.AuthInfos[f[2]].ClientKey = f[3]
		case "set context":
			if config.Contexts[f[2]] == nil {
				config.Contexts[f[2]] = clientcmdapi.NewContext()
			}
			config.Contexts[f[2]].Namespace = f[3]
		case "delete cluster":
			delete(config.Clusters, f[2])
		case "delete user":
			delete(config.AuthInfos, f[2])
		case "delete context":
			delete(config.Contexts, f[2])
		default:
			panic(text)
		}
	}
}

func modify(r *request) string {
	options := r.pathOptions()
	config, err := options.GetStartingConfig()
	if err != nil {
		return "error"
	}
	edit(r, config)
	out := "ok"
	if err := clientcmd.ModifyConfig(options, *config, r.Relativize); err != nil {
		out = "error"
	}
	return out + "\n" + list(r.Root)
}

// What becomes of a server's and a proxy's address.
func proxies(r *request) string {
	out := ""
	for _, text := range r.Edits {
		config := clientcmdapi.NewConfig()
		config.Clusters["c"] = &clientcmdapi.Cluster{Server: text, ProxyURL: text}
		config.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: "t"}
		config.Contexts["x"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
		config.CurrentContext = "x"
		for _, both := range []bool{true, false} {
			if !both {
				config.Clusters["c"].ProxyURL = ""
			}
			restConfig, err := clientcmd.NewDefaultClientConfig(*config, nil).ClientConfig()
			if err != nil {
				out += fmt.Sprintf("%q error\n", text)
			} else {
				out += fmt.Sprintf("%q %s\n", text, describeConfig(restConfig))
			}
		}
	}
	return out
}
