#include "clientset/rest/transport_cache.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_transport.h"

namespace kube::rest {

absl::StatusOr<Config> TransportCache::Share(Config config) {
  if (config.transport != nullptr) return config;
  KUBE_ASSIGN_OR_RETURN(config.transport, Get());
  return config;
}

absl::StatusOr<std::shared_ptr<httpclient::HttpTransport>> TransportCache::Get() {
  // Making a transport starts its thread, and connects to nothing.
  base::MutexLock lock(mutex_);
  std::shared_ptr<httpclient::HttpTransport> transport = transport_.lock();
  if (transport != nullptr) return transport;
  KUBE_ASSIGN_OR_RETURN(transport, httpclient::MakeHttpTransport(options_));
  transport_ = transport;
  return transport;
}

}  // namespace kube::rest
