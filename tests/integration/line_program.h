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

// A program that answers each line of its standard input by a line, and ends with its input: also
// when this process is killed. For one thread.
class LineProgram {
 public:
  // `program` is a path; its environment is empty.
  static absl::StatusOr<std::unique_ptr<LineProgram>> Start(const std::string& program,
                                                            const std::vector<std::string>& args);
  // For Start.
  LineProgram(pid_t pid, int input, int output) : pid_(pid), input_(input), output_(output) {}
  // Ends it.
  ~LineProgram();
  LineProgram(const LineProgram&) = delete;
  LineProgram& operator=(const LineProgram&) = delete;

  // Both without the line's end. UNAVAILABLE: it has ended; DEADLINE_EXCEEDED.
  absl::StatusOr<std::string> Ask(absl::string_view line, absl::Duration timeout);

 private:
  const pid_t pid_;
  const int input_;
  const int output_;
  std::string read_;
};

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_LINE_PROGRAM_H_
