#ifndef BENCHMARKS_SAMPLE_CONTROLLER_CONTROLLER_PROCESS_H_
#define BENCHMARKS_SAMPLE_CONTROLLER_CONTROLLER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"

namespace kube::benchmarks {

// Resource usage of a process, as the kernel reports it.
struct ProcessUsage {
  absl::Duration cpu = absl::ZeroDuration();  // of all threads since the start
  int64_t rss_anon_bytes = 0;                 // resident heap and stacks
  int64_t peak_rss_bytes = 0;                 // maximum of resident memory, including files
};

// A program that is measured while it runs. Thread-compatible.
class ControllerProcess {
 public:
  // Starts `command`, which is a path followed by arguments; its output goes to `log_file`.
  static absl::StatusOr<std::unique_ptr<ControllerProcess>> Start(std::vector<std::string> command,
                                                                  std::string log_file);

  // Use Start instead.
  ControllerProcess(pid_t pid, std::string log_file) : pid_(pid), log_file_(std::move(log_file)) {}
  // Kills the program if it runs.
  ~ControllerProcess();
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // Blocks until the program has written `text`. Returns UNAVAILABLE if it ended before.
  absl::Status AwaitLog(const Context& ctx, absl::string_view text);

  // Returns UNAVAILABLE if the program has ended.
  absl::StatusOr<ProcessUsage> Measure() const;

  // Sends SIGTERM and blocks until the program has ended. Returns an error unless its exit code is
  // 0.
  absl::Status Stop(const Context& ctx);

 private:
  // If the program has ended, sets status_ to its exit status.
  bool HasEnded();
  std::string Log() const;
  // Returns an error that contains the last lines of the output.
  absl::Status Ended(absl::string_view how) const;

  pid_t pid_;  // zero once the program has ended and was waited for
  int status_ = 0;
  const std::string log_file_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_SAMPLE_CONTROLLER_CONTROLLER_PROCESS_H_
