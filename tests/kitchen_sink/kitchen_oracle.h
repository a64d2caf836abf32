#ifndef TESTS_KITCHEN_SINK_KITCHEN_ORACLE_H_
#define TESTS_KITCHEN_SINK_KITCHEN_ORACLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::oracle {

// Asks Go about values of the kitchen sink's types (tests/kitchen_sink/sink.proto). Questions are
// collected, and one run of the program answers all of them: ten thousand small ones in less than
// a tenth of a second.
//
//   KitchenOracle go;
//   const size_t wire = go.Ask("json_to_pb", "Plain", {R"({"text":"a"})"});
//   const absl::Status ran = go.Run();
//   if (PrintSkipped(ran)) GTEST_SKIP();
//   ASSERT_TRUE(ran.ok()) << ran;
//   EXPECT_EQ(encoded, go.Output(wire));
//
// The operations, with their inputs and outputs, are at the head of kitchen_oracle/main.go. A test
// has "@oracles//:kitchen_oracle" in its `data`. Thread-compatible.
class KitchenOracle {
 public:
  // Go's outputs, or its error as INVALID_ARGUMENT with Go's words.
  using Answer = absl::StatusOr<std::vector<std::string>>;

  // Adds a question and returns its number. `type` is as in the IDL, "" where none matters. Inputs
  // are any bytes.
  size_t Ask(absl::string_view operation, absl::string_view type, std::vector<std::string> inputs);

  // Has all questions asked since the last Run answered. UNAVAILABLE where there is no Go: see
  // PrintSkipped.
  absl::Status Run();

  // The answer to a question, after Run.
  const Answer& operator[](size_t question) const { return answers_.at(question); }

  // The first output; "error: " and Go's words where there is none.
  std::string Output(size_t question) const;

 private:
  std::string requests_;
  size_t asked_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_KITCHEN_ORACLE_H_
