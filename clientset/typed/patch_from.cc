#include "clientset/typed/patch_from.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/typed/internal/body.h"

namespace kube::typed::internal {

using unstructured::Value;

absl::StatusOr<MergePatch> MakePatchFrom(const void* before, const void* after,
                                         const kube::table::Message& message,
                                         bool optimistic_lock) {
  ObjectId id = IdOf(before, message);
  if (id.name.empty()) return absl::InvalidArgumentError("patch: name is required");
  KUBE_ASSIGN_OR_RETURN(const Value from, unstructured::ToValue(before, message), "patch ",
                        id.name);
  KUBE_ASSIGN_OR_RETURN(const Value to, unstructured::ToValue(after, message), "patch ", id.name);
  KUBE_ASSIGN_OR_RETURN(Value patch, patch::MakeMergePatch(from, to), "patch ", id.name);
  if (patch.object() == nullptr || patch.object()->empty()) {
    return MergePatch{.name = std::move(id.name), .text = {}};
  }
  // The server compares both fields with its object: another resource version is a conflict,
  // another UID is invalid.
  Map<Value>& members = *patch.object();
  Value& metadata = members["metadata"];
  if (metadata.is_null()) metadata = Map<Value>::Empty();
  if (!id.uid.empty()) {
    KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(members, id.uid, {"metadata", "uid"}),
                         "patch ", id.name);
  }
  if (optimistic_lock) {
    if (id.resource_version.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "patch ", id.name,
          ": cannot use OptimisticLock, object does not have any resource version we can use"));
    }
    KUBE_RETURN_IF_ERROR(
        unstructured::SetNestedField(members, id.resource_version, {"metadata", "resourceVersion"}),
        "patch ", id.name);
  }
  KUBE_ASSIGN_OR_RETURN(std::string text, unstructured::EncodeJson(patch), "patch ", id.name);
  return MergePatch{.name = std::move(id.name), .text = std::move(text)};
}

}  // namespace kube::typed::internal
