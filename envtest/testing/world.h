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

// For tests that hold for the embedded server in every form: within the process in a simulation,
// and over HTTP on real sockets and clocks.
namespace kube::envtest {

enum class Form { kInProcess, kHttp1, kHttp2 };
std::ostream& operator<<(std::ostream& out, Form form);

using ConfigMaps = typed::TypedClient<api::core::v1::ConfigMap, api::core::v1::ConfigMapList>;
using Secrets = typed::TypedClient<api::core::v1::Secret, api::core::v1::SecretList>;
using ConfigMapWatcher = watch::Watcher<api::core::v1::ConfigMap>;

// In the namespace default.
ConfigMaps MapsOf(const rest::Config& config);

// A server and those who use it. Thread-compatible.
class World {
 public:
  World(Form form, apiserver::HandlerOptions options);

  apiserver::ApiHandler& server();
  apiserver::Faults faults() { return server().faults(); }
  absl::Status Restart(const apiserver::RestartOptions& options);
  // As a user of that name, who may do everything. Each has connections of its own.
  rest::Config Config(absl::string_view user = "admin");
  // In the namespace default.
  ConfigMaps Maps(absl::string_view user = "admin");
  Secrets MakeSecrets();

  // How long nothing has to happen until it is taken for granted: real time over HTTP.
  absl::Duration quiet() const;

 private:
  const Form form_;
  std::optional<apiserver::ApiHandler> handler_;
  std::unique_ptr<EmbeddedEnvironment> environment_;
};

// Waits until it is so. False: it never was.
bool Eventually(absl::FunctionRef<bool()> condition);

// What comes next of a watch, in short: "ADDED a", "BOOKMARK", "ERROR NotFound", "END"; "QUIET" for
// nothing in that time.
std::string Next(ConfigMapWatcher& watcher, absl::Duration patience = absl::Seconds(60));

// A test of each form.
class WorldTest : public testing::TestWithParam<Form> {
 protected:
  void Run(const std::function<void(World&)>& body, apiserver::HandlerOptions options = {});
};

std::string FormName(const testing::TestParamInfo<Form>& info);

}  // namespace kube::envtest

#endif  // ENVTEST_TESTING_WORLD_H_
