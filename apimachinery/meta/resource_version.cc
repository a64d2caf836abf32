#include "apimachinery/meta/resource_version.h"

#include <compare>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::meta {

namespace {

bool IsWellFormed(absl::string_view version) {
  return !version.empty() && version[0] != '0' && absl::c_all_of(version, absl::ascii_isdigit);
}

}  // namespace

absl::StatusOr<std::strong_ordering> CompareResourceVersion(absl::string_view a,
                                                            absl::string_view b) {
  for (const absl::string_view version : {a, b}) {
    if (!IsWellFormed(version)) {
      return absl::InvalidArgumentError(
          absl::StrCat("resource version is not well formed: ", version));
    }
  }
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

}  // namespace kube::meta
