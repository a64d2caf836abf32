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

// What the kernel counts of a process.
struct ProcessUsage {
  absl::Duration cpu = absl::ZeroDuration();  // of all its threads, since its start
  int64_t rss_anon_bytes = 0;                 // heap and stacks that are resident
  int64_t peak_rss_bytes = 0;                 // the most that ever was, files included
};

// A program that is measured while it runs. Thread-compatible.
class ControllerProcess {
 public:
  // `command` is its path and its arguments. What it writes goes to `log_file`.
  static absl::StatusOr<std::unique_ptr<ControllerProcess>> Start(std::vector<std::string> command,
                                                                  std::string log_file);

  // For Start.
  ControllerProcess(pid_t pid, std::string log_file) : pid_(pid), log_file_(std::move(log_file)) {}
  // Kills it, if it runs.
  ~ControllerProcess();
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  // Blocks until it has written `text`. UNAVAILABLE: it has ended before.
  absl::Status AwaitLog(const Context& ctx, absl::string_view text);

  // UNAVAILABLE: it has ended.
  absl::StatusOr<ProcessUsage> Measure() const;

  // SIGTERM, and blocks until it has ended. An error says if it did not end with 0.
  absl::Status Stop(const Context& ctx);

 private:
  // Then status_ says how.
  bool HasEnded();
  std::string Log() const;
  // With the last lines that it wrote.
  absl::Status Ended(absl::string_view how) const;

  pid_t pid_;  // zero: it has ended, and was waited for
  int status_ = 0;
  const std::string log_file_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_SAMPLE_CONTROLLER_CONTROLLER_PROCESS_H_
