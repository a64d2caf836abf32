#ifndef TESTS_INTEGRATION_LINE_PROGRAM_H_
#define TESTS_INTEGRATION_LINE_PROGRAM_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::integration {

// A program that answers each line on its standard input with one line. It ends when its input
// ends, also if this process is killed. Thread-compatible.
class LineProgram {
 public:
  // Starts the program at the path `program`, with an empty environment.
  static absl::StatusOr<std::unique_ptr<LineProgram>> Start(const std::string& program,
                                                            const std::vector<std::string>& args);
  // Use Start.
  LineProgram(pid_t pid, int input, int output) : pid_(pid), input_(input), output_(output) {}
  // Ends the program.
  ~LineProgram();
  LineProgram(const LineProgram&) = delete;
  LineProgram& operator=(const LineProgram&) = delete;

  // Sends a line and returns the answer, both without the line feed. Blocks up to `timeout`.
  // Returns UNAVAILABLE if the program has ended, and DEADLINE_EXCEEDED.
  absl::StatusOr<std::string> Ask(absl::string_view line, absl::Duration timeout);

 private:
  const pid_t pid_;
  const int input_;
  const int output_;
  std::string read_;
};

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_LINE_PROGRAM_H_
