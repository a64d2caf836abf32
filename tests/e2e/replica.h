#ifndef TESTS_E2E_REPLICA_H_
#define TESTS_E2E_REPLICA_H_

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "examples/sample_controller/demo/controller_process.h"

namespace kube::e2e {

// A replica of the sample controller: a process that is killed and started again, with one log for
// all its runs. Must be used by the main thread, because its processes end with the thread that
// starts them.
class Replica {
 public:
  Replica(std::string name, std::vector<std::string> flags, std::string log_file);
  ~Replica() { Kill(); }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  // Starts the process, after killing it if it is running.
  absl::Status Start();
  // Kills the process with SIGKILL and waits until it has ended. Has no effect if it was not
  // started.
  void Kill();

  // Returns whether it was started and not killed; it may have ended by itself.
  bool running() const { return process_ != nullptr; }
  // Returns OK while it runs and before it is started, or an error that says how it ended by
  // itself: "... code 1".
  absl::Status ended() const ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return name_; }
  // Return the log of all runs, that of the present run, and the end of the log.
  std::string Log() const { return ReadLog(0); }
  std::string LogOfThisLife() const { return ReadLog(life_begins_); }
  std::string LogTail(size_t max_bytes) const;
  // Returns whether the log of the present run contains the text.
  bool Says(absl::string_view text) const;

 private:
  std::string ReadLog(size_t from) const;
  size_t LogSize() const;

  const std::string name_;
  const std::vector<std::string> command_;
  const std::string log_file_;
  size_t life_begins_ = 0;  // position in the log
  mutable base::Mutex mutex_;
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<samplecontroller::ControllerProcess> process_;
};

}  // namespace kube::e2e

#endif  // TESTS_E2E_REPLICA_H_
