#ifndef CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_
#define CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/connection_rotation.h"
#include "clientset/rest/internal/request_metrics.h"
#include "clientset/rest/internal/resource_set.h"
#include "clientset/rest/internal/throttle.h"
#include "clientset/rest/internal/url_backoff.h"
#include "clientset/rest/trace.h"
#include "clientset/rest/warnings.h"
#include "net/http/headers.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

// What all requests of a client share. Build, then immutable, except for members that are
// thread-safe themselves.
class ClientCore {
 public:
  std::string base_url;
  // For example "10.0.0.1:6443".
  std::string host;
  // Default headers for requests that do not set them: User-Agent, Accept, Impersonate-….
  http::Headers headers;
  std::string content_type;
  bool prefers_protobuf = false;
  bool accept_gzip = true;
  absl::Duration timeout = absl::ZeroDuration();
  std::shared_ptr<Authenticator> authenticator;
  std::shared_ptr<httpclient::Transport> transport;
  // Null without Config::close_connections_on_rotation.
  std::unique_ptr<ConnectionRotation> rotation;
  std::shared_ptr<WarningHandler> warnings;
  std::shared_ptr<Tracer> tracer;
  RequestMetrics metrics;
  std::unique_ptr<Throttle> throttle;
  std::unique_ptr<UrlBackoff> backoff;
  std::unique_ptr<ResourceSet> json_only = std::make_unique<ResourceSet>();
};

// Returns the URL with which all URLs of a client begin. Returns INVALID_ARGUMENT for the reasons
// of MakeClient, among them credentials that would be sent without TLS.
absl::StatusOr<std::string> BaseUrlOf(const Config& config);

// Makes the core from a configuration and from the credentials and the transport that were made for
// it; neither may be null. Wraps the transport with config.wrap_transport.
absl::StatusOr<std::shared_ptr<const ClientCore>> MakeClientCore(
    const Config& config, std::shared_ptr<Authenticator> authenticator,
    std::shared_ptr<httpclient::Transport> transport);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_
