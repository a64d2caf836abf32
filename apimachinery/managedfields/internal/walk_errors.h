#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_WALK_ERRORS_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_WALK_ERRORS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::managedfields::internal {

// The errors that a walk through a value found, with their paths. A path is put together while the
// walk returns, so that a walk without errors does not pay for it. Unlike upstream, only the first
// kMaxErrors are kept, and the others are counted: a small body can have a million errors, each
// with a long path (structured-merge-diff: `typed.ValidationErrors`). Thread-compatible.
//
//   const size_t count = errors.size();
//   Walk(member);
//   errors.Prefix(count, [&] { return absl::StrCat(".", name); });
class WalkErrors {
 public:
  static constexpr size_t kMaxErrors = 100;

  // Returns the number of errors that are kept.
  size_t size() const { return errors_.size(); }

  // Adds an error at the place where the walk is.
  void Add(std::string message);
  // Puts the text that `make_text` returns before the paths of all errors but the first `count`.
  // Does not call it if there are no others.
  template <typename MakeText>
  void Prefix(size_t count, const MakeText& make_text) {
    if (count != errors_.size()) [[unlikely]]
      PrefixAll(count, make_text());
  }

  // Returns OK if there are no errors, else INVALID_ARGUMENT with upstream's text: that of the only
  // error, or all of them, one a line, below the line "errors:"; and how many there are besides
  // those that are kept.
  absl::Status ToStatus() const;

 private:
  struct Error {
    std::string path;
    std::string message;
  };

  void PrefixAll(size_t count, absl::string_view text);

  std::vector<Error> errors_;
  size_t left_out_ = 0;
};

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_WALK_ERRORS_H_
