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

// The discovery of a server for tests: answers by path, which the test may change at any time. It
// has v1 (pods, nodes), apps/v1 (deployments), apps/v1beta1 (deployments, controllers) and
// metrics.k8s.io/v1beta1 (nodes); its version is 1.36.2.
//
//   ScriptedServer server(ScriptedServer::Mode::kAggregated);
//   const DiscoveryClient client(server.client());
//
// It does not imitate content negotiation. Thread-safe.
class ScriptedServer {
 public:
  enum class Mode { kLegacy, kAggregated };
  explicit ScriptedServer(Mode mode);

  void Set(absl::string_view path, rest::ScriptedReply reply) ABSL_LOCKS_EXCLUDED(mutex_);
  // Sets the reply for the next request only.
  void SetOnce(absl::string_view path, rest::ScriptedReply reply) ABSL_LOCKS_EXCLUDED(mutex_);
  // Sets a reply with the media type of aggregated discovery.
  void SetAggregated(absl::string_view path, absl::string_view json);

  const rest::Client& client() const { return client_; }
  rest::ScriptedTransport& transport() { return *transport_; }
  // Returns the paths that were requested since the last call, sorted.
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
