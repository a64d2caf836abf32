#ifndef BENCHMARKS_STREAMING_LAUNCHED_PROGRAM_H_
#define BENCHMARKS_STREAMING_LAUNCHED_PROGRAM_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kube::benchmarks {

struct LaunchOptions {
  // The path of //tools/lib/bench:launch, which starts the program. It is small, so that the
  // program's peak memory is its own.
  std::string launch = {};
  // The program's path, and its arguments.
  std::vector<std::string> command = {};
  // Its environment, as NAME=VALUE.
  std::vector<std::string> environment = {};
  // Its standard input. Remains the caller's.
  int input = -1;
};

// What a program has used, as the kernel counts.
struct ProgramUsage {
  absl::Duration cpu = absl::ZeroDuration();  // of all threads, user and system
  int64_t peak_rss_bytes = 0;
};

// A program that is measured from its start to its end. Its standard error is ours.
// Thread-compatible.
class LaunchedProgram {
 public:
  // Starts a program. Returns UNAVAILABLE, or the operating system's error, if that fails.
  static absl::StatusOr<std::unique_ptr<LaunchedProgram>> Start(const LaunchOptions& options);

  // Use Start.
  LaunchedProgram(pid_t launcher, int output, int report)
      : launcher_(launcher), output_(output), report_(report) {}
  // Kills the program if it runs.
  ~LaunchedProgram();
  LaunchedProgram(const LaunchedProgram&) = delete;
  LaunchedProgram& operator=(const LaunchedProgram&) = delete;

  // The program's process, for as long as it was not waited for.
  pid_t pid() const { return program_; }

  // A pipe that has the program's standard output.
  int output() const { return output_; }

  // Sends SIGINT.
  void Interrupt();

  // Blocks until the program has ended. Returns UNAVAILABLE unless its exit code is 0.
  absl::StatusOr<ProgramUsage> Wait();

 private:
  // Returns the next line of the launcher's report, without the line feed; "" at the end.
  std::string ReadReport();

  pid_t launcher_;  // zero once it was waited for
  pid_t program_ = 0;
  const int output_;
  const int report_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_STREAMING_LAUNCHED_PROGRAM_H_
