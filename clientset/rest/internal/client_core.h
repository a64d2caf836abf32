#ifndef CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_
#define CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/request_metrics.h"
#include "clientset/rest/internal/resource_set.h"
#include "clientset/rest/internal/throttle.h"
#include "clientset/rest/internal/url_backoff.h"
#include "clientset/rest/trace.h"
#include "clientset/rest/warnings.h"
#include "net/http/headers.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

// What all requests of a client have in common. Build, then immutable, but for the parts that are
// thread-safe by themselves.
class ClientCore {
 public:
  std::string base_url;
  // "10.0.0.1:6443"
  std::string host;
  // Of requests that say nothing themselves: User-Agent, Accept, Impersonate-….
  http::Headers headers;
  std::string content_type;
  bool prefers_protobuf = false;
  bool accept_gzip = true;
  absl::Duration timeout = absl::ZeroDuration();
  std::shared_ptr<Authenticator> authenticator;
  std::shared_ptr<httpclient::Transport> transport;
  std::shared_ptr<WarningHandler> warnings;
  std::shared_ptr<Tracer> tracer;
  RequestMetrics metrics;
  std::unique_ptr<Throttle> throttle;
  std::unique_ptr<UrlBackoff> backoff;
  std::unique_ptr<ResourceSet> json_only = std::make_unique<ResourceSet>();
};

// The URL that all of a client's begin with. INVALID_ARGUMENT as MakeClient, also where credentials
// would go there without TLS.
absl::StatusOr<std::string> BaseUrlOf(const Config& config);

// Of a configuration whose credentials and transport are already made of it; neither is null.
// config.wrap_transport is put around the transport.
absl::StatusOr<std::shared_ptr<const ClientCore>> MakeClientCore(
    const Config& config, std::shared_ptr<Authenticator> authenticator,
    std::shared_ptr<httpclient::Transport> transport);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CLIENT_CORE_H_
