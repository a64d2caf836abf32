#include "apiserver/auth/service_account.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::apiserver::internal {

std::optional<ServiceAccountName> ServiceAccountOf(absl::string_view user) {
  if (!absl::ConsumePrefix(&user, "system:serviceaccount:")) return std::nullopt;
  const std::vector<std::string> parts = absl::StrSplit(user, ':');
  if (parts.size() != 2 || !validation::NameIsDnsLabel(parts[0], false).empty() ||
      !validation::NameIsDnsSubdomain(parts[1], false).empty()) {
    return std::nullopt;
  }
  return ServiceAccountName{.namespace_name = parts[0], .name = parts[1]};
}

std::vector<std::string> ServiceAccountGroups(absl::string_view namespace_name) {
  return {"system:serviceaccounts", absl::StrCat("system:serviceaccounts:", namespace_name)};
}

}  // namespace kube::apiserver::internal
