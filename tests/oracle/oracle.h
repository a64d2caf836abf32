#ifndef TESTS_ORACLE_ORACLE_H_
#define TESTS_ORACLE_ORACLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Go programs and fixtures in tests: what Go's own code says about an input is what ours must say.
//
// A test names the program in its `data`, as "@oracles//:expfmt_check" (third_party/go builds it),
// finds it and runs it:
//
//   absl::StatusOr<std::string> program = FindData("oracles", "expfmt_check");
//   if (PrintSkipped(program.status())) GTEST_SKIP();
//   ASSERT_TRUE(program.ok()) << program.status();
//   absl::StatusOr<std::string> families = RunProgram(*program, {.input = "up 1\n"});
//
// Where Go is missing the test thus passes, and says so in a line that tools/test counts. All
// functions are thread-safe.
namespace kube::oracle {

// The path of `name`, a file or a folder in the external repository `repository`, among the running
// test's data. UNAVAILABLE, with the reason, where Go could not provide it; NOT_FOUND where the
// test does not have it in its `data`.
absl::StatusOr<std::string> FindData(absl::string_view repository, absl::string_view name);

// Whether `status` is FindData's UNAVAILABLE. Then prints "SKIPPED: reason", and the caller skips
// the test.
[[nodiscard]] bool PrintSkipped(const absl::Status& status);

struct RunOptions {
  // Arguments after the program's name.
  std::vector<std::string> args = {};
  // What the program reads from standard input.
  std::string input = {};
  // The program is killed after this time, rounded to milliseconds. Only a program that hangs
  // should meet it.
  absl::Duration timeout = absl::Seconds(60);
};

// Runs `program` (a path; there is no shell, and the environment is empty), waits for its end, and
// returns what it wrote to standard output. Errors carry what it wrote to standard error:
// INVALID_ARGUMENT where it exited with a code other than zero, ABORTED where a signal ended it,
// DEADLINE_EXCEEDED, INTERNAL where it could not be started.
absl::StatusOr<std::string> RunProgram(const std::string& program, const RunOptions& options = {});

}  // namespace kube::oracle

#endif  // TESTS_ORACLE_ORACLE_H_
