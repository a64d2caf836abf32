#ifndef TESTS_CONTROLLERS_OPERATOR_CLUSTER_H_
#define TESTS_CONTROLLERS_OPERATOR_CLUSTER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "tests/controllers/operator.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {

// The prefix of the User-Agent in the replicas' requests, by which fault rules select them.
inline constexpr char kAgent[] = "operator";

// A replica: a program with a manager and an Operator on it, which is started again whenever it
// ends. Thread-safe, except for Start and Stop.
class Replica {
 public:
  // What is in `surroundings`, and the server, must outlive it.
  Replica(apiserver::ApiHandler& server, std::string user, const Surroundings& surroundings,
          absl::Duration own_writes_timeout);

  absl::Status Start();
  // Ends the program in an orderly way. It is started again after a while.
  void Restart() ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the replica for good. Blocks until it has ended.
  void Stop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the user of its requests.
  const std::string& user() const { return user_; }
  // Returns the name of the program that runs; empty between two of them.
  std::string program() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void RunAgainAndAgain(const Context& ctx);
  absl::Status RunProgram(const Context& ctx, const std::string& program) const;

  const std::string user_;
  const Surroundings surroundings_;
  const absl::Duration own_writes_timeout_;
  const rest::Config config_;
  mutable base::Mutex mutex_;
  std::string program_ ABSL_GUARDED_BY(mutex_);
  CancelScope* running_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the program, or null
  base::Thread thread_;
};

struct OperatorClusterOptions {
  // As in Surroundings.
  bool creates_once = false;
  // That of all controllers. Default: that of a manager. Zero is a mistake for a test to find.
  absl::Duration own_writes_timeout = absl::Seconds(10);
};

// A cluster with two replicas, of which one leads. For one simulation; thread-safe, except for
// Start and Stop.
class OperatorCluster {
 public:
  explicit OperatorCluster(const OperatorClusterOptions& options = {});

  absl::Status Start();
  void Stop();

  apiserver::ApiHandler& server() { return server_; }
  const apiserver::ApiHandler& server() const { return server_; }
  // Returns a client that may do everything and has no faults.
  const kubernetes::Clientset& admin() const { return admin_; }
  Recorder& recorder() { return recorder_; }
  const Recorder& recorder() const { return recorder_; }
  const OtherSystem& other_system() const { return other_system_; }

  size_t replicas() const { return replicas_.size(); }
  Replica& replica(size_t i) { return *replicas_[i]; }
  const Replica& replica(size_t i) const { return *replicas_[i]; }
  // Returns a replica at random.
  Replica& AnyReplica();

 private:
  apiserver::ApiHandler server_;
  const kubernetes::Clientset admin_;
  Recorder recorder_;
  OtherSystem other_system_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_OPERATOR_CLUSTER_H_
