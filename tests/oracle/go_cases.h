#ifndef TESTS_ORACLE_GO_CASES_H_
#define TESTS_ORACLE_GO_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tests/dice.h"

// Tables of questions to Go, and texts to ask about. All classes are thread-compatible.
namespace kube::oracle {

// Returns the bytes in lower-case hexadecimal.
std::string Hex(absl::string_view bytes);

// Returns the answer of a program of oracle.go if Go reports an error with the status's message.
std::string ErrorAnswer(const absl::Status& error);

// A question to a Go program that calls oracle.Serve.
struct GoQuestion {
  std::string function = {};
  std::string text = {};
};

// Asks a Go program that calls oracle.Serve all questions at once, and returns its answers:
// results, or "error: " and the message. `program` is the name of a program of @oracles, or the
// label of one of another repository, such as "@controller_oracles//:controller_runtime_oracle".
// Errors are those of FindData, which PrintSkipped understands, and of RunProgram. For answers that
// a test goes on with; GoCases compares them.
absl::StatusOr<std::vector<std::string>> AskGo(absl::string_view program,
                                               absl::Span<const GoQuestion> questions);

// Questions with our answers to a Go program that calls oracle.Serve (oracle.go): it reads lines
// "FUNCTION<tab>TEXT", the text in hexadecimal, and answers each with one line: the result, or
// "error: " and the message. The program escapes line feeds and backslashes in its answer; Add
// takes `ours` without escapes.
//
//   GoCases cases("values_oracle");                  // "@oracles//:values_oracle" in `data`
//   for (const std::string& text : texts) cases.Add("duration", text, OurAnswer(text));
//   cases.Check();
class GoCases {
 public:
  explicit GoCases(absl::string_view program) : program_(program) {}

  // Adds a question: Go's `function` applied to `text`. If Go must report an error, `ours` is
  // kError.
  void Add(absl::string_view function, absl::string_view text, absl::string_view ours);

  // Asks all questions at once, and fails the test for each answer that differs from ours. If Go is
  // missing, prints that and passes.
  void Check() const;

  static constexpr char kError[] = "error";

 private:
  const std::string program_;
  std::vector<GoQuestion> questions_;
  std::vector<std::string> ours_;
};

// Makes difficult texts: concatenated pieces, samples, and samples with a few changed bytes. The
// same arguments make the same texts.
class TextMaker {
 public:
  TextMaker(uint64_t seed, std::vector<std::string> samples, std::vector<std::string> pieces);

  std::string Next();

  // Returns `count` texts: all samples, and then random ones.
  std::vector<std::string> Make(size_t count);

 private:
  std::string Mutate(std::string text);

  Dice dice_;
  const std::vector<std::string> samples_;
  const std::vector<std::string> pieces_;
};

}  // namespace kube::oracle

#endif  // TESTS_ORACLE_GO_CASES_H_
