#ifndef CLIENTSET_REST_CONFIG_H_
#define CLIENTSET_REST_CONFIG_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/exec_config.h"
#include "clientset/rest/oidc_config.h"
#include "clientset/rest/rate_limiter.h"
#include "clientset/rest/trace.h"
#include "clientset/rest/warnings.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// The identity to impersonate. The server must allow it. (client-go: `rest.ImpersonationConfig`)
struct ImpersonationConfig {
  // If empty, nobody is impersonated, and the other fields must be empty as well.
  std::string user_name = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  // Keys must be in lower case.
  std::map<std::string, std::vector<std::string>> extra = {};

  friend bool operator==(const ImpersonationConfig&, const ImpersonationConfig&) = default;
};

// A client's certificate, followed by intermediate ones, and its key, in PEM.
struct ClientKeyPair {
  std::string certificate = {};
  base::Secret key = {};
};

// TLS settings. For each pair of fields, the data take precedence over the file. The authorities'
// file is read again every five minutes, and so are certificate and key if both are files.
// (client-go: `rest.TLSClientConfig`)
struct TlsClientConfig {
  // Accepts any server certificate. For tests only; must not be combined with `ca_file` or
  // `ca_data`.
  bool insecure = false;
  // The name that the server's certificate must have. If empty, the host's name.
  std::string server_name = {};

  // The client's certificate and key, in PEM. Either both must be set or neither.
  std::string cert_file = {};
  std::string key_file = {};
  std::string cert_data = {};
  base::Secret key_data = {};
  // Provides certificate and key in place of the four fields above, which must then be empty: for a
  // certificate that the program renews itself, as certificate::CertificateManager does. Called for
  // each request, on its thread, perhaps on several threads at a time; it must neither block nor
  // use the client. As long as it returns the same object, nothing has changed. Null: no
  // certificate yet. Must not be combined with `exec` or `oidc`. Default: none. (client-go:
  // `transport.TLSConfig.GetCertHolder`)
  std::function<std::shared_ptr<const ClientKeyPair>()> get_key_pair = {};

  // The certificate authorities to trust, in PEM. If empty, those of the system.
  std::string ca_file = {};
  std::string ca_data = {};
};

// How to connect to a cluster, and with which credentials. (client-go: `rest.Config`)
//
// Fill it by hand or get it from clientcmd::LoadConfig or InClusterConfig, and pass it to
// MakeClient. It is a value: changing it after MakeClient has no effect. It contains secrets and
// cannot be printed; use RedactedString.
//
// These fields of client-go's do not exist here: `APIPath`, `GroupVersion` and
// `NegotiatedSerializer` (each request names its resource), `AuthProvider` (use oidc, the only
// provider that is left) and `NextProtos` (use http_version).
struct Config {
  // The server: "https://10.0.0.1:6443", "10.0.0.1:6443" or "https://proxy/clusters/a". Must not be
  // empty. Without a scheme, it is https if `tls` has authorities, a certificate or `insecure`, and
  // http otherwise. A path is put before the path of every request; it needs a scheme. Over plain
  // http, credentials are refused (INVALID_ARGUMENT) unless the host is a loopback address.
  std::string host = {};

  // Set either username and password, or bearer_token, bearer_token_file or both. A client
  // certificate in `tls` may be used in addition or alone. `exec` is used only if none of these is
  // set, and `oidc` only if there is neither a password nor a token. Set at most one of these two.
  // An Authorization header that a request already has is never replaced.
  std::string username = {};
  base::Secret password = {};
  base::Secret bearer_token = {};
  // Read again about once a minute. A token that was read from it takes precedence over
  // bearer_token.
  std::string bearer_token_file = {};
  std::optional<ExecConfig> exec = {};
  // Which exec plug-ins may be run.
  ExecPolicy exec_policy = {};
  std::optional<OidcConfig> oidc = {};

  ImpersonationConfig impersonate = {};
  TlsClientConfig tls = {};

  // The proxy, as in ConnectionOptions::proxy_url. Default: unset, which means the proxy of the
  // environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). An empty string means no proxy.
  std::optional<std::string> proxy_url = {};
  // Opens the connections to the server, also those of upgrades (exec, port-forward):
  // UnixSocketDialer, or your own (net/httpclient/connection_dialer.h). TLS is done above it as
  // `tls` says, and no proxy is used. Clients share connections only if they have the same object.
  // Default: null, which means TCP. (client-go: `Dial`)
  std::shared_ptr<httpclient::ConnectionDialer> dialer = {};
  httpclient::HttpVersion http_version = httpclient::HttpVersion::kAny;
  // Closes the connections that show a former client certificate as soon as a request has got
  // another one, from files, a plug-in or tls.get_key_pair. Requests on them fail with a transport
  // error (kLost): the client repeats GETs and watches, and informers go on where they were, but a
  // write fails if the server may have seen it, and streams and upgrades (logs, exec, port-forward)
  // end. Set it if nothing may go on under the former certificate, for example because it was
  // revoked. The connections of other clients with an equal certificate and the same `transport`
  // are closed, too, and `transport` must implement CloseConnections. Other tokens or authorities
  // close none. Default: false: requests end on the connections that they have. (client-go always
  // closes them)
  bool close_connections_on_rotation = false;

  // If empty, DefaultUserAgent().
  std::string user_agent = {};
  // Do not ask the server for gzip. (client-go: `DisableCompression`)
  bool disable_compression = false;
  // Set it to "application/json" to use JSON everywhere. Default: empty, which means protobuf for
  // kinds that have it, and JSON for all others and where the server does not offer protobuf.
  std::string content_type = {};

  // The client-side rate limit: average requests per second and maximum burst, over all copies of
  // the client. Default: no limit, because API servers protect themselves (docs/rest.md). If
  // qps is set, burst must be set too. If rate_limiter is set, it is used instead of qps and burst.
  double qps = 0;
  int burst = 0;
  std::shared_ptr<RateLimiter> rate_limiter = {};

  // The time limit for a whole request, including retries and the body; for watches and streams,
  // until the response begins. The server is told as well (?timeout=). Default: zero, which means
  // that only the context limits the request.
  absl::Duration timeout = absl::ZeroDuration();

  // Receives the server's warnings. If null, each text is logged once per client.
  std::shared_ptr<WarningHandler> warning_handler = {};

  // If null, the client creates a transport of its own. Clients that are given the same transport
  // share its I/O thread and its connections.
  std::shared_ptr<httpclient::Transport> transport = {};
  // Wraps the transport. The wrapper sees the requests below credentials, logging and metrics, with
  // all headers set.
  httpclient::TransportWrapper wrap_transport = {};

  // Receives metrics under client-go's names. Default: they are dropped.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  // Records a span for each request. Default: null, which means no tracing.
  std::shared_ptr<Tracer> tracer = {};
};

// Adds a wrapper around config.wrap_transport: the new wrapper sees requests first. (client-go:
// `Config.Wrap`)
void Wrap(Config& config, httpclient::TransportWrapper wrapper);

// Returns a copy without credentials and impersonation, for talking to the same server as somebody
// else. (client-go: `rest.AnonymousClientConfig`)
Config AnonymousConfig(const Config& config);

// Returns the configuration as text for people, without its secrets. (client-go: `Config.String`)
std::string RedactedString(const Config& config);

// Returns "program/v1.2.3 (linux/amd64) kubernetes/unknown": the name of this program, the
// Kubernetes release that the API types come from, and the platform. (client-go:
// `rest.DefaultKubernetesUserAgent`)
const std::string& DefaultUserAgent();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_CONFIG_H_
