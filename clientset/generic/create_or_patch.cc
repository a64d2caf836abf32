#include "clientset/generic/create_or_patch.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"

namespace kube::generic {

absl::string_view OperationResultName(OperationResult result) {
  switch (result) {
    case OperationResult::kCreated:
      return "created";
    case OperationResult::kUpdated:
      return "updated";
    case OperationResult::kUpdatedStatus:
      return "updatedStatus";
    case OperationResult::kUpdatedStatusOnly:
      return "updatedStatusOnly";
    case OperationResult::kUnchanged:
      break;
  }
  return "unchanged";
}

namespace internal {

absl::Status CheckSameName(const meta::ObjectName& before, const meta::ObjectName& after) {
  if (before == after) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("change \"", before.ToString(),
                   "\": the function must not change the name or the namespace, but it set \"",
                   after.ToString(), "\""));
}

}  // namespace internal
}  // namespace kube::generic
