#include "apiserver/internal/flag_pairs.h"

#include <cstddef>
#include <set>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"

namespace kube::apiserver::internal {

absl::Status ReadFlagPairs(
    absl::string_view text,
    absl::FunctionRef<absl::Status(absl::string_view key, absl::string_view value)> set) {
  std::set<absl::string_view> seen;
  for (const absl::string_view pair : absl::StrSplit(text, ',')) {
    const size_t end = pair.find('=');
    const absl::string_view key = pair.substr(0, end);
    if (key.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", text, "\" is not a list such as verb=create,resource=pods"));
    }
    if (!seen.insert(key).second) {
      return absl::InvalidArgumentError(absl::StrCat("\"", key, "\" stands twice"));
    }
    KUBE_RETURN_IF_ERROR(set(key, end == absl::string_view::npos ? "" : pair.substr(end + 1)));
  }
  return absl::OkStatus();
}

absl::Status WrongPair(absl::string_view key, absl::string_view value, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("\"", key, "=", value, "\" is not ", expected));
}

}  // namespace kube::apiserver::internal
