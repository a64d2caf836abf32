#ifndef CLIENTSET_REST_INTERNAL_CONNECTION_ROTATION_H_
#define CLIENTSET_REST_INTERNAL_CONNECTION_ROTATION_H_

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

// Closes the connections of former client certificates: Config::close_connections_on_rotation.
// (client-go: `connrotation.ConnectionTracker`)
//
// Options are told apart by their address, as Authenticator promises, because a certificate may
// come back. A request that has got former options before the rotation, and is sent after it, opens
// a connection with them; the next rotation closes that. Thread-safe.
class ConnectionRotation {
 public:
  explicit ConnectionRotation(std::shared_ptr<httpclient::Transport> transport);

  // Takes the options of each request before it is sent. If they have another certificate than
  // those of the requests before, closes the connections of all former ones.
  void Use(const std::shared_ptr<const httpclient::ConnectionOptions>& connection)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const std::shared_ptr<httpclient::Transport> transport_;
  base::Mutex mutex_;
  std::shared_ptr<const httpclient::ConnectionOptions> current_ ABSL_GUARDED_BY(mutex_);
  // The former ones that requests and connections still have.
  std::vector<std::weak_ptr<const httpclient::ConnectionOptions>> former_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CONNECTION_ROTATION_H_
