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
// collected, and one run of the program answers them all: ten thousand small ones take less than a
// tenth of a second.
//
//   KitchenOracle go;
//   const size_t wire = go.Ask("json_to_pb", "Plain", {R"({"text":"a"})"});
//   const absl::Status ran = go.Run();
//   if (PrintSkipped(ran)) GTEST_SKIP();
//   ASSERT_TRUE(ran.ok()) << ran;
//   EXPECT_EQ(encoded, go.Output(wire));
//
// kitchen_oracle/main.go lists the operations with their inputs and outputs. A test needs
// "@oracles//:kitchen_oracle" in its `data`. Thread-compatible.
class KitchenOracle {
 public:
  // Go's outputs, or its error as INVALID_ARGUMENT with Go's message.
  using Answer = absl::StatusOr<std::vector<std::string>>;

  // Adds a question and returns its number. `type` is the name in the IDL, or "" if the operation
  // has no type. Inputs are arbitrary bytes.
  size_t Ask(absl::string_view operation, absl::string_view type, std::vector<std::string> inputs);

  // Answers all questions that were asked since the last Run. Returns UNAVAILABLE if Go is missing;
  // see PrintSkipped.
  absl::Status Run();

  // Returns the answer to a question. Call Run first.
  const Answer& operator[](size_t question) const { return answers_.at(question); }

  // Returns the first output, or "error: " and Go's message.
  std::string Output(size_t question) const;

 private:
  std::string requests_;
  size_t asked_ = 0;
  std::vector<Answer> answers_;
};

}  // namespace kube::oracle

#endif  // TESTS_KITCHEN_SINK_KITCHEN_ORACLE_H_
