#ifndef CLIENTSET_PODCOPY_TESTING_FAKE_CONTAINER_H_
#define CLIENTSET_PODCOPY_TESTING_FAKE_CONTAINER_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"

namespace kube::podcopy {

// What a command in a FakeContainer does.
struct FakeCommand {
  // An error instead of a session.
  absl::Status start_error = {};
  // Whether it reads all of its stdin before it writes and ends; otherwise it reads nothing, and
  // its writer waits until it has ended.
  bool reads_stdin = false;
  // What it writes.
  std::vector<remotecommand::Output> outputs = {};
  // Why the connection breaks after that; OK if it does not.
  absl::Status read_error = {};
  // How it ends.
  absl::Status outcome = {};
};

// A container for tests, whose commands follow a script. Thread-safe.
class FakeContainer {
 public:
  // Adds a command to the script.
  void Expect(FakeCommand command) ABSL_LOCKS_EXCLUDED(mutex_);

  // Starts the next command of the script. Without one, returns INTERNAL.
  absl::StatusOr<std::unique_ptr<remotecommand::Session>> Start(
      const Context& ctx, const remotecommand::ExecOptions& options) ABSL_LOCKS_EXCLUDED(mutex_);

  // What was started, in order.
  std::vector<remotecommand::ExecOptions> started() const ABSL_LOCKS_EXCLUDED(mutex_);
  // What the last command has received.
  std::string received() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class FakeSession;

  mutable base::Mutex mutex_;
  std::deque<FakeCommand> script_ ABSL_GUARDED_BY(mutex_);
  std::vector<remotecommand::ExecOptions> started_ ABSL_GUARDED_BY(mutex_);
  std::string received_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::podcopy

#endif  // CLIENTSET_PODCOPY_TESTING_FAKE_CONTAINER_H_
