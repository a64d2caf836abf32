#include "apimachinery/schema/missing_kind.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::schema {

namespace {

constexpr char kMissingKindUrl[] = "kube.schema/missing-kind";
constexpr char kMissingVersionUrl[] = "kube.schema/missing-version";

absl::Status MissingError(absl::string_view url, absl::string_view member,
                          absl::string_view object) {
  absl::Status status = absl::InvalidArgumentError(
      absl::StrCat("Object '", member, "' is missing in '", object, "'"));
  status.SetPayload(url, absl::Cord());
  return status;
}

}  // namespace

absl::Status MissingKindError(absl::string_view object) {
  return MissingError(kMissingKindUrl, "Kind", object);
}

absl::Status MissingVersionError(absl::string_view object) {
  return MissingError(kMissingVersionUrl, "apiVersion", object);
}

bool IsMissingKind(const absl::Status& status) {
  return status.GetPayload(kMissingKindUrl).has_value();
}

bool IsMissingVersion(const absl::Status& status) {
  return status.GetPayload(kMissingVersionUrl).has_value();
}

}  // namespace kube::schema
