#ifndef ENVTEST_TESTING_WORLD_H_
#define ENVTEST_TESTING_WORLD_H_

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/rest/config.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "gtest/gtest.h"

// For tests that run on every form of the embedded server: in process within a simulation, and over
// HTTP with real sockets and clocks.
namespace kube::envtest {

enum class Form { kInProcess, kHttp1, kHttp2 };
std::ostream& operator<<(std::ostream& out, Form form);

using ConfigMaps = typed::TypedClient<api::core::v1::ConfigMap, api::core::v1::ConfigMapList>;
using Secrets = typed::TypedClient<api::core::v1::Secret, api::core::v1::SecretList>;
using ConfigMapWatcher = watch::Watcher<api::core::v1::ConfigMap>;

// Returns a client for the namespace "default".
ConfigMaps MapsOf(const rest::Config& config);

// A server with its clients. Thread-compatible.
class World {
 public:
  World(Form form, apiserver::HandlerOptions options);

  apiserver::ApiHandler& server();
  apiserver::Faults faults() { return server().faults(); }
  absl::Status Restart(const apiserver::RestartOptions& options);
  // Returns a configuration for a user of this name, who may do everything. Each call makes
  // separate connections.
  rest::Config Config(absl::string_view user = "admin");
  // Return clients for the namespace "default".
  ConfigMaps Maps(absl::string_view user = "admin");
  Secrets MakeSecrets();

  // How long a test waits before it concludes that nothing happens; real time over HTTP.
  absl::Duration quiet() const;

 private:
  const Form form_;
  std::optional<apiserver::ApiHandler> handler_;
  std::unique_ptr<EmbeddedEnvironment> environment_;
};

// Waits until the condition is true. Returns false if it is still false after a minute.
bool Eventually(absl::FunctionRef<bool()> condition);

// Returns the next event of a watch in short form, such as "ADDED a", "BOOKMARK", "ERROR NotFound"
// or "END"; "QUIET" if there is none within `patience`.
std::string Next(ConfigMapWatcher& watcher, absl::Duration patience = absl::Seconds(60));

// A test that is run in each form.
class WorldTest : public testing::TestWithParam<Form> {
 protected:
  void Run(const std::function<void(World&)>& body, apiserver::HandlerOptions options = {});
};

std::string FormName(const testing::TestParamInfo<Form>& info);

}  // namespace kube::envtest

#endif  // ENVTEST_TESTING_WORLD_H_
