#ifndef CLIENTSET_DISCOVERY_TESTING_SCRIPTED_SERVER_H_
#define CLIENTSET_DISCOVERY_TESTING_SCRIPTED_SERVER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_transport.h"

namespace kube::discovery {

// A server's discovery for tests: answers by path, which the test may change at any time. It has
// v1 (pods, nodes), apps/v1 and apps/v1beta1 (deployments, and controllers in the latter alone) and
// metrics.k8s.io/v1beta1 (nodes); version 1.36.2.
//
//   ScriptedServer server(ScriptedServer::Mode::kAggregated);
//   const DiscoveryClient client(server.client());
//
// What it does not imitate: negotiation. Thread-safe.
class ScriptedServer {
 public:
  enum class Mode { kLegacy, kAggregated };
  explicit ScriptedServer(Mode mode);

  void Set(absl::string_view path, rest::ScriptedReply reply) ABSL_LOCKS_EXCLUDED(mutex_);
  // For the next request alone.
  void SetOnce(absl::string_view path, rest::ScriptedReply reply) ABSL_LOCKS_EXCLUDED(mutex_);
  // A document of the aggregated type.
  void SetAggregated(absl::string_view path, absl::string_view json);

  const rest::Client& client() const { return client_; }
  rest::ScriptedTransport& transport() { return *transport_; }
  // Those that were asked for since the last time, sorted.
  std::vector<std::string> TakePaths() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const std::shared_ptr<rest::ScriptedTransport> transport_;
  const rest::Client client_;
  base::Mutex mutex_;
  std::map<std::string, rest::ScriptedReply> replies_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, rest::ScriptedReply> once_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> paths_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_TESTING_SCRIPTED_SERVER_H_
