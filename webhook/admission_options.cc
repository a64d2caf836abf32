#include "webhook/admission_options.h"

#include "absl/strings/string_view.h"

namespace kube::webhook {

absl::string_view ToString(FailurePolicy policy) {
  switch (policy) {
    case FailurePolicy::kFail:
      return "Fail";
    case FailurePolicy::kIgnore:
      break;
  }
  return "Ignore";
}

absl::string_view ToString(SideEffects side_effects) {
  switch (side_effects) {
    case SideEffects::kNone:
      return "None";
    case SideEffects::kNoneOnDryRun:
      break;
  }
  return "NoneOnDryRun";
}

}  // namespace kube::webhook
