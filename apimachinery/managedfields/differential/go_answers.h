#ifndef APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_GO_ANSWERS_H_
#define APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_GO_ANSWERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

// Questions to managedfields_oracle. A test makes all its questions and its own answers first,
// because the program runs once. All functions are thread-safe.
namespace kube::managedfields {

// Returns the integer in an environment variable, or `otherwise` if there is none.
int64_t Setting(const char* name, int64_t otherwise);

// Returns the JSON of a value with a fraction or an exponent in each double, so that Go reads it as
// a double. It is equal to the text of the oracle's package exactjson.
std::string ExactJson(const unstructured::Value& value);

struct Question {
  std::string function;
  std::string text;
};

// Asks all questions, and returns the answers, which are JSON. With `clock` the program's time is
// what the questions say. Returns UNAVAILABLE if Go is missing (see oracle::PrintSkipped), and
// INVALID_ARGUMENT if the program cannot answer a question.
absl::StatusOr<std::vector<unstructured::Value>> AskGo(absl::Span<const Question> questions,
                                                       bool clock = false);

// Returns whether upstream may report the error `ours`. `go` is the answer "error" with the
// different texts of upstream's error. A text may name several mistakes, one a line; if upstream
// finds them in the order of a Go map, each line of ours must be in one of its texts.
bool IsPlausible(absl::string_view ours, const List<unstructured::Value>& go);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_GO_ANSWERS_H_
