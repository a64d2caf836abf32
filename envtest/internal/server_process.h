#ifndef ENVTEST_INTERNAL_SERVER_PROCESS_H_
#define ENVTEST_INTERNAL_SERVER_PROCESS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"

namespace kube::envtest::internal {

struct ServerProcessOptions {
  std::string name = {};     // such as "etcd"
  std::string program = {};  // path of the program
  // Arguments after the name.
  std::vector<std::string> flags = {};
  // Receives stdout and stderr; it is cleared first.
  std::string log_file = {};
  // The whole environment, as NAME=VALUE.
  std::vector<std::string> env = {};
  // Time between SIGTERM and SIGKILL.
  absl::Duration grace = absl::Seconds(3);
};

// A program that runs until it is stopped, with a thread that waits for it. Thread-safe, except for
// Stop.
class ServerProcess {
 public:
  // Returns at once; if the program cannot be started, it counts as ended. Returns
  // RESOURCE_EXHAUSTED if the system cannot create a thread.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(ServerProcessOptions options);

  // Use Start instead.
  explicit ServerProcess(ServerProcessOptions options) : options_(std::move(options)) {}
  // Stops the program.
  ~ServerProcess() = default;

  const std::string& name() const { return options_.name; }

  // Returns OK while the program runs and after Stop. Otherwise says how it ended by itself, such
  // as "etcd ended with code 1".
  absl::Status ended() const;

  // Stops the program and its children with SIGTERM, and after the grace period with SIGKILL.
  // Blocks until it has ended. A second call has no effect.
  void Stop();

  // Returns the last bytes of the log.
  std::string LogTail(size_t max_bytes) const;
  // Returns whether the last MiB of the log contains `text`.
  bool LogSays(absl::string_view text) const;

 private:
  void Run(const Context& ctx);

  const ServerProcessOptions options_;
  mutable base::Mutex mutex_;
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);
  base::Thread thread_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_INTERNAL_SERVER_PROCESS_H_
