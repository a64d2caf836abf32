#ifndef APISERVER_CRD_SCHEMA_INTERNAL_GO_REGEXP_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_GO_REGEXP_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "re2/re2.h"

namespace kube::crd_schema::internal {

// A regular expression as Go's regexp package reads it: RE2's syntax, names of groups also as
// (?<name>...), no \C. Build, then immutable: thread-safe.
class GoRegexp {
 public:
  explicit GoRegexp(absl::string_view pattern);

  // "" of a pattern that is one; otherwise what regexp.Compile says:
  //   error parsing regexp: missing closing ): `(a`
  const std::string& error() const { return error_; }

  // Whether it matches anywhere in `text`; false of one with an error. (MatchString)
  bool Matches(absl::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> regexp_;
  std::string error_;
};

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_GO_REGEXP_H_
