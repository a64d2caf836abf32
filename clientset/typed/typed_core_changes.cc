// The calls of TypedCore that make their own patches: Apply and Edit.

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/retry/retry.h"
#include "clientset/typed/internal/body.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::typed {

namespace metav1 = api::meta::v1;
using internal::EncodeConfiguration;
using internal::IdOf;
using internal::NameOfConfiguration;
using internal::ObjectId;
using kube::table::Message;
using unstructured::Value;

namespace {

metav1::PatchOptions PatchOptionsOf(const metav1::ApplyOptions& options) {
  metav1::PatchOptions patch;
  patch.dry_run = options.dry_run;
  patch.force = options.force;
  patch.field_manager = options.field_manager;
  return patch;
}

// Returns the patch that turns `before` into `object`, or nullopt if they are equal. For custom
// resources servers refuse strategic merge patches, because there are no rules for merging their
// lists.
absl::StatusOr<std::optional<Value>> Difference(const Value& before, const void* object,
                                                const Message& message, bool strategic) {
  KUBE_ASSIGN_OR_RETURN(const Value after, unstructured::ToValue(object, message));
  Value patch;
  if (strategic) {
    KUBE_ASSIGN_OR_RETURN(patch, patch::MakeStrategicMergePatch(before, after, message, {}));
  } else {
    KUBE_ASSIGN_OR_RETURN(patch, patch::MakeMergePatch(before, after));
  }
  if (patch.object() == nullptr || patch.object()->empty()) return std::optional<Value>();
  return std::optional<Value>(std::move(patch));
}

// Makes the server apply the patch only to this state of this object, and return a conflict
// otherwise. Returns INVALID_ARGUMENT if the metadata in the patch is not an object.
absl::Status AddPrecondition(Map<Value>& patch, const ObjectId& id) {
  Value& metadata = patch["metadata"];
  if (metadata.is_null()) metadata = Map<Value>::Empty();
  if (!id.uid.empty()) {
    KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(patch, id.uid, {"metadata", "uid"}));
  }
  if (id.resource_version.empty()) return absl::OkStatus();
  return unstructured::SetNestedField(patch, id.resource_version, {"metadata", "resourceVersion"});
}

// Makes the struct empty again, as it was before the call.
void Reset(AnyTarget target) {
  kube::table::DestroyValue(static_cast<char*>(target.data), {.kind = kube::table::Kind::kMessage,
                                                              .size = target.message->size,
                                                              .message = target.message});
  std::memset(target.data, 0, target.message->size);
}

}  // namespace

absl::Status TypedCore::Apply(const Context& ctx, AnyStruct configuration,
                              absl::string_view subresource, const metav1::ApplyOptions& options,
                              AnyTarget to) const {
  const std::string name = NameOfConfiguration(configuration.data, *configuration.message);
  if (name.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("apply ", shared_->resource.resource, ": name must be provided to Apply"));
  }
  KUBE_ASSIGN_OR_RETURN(
      const std::string body,
      EncodeConfiguration(configuration.data, *configuration.message,
                          {.api_version = shared_->api_version, .kind = shared_->kind}),
      "apply ", shared_->resource.resource);
  std::vector<std::string> path;
  if (!subresource.empty()) path.emplace_back(subresource);
  return Patch(ctx, name, patch::PatchType::kApply, body, PatchOptionsOf(options), path, to);
}

absl::Status TypedCore::ApplySubresource(const Context& ctx, absl::string_view name,
                                         const Subresource& subresource, AnyStruct configuration,
                                         const metav1::ApplyOptions& options, AnyTarget to) const {
  const std::string api_version = subresource.group.empty()
                                      ? std::string(subresource.version)
                                      : absl::StrCat(subresource.group, "/", subresource.version);
  KUBE_ASSIGN_OR_RETURN(const std::string body,
                        EncodeConfiguration(configuration.data, *configuration.message,
                                            {.api_version = api_version, .kind = subresource.kind}),
                        "apply ", shared_->resource.resource, "/", subresource.name);
  return Patch(ctx, name, patch::PatchType::kApply, body, PatchOptionsOf(options),
               {std::string(subresource.name)}, to);
}

absl::Status TypedCore::Edit(const Context& ctx, absl::string_view name, const EditOptions& options,
                             absl::FunctionRef<absl::Status()> change, AnyTarget to) const {
  std::vector<std::string> path;
  if (!options.subresource.empty()) path.push_back(options.subresource);
  const bool strategic = shared_->built_in;
  // Only conflicts of our own patch are retried. A conflict that `change` returns is about another
  // object, which `change` has written itself.
  bool is_changed = false;
  const auto edit = [&]() -> absl::Status {
    Reset(to);
    is_changed = false;
    KUBE_RETURN_IF_ERROR(Get(ctx, name, "", {}, to));
    const ObjectId id = IdOf(to.data, *to.message);
    KUBE_ASSIGN_OR_RETURN(const Value before, unstructured::ToValue(to.data, *to.message));
    KUBE_RETURN_IF_ERROR(change());
    is_changed = true;
    KUBE_ASSIGN_OR_RETURN(std::optional<Value> patch,
                          Difference(before, to.data, *to.message, strategic), "edit ",
                          shared_->resource.resource, " \"", name, "\"");
    if (!patch.has_value()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(AddPrecondition(*patch->object(), id), "edit ", shared_->resource.resource,
                         " \"", name, "\"");
    KUBE_ASSIGN_OR_RETURN(const std::string body, unstructured::EncodeJson(*patch));
    Reset(to);
    return Patch(ctx, name,
                 strategic ? patch::PatchType::kStrategicMerge : patch::PatchType::kMerge, body,
                 options.patch, path, to);
  };
  return retry::OnError(
      ctx, options.backoff,
      [&](const absl::Status& error) { return is_changed && errors::IsConflict(error); }, edit);
}

}  // namespace kube::typed
