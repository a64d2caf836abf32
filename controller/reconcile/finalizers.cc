#include "controller/reconcile/finalizers.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/validation/label.h"

namespace kube::controller::internal {

absl::Status CheckFinalizer(absl::string_view finalizer, absl::Span<const std::string> registered,
                            bool has_function) {
  if (std::find(registered.begin(), registered.end(), finalizer) != registered.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("finalizer for key \"", finalizer, "\" already registered"));
  }
  const auto wrong = validation::IsQualifiedName(finalizer);
  if (!wrong.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("register finalizer \"", finalizer, "\": ", absl::StrJoin(wrong, "; ")));
  }
  // Names without a domain belong to Kubernetes.
  if (finalizer.find('/') == absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        "register finalizer \"", finalizer,
        "\": name should be qualified with a domain, such as example.com/", finalizer));
  }
  if (!has_function) {
    return absl::InvalidArgumentError(
        absl::StrCat("register finalizer \"", finalizer, "\": there is no function"));
  }
  return absl::OkStatus();
}

}  // namespace kube::controller::internal
