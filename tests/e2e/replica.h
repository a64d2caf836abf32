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

// One replica of the sample controller: a process that is killed and started again, with one log
// for all its lives. For the main thread: its processes end with that.
class Replica {
 public:
  Replica(std::string name, std::vector<std::string> flags, std::string log_file);
  ~Replica() { Kill(); }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  // Again, after its end: a new life.
  absl::Status Start();
  // SIGKILL, and waits. Again: no effect.
  void Kill();

  // Neither killed nor never started; it may have ended by itself.
  bool running() const { return process_ != nullptr; }
  // OK while it runs, and before it does; else how it ended by itself: "... code 1".
  absl::Status ended() const ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return name_; }
  // All that it wrote, in this life and those before; in this one; and the last of it.
  std::string Log() const { return ReadLog(0); }
  std::string LogOfThisLife() const { return ReadLog(life_begins_); }
  std::string LogTail(size_t max_bytes) const;
  // Whether it wrote this in its present life.
  bool Says(absl::string_view text) const;

 private:
  std::string ReadLog(size_t from) const;
  size_t LogSize() const;

  const std::string name_;
  const std::vector<std::string> command_;
  const std::string log_file_;
  size_t life_begins_ = 0;  // in the log
  mutable base::Mutex mutex_;
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<samplecontroller::ControllerProcess> process_;
};

}  // namespace kube::e2e

#endif  // TESTS_E2E_REPLICA_H_
