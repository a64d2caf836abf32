#ifndef TESTS_ORACLE_ORACLE_H_
#define TESTS_ORACLE_ORACLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Go programs and fixtures in tests, which check that ours gives the same results as Go's code.
//
// A test names the program in its `data`, such as "@oracles//:expfmt_check" (third_party/go builds
// it), finds it and runs it:
//
//   absl::StatusOr<std::string> program = FindData("oracles", "expfmt_check");
//   if (PrintSkipped(program.status())) GTEST_SKIP();
//   ASSERT_TRUE(program.ok()) << program.status();
//   absl::StatusOr<std::string> families = RunProgram(*program, {.input = "up 1\n"});
//
// If Go is missing, the test thus passes, and prints a line that tools/test counts. All functions
// are thread-safe.
namespace kube::oracle {

// Returns the path of `name`, a file or folder in the external repository `repository`, in the
// running test's data. Returns UNAVAILABLE with the reason if Go could not provide it, and
// NOT_FOUND if it is not in the test's `data`.
absl::StatusOr<std::string> FindData(absl::string_view repository, absl::string_view name);

// Returns whether `status` is FindData's UNAVAILABLE, and prints "SKIPPED: reason" if so. The
// caller must then skip the test.
[[nodiscard]] bool PrintSkipped(const absl::Status& status);

struct RunOptions {
  // The arguments after the program's name.
  std::vector<std::string> args = {};
  // The program's standard input.
  std::string input = {};
  // The program is killed after this time, rounded to milliseconds. It is only meant to catch a
  // program that hangs.
  absl::Duration timeout = absl::Seconds(60);
};

// Runs the program at the path `program`, without a shell and with an empty environment, waits
// until it ends, and returns its standard output. Errors contain its standard error:
// INVALID_ARGUMENT if it exited with a code other than zero, ABORTED if a signal ended it,
// DEADLINE_EXCEEDED, and INTERNAL if it could not be started.
absl::StatusOr<std::string> RunProgram(const std::string& program, const RunOptions& options = {});

}  // namespace kube::oracle

#endif  // TESTS_ORACLE_ORACLE_H_
