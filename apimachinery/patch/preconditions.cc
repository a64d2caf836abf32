#include "apimachinery/patch/preconditions.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch {
namespace {

using unstructured::Value;

constexpr absl::string_view kPreconditionPayload = "kube.patch/precondition";
constexpr absl::string_view kConflictPayload = "kube.patch/conflict";

absl::Status Marked(absl::Status status, absl::string_view payload) {
  status.SetPayload(payload, absl::Cord());
  return status;
}

}  // namespace

Precondition RequireKeyUnchanged(absl::string_view key) {
  return [key = std::string(key)](const Value& patch) {
    if (patch.Find(key) == nullptr) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("patch changes ", key));
  };
}

Precondition RequireMetadataKeyUnchanged(absl::string_view key) {
  return [key = std::string(key)](const Value& patch) {
    const Value* metadata = patch.Find("metadata");
    if (metadata == nullptr || metadata->Find(key) == nullptr) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("patch changes metadata.", key));
  };
}

bool IsPreconditionFailed(const absl::Status& status) {
  return status.GetPayload(kPreconditionPayload).has_value();
}

bool IsConflict(const absl::Status& status) {
  return status.GetPayload(kConflictPayload).has_value();
}

namespace internal {

absl::Status CheckPreconditions(const std::vector<Precondition>& preconditions,
                                const Value& patch) {
  for (const Precondition& precondition : preconditions) {
    const absl::Status status = precondition(patch);
    if (status.ok()) continue;
    return Marked(
        absl::FailedPreconditionError(absl::StrCat("precondition failed: ", status.message())),
        kPreconditionPayload);
  }
  return absl::OkStatus();
}

absl::Status ConflictError(absl::string_view path) {
  return Marked(absl::AbortedError(absl::StrCat(
                    "the patch conflicts with changes made from original to current: ", path)),
                kConflictPayload);
}

}  // namespace internal
}  // namespace kube::patch
