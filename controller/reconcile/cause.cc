#include "controller/reconcile/cause.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::controller {

namespace {

absl::string_view NameOf(Cause::Type type) {
  switch (type) {
    case Cause::Type::kAdded:
      return "added";
    case Cause::Type::kUpdated:
      return "updated";
    case Cause::Type::kDeleted:
      return "deleted";
    case Cause::Type::kResync:
      return "resync";
    case Cause::Type::kInitialList:
      return "initial list";
    case Cause::Type::kRequeued:
      return "requeued";
    case Cause::Type::kRetry:
      return "retry";
    case Cause::Type::kOwnWrite:
      return "own write";
    case Cause::Type::kEnqueued:
      return "enqueued";
  }
  return "unknown";
}

}  // namespace

std::string Cause::ToString() const {
  std::string text(NameOf(type));
  if (!kind.empty()) absl::StrAppend(&text, " ", kind);
  if (!object.name.empty()) absl::StrAppend(&text, " ", object.ToString());
  if (!old_version.empty()) absl::StrAppend(&text, " ", old_version, "->", new_version);
  if (old_version.empty() && !new_version.empty()) absl::StrAppend(&text, " ", new_version);
  return text;
}

}  // namespace kube::controller
