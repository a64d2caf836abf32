#ifndef APIMACHINERY_CEL_INTERNAL_REGEXP_H_
#define APIMACHINERY_CEL_INTERNAL_REGEXP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_regexp.h"
#include "apimachinery/cel/internal/budget.h"

namespace kube::cel::internal {

// A regular expression of Go's package regexp. Build, then immutable; thread-safe.
class Regexp {
 public:
  // Returns INVALID_ARGUMENT with Go's words: "error parsing regexp: missing closing ): `(a`".
  static absl::StatusOr<std::shared_ptr<const Regexp>> Compile(absl::string_view pattern);

  // Returns whether it matches anywhere in the text.
  bool Matches(absl::string_view text) const { return regexp_->Matches(text); }
  // Returns the first match, or "". (Go: `FindString`)
  std::string Find(absl::string_view text) const;
  // Returns at most `limit` matches that do not overlap; all if it is negative. (Go:
  // `FindAllString`)
  std::vector<std::string> FindAll(absl::string_view text, int64_t limit, Budget& budget) const;

  // Returns the size of the compiled program, in instructions.
  uint64_t program_size() const;

 private:
  explicit Regexp(std::unique_ptr<const text::GoRegexp> regexp) : regexp_(std::move(regexp)) {}

  const std::unique_ptr<const text::GoRegexp> regexp_;
};

// Keeps the expressions that one evaluation compiles. Thread-compatible.
class RegexpCache {
 public:
  // Returns the compiled expression. Compiling counts as work of the budget.
  absl::StatusOr<std::shared_ptr<const Regexp>> Get(absl::string_view pattern, Budget& budget);

 private:
  absl::flat_hash_map<std::string, std::shared_ptr<const Regexp>> compiled_;
};

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_REGEXP_H_
