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
  std::string name = {};     // "etcd"
  std::string program = {};  // its path
  // After the name.
  std::vector<std::string> flags = {};
  // Both outputs go there; it is emptied first.
  std::string log_file = {};
  // NAME=VALUE, all of it.
  std::vector<std::string> env = {};
  // Between SIGTERM and SIGKILL.
  absl::Duration grace = absl::Seconds(3);
};

// A program that runs until it is stopped, and a thread that waits for it. Thread-safe, but for
// Stop.
class ServerProcess {
 public:
  // Returns at once; a program that cannot be started has ended. RESOURCE_EXHAUSTED: no thread.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(ServerProcessOptions options);

  // For Start.
  explicit ServerProcess(ServerProcessOptions options) : options_(std::move(options)) {}
  // Stops it.
  ~ServerProcess() = default;

  const std::string& name() const { return options_.name; }

  // OK while it runs, or if Stop ended it; else how it ended by itself: "etcd ended with code 1".
  absl::Status ended() const;

  // Ends it and all that it has started: SIGTERM, and after the grace SIGKILL. Blocks until it is
  // gone. Again: no effect.
  void Stop();

  // The last part of what it wrote.
  std::string LogTail(size_t max_bytes) const;
  // Whether that has this text.
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
