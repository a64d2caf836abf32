#ifndef TESTS_SIMULATION_FOO_CLUSTER_H_
#define TESTS_SIMULATION_FOO_CLUSTER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/events/record/event_recorder.h"
#include "envtest/workloads/workloads.h"
#include "examples/sample_controller/foo.client.kube.h"

namespace kube::simulation {

// The prefix of the User-Agent in the controllers' requests, by which fault rules select them.
inline constexpr char kControllerAgent[] = "sample-controller";

// Runs a controller of Foos until `ctx` is done, or returns an error if it cannot work.
using RunController = absl::Status (*)(const Context& ctx, const kubernetes::Clientset& client,
                                       record::EventRecorder& recorder);

// Runs the controller of examples/sample_controller.
absl::Status RunSampleController(const Context& ctx, const kubernetes::Clientset& client,
                                 record::EventRecorder& recorder);

// The program of a controller, which is started again whenever it ends. Thread-safe, except for
// Start and Stop.
class ControllerProcess {
 public:
  // `server` must outlive it. With `elects` it works only while it is the leader.
  ControllerProcess(apiserver::ApiHandler& server, std::string user, RunController controller,
                    bool elects);

  absl::Status Start();
  // Ends the program in an orderly way. It is started again after a while.
  void Restart() ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the process for good. Blocks until it has ended.
  void Stop();

  // Returns the user of its requests.
  const std::string& user() const { return user_; }

 private:
  void RunAgainAndAgain(const Context& ctx);
  absl::Status RunProgram(const Context& ctx, const std::string& identity) const;

  const std::string user_;
  const RunController controller_;
  const bool elects_;
  const rest::Config config_;
  base::Mutex mutex_;
  CancelScope* program_ ABSL_GUARDED_BY(mutex_) = nullptr;
  base::Thread thread_;
};

struct FooClusterOptions {
  // The number of processes of the controller.
  size_t processes = 1;
  // Whether only one of them, the elected leader, works at a time.
  bool elects = false;
  // The controller under test.
  RunController controller = RunSampleController;
};

// A cluster with Foos: the embedded API server, workloads that create pods for Deployments, and the
// controller. For one simulation; thread-safe, except for Start and StopControllers.
class FooCluster {
 public:
  explicit FooCluster(const FooClusterOptions& options = {});

  absl::Status Start();
  void StopControllers();

  apiserver::ApiHandler& server() { return server_; }
  const apiserver::ApiHandler& server() const { return server_; }
  ControllerProcess& process(size_t i) { return *processes_[i]; }
  size_t processes() const { return processes_.size(); }

  // Return clients that may do everything; faults of the controllers do not affect them. Without a
  // namespace they are for lists and watches.
  samplecontroller::v1alpha1::FooClient foos(absl::string_view namespace_name = "") const;
  api::apps::v1::DeploymentClient deployments(absl::string_view namespace_name = "") const;
  api::core::v1::EventClient events() const;
  // Returns a client whose requests count as those of a controller, for one that makes mistakes.
  kubernetes::Clientset ClientAsController();

  // Returns the version at which there were no Foos and Deployments.
  const std::string& start() const { return start_; }

 private:
  apiserver::ApiHandler server_;
  const std::string start_;
  const kubernetes::Clientset client_;
  std::unique_ptr<envtest::Workloads> workloads_;
  std::vector<std::unique_ptr<ControllerProcess>> processes_;
};

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_CLUSTER_H_
