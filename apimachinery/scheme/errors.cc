#include "apimachinery/scheme/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/schema/group_version.h"

namespace kube::scheme {

namespace {

using text::Quoted;

constexpr char kNotRegisteredUrl[] = "kube.scheme/not-registered";
constexpr char kStrictUrl[] = "kube.scheme/strict-decoding";

absl::Status MarkedError(absl::string_view url, absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(url, absl::Cord());
  return status;
}

bool IsMarked(const absl::Status& status, absl::string_view url) {
  return status.GetPayload(url).has_value();
}

}  // namespace

absl::Status NotRegisteredErrorForKind(absl::string_view scheme_name,
                                       const schema::GroupVersionKind& kind) {
  const std::string version = Quoted(kind.group_version().ToString());
  std::string what;
  if (kind.kind.empty()) {
    what = absl::StrCat("no version ", version, " has been registered");
  } else if (kind.version == kInternalVersion) {
    what = absl::StrCat("no kind ", Quoted(kind.kind),
                        " is registered for the internal version of group ", Quoted(kind.group));
  } else {
    what = absl::StrCat("no kind ", Quoted(kind.kind), " is registered for version ", version);
  }
  return MarkedError(kNotRegisteredUrl, absl::StrCat(what, " in scheme ", Quoted(scheme_name)));
}

absl::Status NotRegisteredErrorForType(absl::string_view scheme_name, absl::string_view type_name) {
  return MarkedError(kNotRegisteredUrl,
                     absl::StrCat("no kind is registered for the type ", type_name, " in scheme ",
                                  Quoted(scheme_name)));
}

absl::Status StrictDecodingError(absl::Span<const std::string> strict_errors) {
  return MarkedError(kStrictUrl,
                     absl::StrCat("strict decoding error: ", absl::StrJoin(strict_errors, ", ")));
}

bool IsNotRegistered(const absl::Status& status) { return IsMarked(status, kNotRegisteredUrl); }

bool IsStrictDecodingError(const absl::Status& status) { return IsMarked(status, kStrictUrl); }

}  // namespace kube::scheme
