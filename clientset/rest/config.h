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
#include "clientset/rest/rate_limiter.h"
#include "clientset/rest/trace.h"
#include "clientset/rest/warnings.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// Whom the server is asked to take the client for. It must be allowed to. (ImpersonationConfig)
struct ImpersonationConfig {
  // Empty: nobody, and then the others must be empty as well.
  std::string user_name = {};
  std::string uid = {};
  std::vector<std::string> groups = {};
  // Keys in lower case.
  std::map<std::string, std::vector<std::string>> extra = {};

  friend bool operator==(const ImpersonationConfig&, const ImpersonationConfig&) = default;
};

// (TLSClientConfig) Of each pair the data count, and the file is read where there are none; files
// are read again every five minutes.
struct TlsClientConfig {
  // Takes any certificate of the server. For tests only; not together with authorities.
  bool insecure = false;
  // The name in the server's certificate. Empty: the host.
  std::string server_name = {};

  // PEM. The client's certificate and its key: both or neither.
  std::string cert_file = {};
  std::string key_file = {};
  std::string cert_data = {};
  base::Secret key_data = {};

  // PEM. The authorities to trust. Empty: the system's.
  std::string ca_file = {};
  std::string ca_data = {};
};

// How to talk to one cluster, as whom. (rest.Config)
//
// Fill it by hand, or let clientcmd::LoadConfig or InClusterConfig do it; then MakeClient. A value
// that nothing watches: changes after MakeClient do nothing. It has secrets: printing it is not
// possible, see RedactedString.
//
// Of client-go's fields these are not here: APIPath, GroupVersion and NegotiatedSerializer (a
// request says what it is about), AuthProvider (gone upstream as well), Dial (replace the
// transport), NextProtos (http_version).
struct Config {
  // "https://10.0.0.1:6443", "10.0.0.1:6443", "https://proxy/clusters/a". Without a scheme it is
  // https if `tls` has authorities, a certificate or `insecure`, else http. A path stands
  // before that of all requests. Without TLS no credentials are allowed, but to this machine. Must
  // not be empty.
  std::string host = {};

  // Either user and password, or a token or a file with one; besides them, or instead, a
  // certificate in `tls`; with none of these, a plug-in. An Authorization header of a
  // request is never overwritten.
  std::string username = {};
  base::Secret password = {};
  base::Secret bearer_token = {};
  // Read again once a minute; what was read last goes before bearer_token.
  std::string bearer_token_file = {};
  std::optional<ExecConfig> exec = {};
  // Which plug-ins may be run.
  ExecPolicy exec_policy = {};

  ImpersonationConfig impersonate = {};
  TlsClientConfig tls = {};

  // The proxy. Nothing, the default: what the environment says (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
  // Empty: none. Otherwise as ConnectionOptions::proxy_url.
  std::optional<std::string> proxy_url = {};
  httpclient::HttpVersion http_version = httpclient::HttpVersion::kAny;

  // Empty: DefaultUserAgent().
  std::string user_agent = {};
  // Do not ask for gzip. (DisableCompression)
  bool disable_compression = false;
  // "application/json" for JSON everywhere. Empty, the default: protobuf for kinds that have it, or
  // JSON where the server has no protobuf.
  std::string content_type = {};

  // Client-side limit: so many requests a second on average, so many at once, over all of a client.
  // Default: none; API servers defend themselves (docs/deviations.md). A burst is
  // needed with a rate. Your own limiter goes before these.
  double qps = 0;
  int burst = 0;
  std::shared_ptr<RateLimiter> rate_limiter = {};

  // For a whole request with its tries and its body; watches and streams: until they begin. Zero:
  // none but the context's.
  absl::Duration timeout = absl::ZeroDuration();

  // Receives the server's warnings. Null: they are logged, each text once a client.
  std::shared_ptr<WarningHandler> warning_handler = {};

  // Null: a new one, the client's own. Give the same to several clients, and they share threads and
  // connections.
  std::shared_ptr<httpclient::Transport> transport = {};
  // Around it, nearer to the network than credentials, logging and metrics.
  httpclient::TransportWrapper wrap_transport = {};

  // Metrics with client-go's names. Default: none.
  std::shared_ptr<base::MetricsProvider> metrics = base::NoOpMetrics();
  // A span a request. Null: none.
  std::shared_ptr<Tracer> tracer = {};
};

// Puts another wrapper around what there is already: the new one sees requests first. (Config.Wrap)
void Wrap(Config& config, httpclient::TransportWrapper wrapper);

// Without credentials: for talking to the same server as somebody else. (AnonymousClientConfig)
Config AnonymousConfig(const Config& config);

// For people: what it is, without its secrets. (Config.String)
std::string RedactedString(const Config& config);

// "program/v1.2.3 (linux/amd64) kubernetes/unknown": the process' program and the release of
// Kubernetes that the API types are of.
const std::string& DefaultUserAgent();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_CONFIG_H_
