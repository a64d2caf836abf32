#ifndef APIMACHINERY_TYPES_INTERNAL_GO_CASES_H_
#define APIMACHINERY_TYPES_INTERNAL_GO_CASES_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// For tests: what Go makes of texts is what ours must make of them. Thread-compatible.
namespace kube::internal {

// Lower-case hexadecimal.
std::string Hex(absl::string_view bytes);

// Questions to the Go program values_oracle, which the test has in its `data`, with our answers.
//
//   GoCases cases;
//   for (const std::string& text : texts) cases.Add("duration", text, OurAnswer(text));
//   cases.Check();
class GoCases {
 public:
  // Go's `function` of `text`. Where Go reports an error, `ours` is kError.
  void Add(absl::string_view function, absl::string_view text, absl::string_view ours);

  // Asks all questions at once, and fails the test for each answer that is not ours. Where Go is
  // missing, prints so and passes.
  void Check() const;

  static constexpr char kError[] = "error";

 private:
  struct Case {
    std::string function;
    std::string text;
    std::string ours;
  };
  std::vector<Case> cases_;
};

// Nasty texts: pieces strung together, samples, and samples with a few bytes changed. The same
// arguments make the same texts.
class TextMaker {
 public:
  TextMaker(uint64_t seed, std::vector<std::string> samples, std::vector<std::string> pieces);

  std::string Next();

  // All samples, then random texts: `count` in all.
  std::vector<std::string> Make(size_t count);

 private:
  size_t Below(size_t n) { return n == 0 ? 0 : random_() % n; }
  std::string Mutate(std::string text);

  std::mt19937_64 random_;
  const std::vector<std::string> samples_;
  const std::vector<std::string> pieces_;
};

}  // namespace kube::internal

#endif  // APIMACHINERY_TYPES_INTERNAL_GO_CASES_H_
