#include "clientset/rest/internal/connection_rotation.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "apimachinery/base/mutex.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

using httpclient::ConnectionOptions;

ConnectionRotation::ConnectionRotation(std::shared_ptr<httpclient::Transport> transport)
    : transport_(std::move(transport)) {}

void ConnectionRotation::Use(const std::shared_ptr<const ConnectionOptions>& connection) {
  std::vector<std::shared_ptr<const ConnectionOptions>> closing;
  {
    base::MutexLock lock(mutex_);
    if (connection == current_) return;
    std::erase_if(former_, [](const auto& each) { return each.expired(); });
    // A request that was late to be sent.
    if (absl::c_any_of(former_, [&](const auto& each) { return each.lock() == connection; })) {
      return;
    }
    const std::shared_ptr<const ConnectionOptions> previous = std::exchange(current_, connection);
    if (previous == nullptr) return;
    former_.push_back(previous);
    if (previous->client_certificate == connection->client_certificate &&
        previous->client_key == connection->client_key) {
      return;
    }
    for (const auto& former : former_) {
      std::shared_ptr<const ConnectionOptions> each = former.lock();
      if (each != nullptr && !each->client_certificate.empty()) closing.push_back(std::move(each));
    }
  }
  for (const auto& each : closing) transport_->CloseConnections(*each);
}

}  // namespace kube::rest::internal
