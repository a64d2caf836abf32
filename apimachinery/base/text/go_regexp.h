#ifndef APIMACHINERY_BASE_TEXT_GO_REGEXP_H_
#define APIMACHINERY_BASE_TEXT_GO_REGEXP_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "re2/re2.h"

namespace kube::text {

// A regular expression in the syntax of Go's regexp package: RE2's, with (?<name>...) for named
// groups and without \C. Build, then immutable; thread-safe.
class GoRegexp {
 public:
  explicit GoRegexp(absl::string_view pattern);

  // Returns the error of regexp.Compile, or "" if the pattern is valid:
  //   error parsing regexp: missing closing ): `(a`
  const std::string& error() const { return error_; }

  // Returns whether it matches anywhere in `text` (Go: `MatchString`). Returns false if the pattern
  // is not valid.
  bool Matches(absl::string_view text) const;

  // Returns the compiled expression. Null if the pattern is not valid.
  const re2::RE2* compiled() const { return regexp_.get(); }

 private:
  std::unique_ptr<const re2::RE2> regexp_;
  std::string error_;
};

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_GO_REGEXP_H_
