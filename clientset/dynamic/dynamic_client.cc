#include "clientset/dynamic/dynamic_client.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/utility/utility.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::dynamic {

namespace metav1 = api::meta::v1;
using typed::AnyStruct;
using typed::AnyTarget;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

namespace {

// As in client-go, which accepts nothing else, even if the server offers nothing else.
constexpr char kAccept[] = "application/json";

// Decoding accepts an object without a kind.
absl::Status CheckKind(const void* answer, const kube::table::Message& message) {
  const bool is_list = &message == &UnstructuredList::kMessage;
  const absl::string_view kind = is_list ? static_cast<const UnstructuredList*>(answer)->kind.view()
                                         : static_cast<const Unstructured*>(answer)->kind();
  return kind.empty() ? schema::MissingKindError("the object") : absl::OkStatus();
}

}  // namespace

absl::StatusOr<Unstructured> ResourceClient::Create(
    const Context& ctx, const Unstructured& object, const metav1::CreateOptions& options,
    const std::vector<std::string>& subresources) const {
  absl::StatusOr<Unstructured> created(absl::in_place);
  KUBE_RETURN_IF_ERROR(core()
                           .AtSubresource(subresources)
                           .Create(ctx, AnyStruct::Of(object), options, AnyTarget::Of(*created)));
  return created;
}

absl::StatusOr<Unstructured> ResourceClient::Update(
    const Context& ctx, const Unstructured& object, const metav1::UpdateOptions& options,
    const std::vector<std::string>& subresources) const {
  absl::StatusOr<Unstructured> updated(absl::in_place);
  KUBE_RETURN_IF_ERROR(
      core()
          .AtSubresource(subresources)
          .Update(ctx, AnyStruct::Of(object), "", options, AnyTarget::Of(*updated)));
  return updated;
}

absl::StatusOr<Unstructured> ResourceClient::UpdateStatus(
    const Context& ctx, const Unstructured& object, const metav1::UpdateOptions& options) const {
  return Update(ctx, object, options, {"status"});
}

absl::StatusOr<Unstructured> ResourceClient::Apply(
    const Context& ctx, absl::string_view name, const Unstructured& configuration,
    const metav1::ApplyOptions& options, const std::vector<std::string>& subresources) const {
  if (!configuration.managed_fields().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("apply ", resource().group_resource().ToString(), " \"", name,
                     "\": cannot apply an object with managed fields already set"));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string body, codec::EncodeJson(configuration), "apply ",
                        resource().group_resource().ToString());
  metav1::PatchOptions patch_options;
  patch_options.dry_run = options.dry_run;
  patch_options.force = options.force;
  patch_options.field_manager = options.field_manager;
  return Patch(ctx, name, patch::PatchType::kApply, body, patch_options, subresources);
}

absl::StatusOr<Unstructured> ResourceClient::ApplyStatus(
    const Context& ctx, absl::string_view name, const Unstructured& configuration,
    const metav1::ApplyOptions& options) const {
  return Apply(ctx, name, configuration, options, {"status"});
}

absl::StatusOr<Unstructured> ResourceClient::Edit(
    const Context& ctx, absl::string_view name,
    absl::FunctionRef<absl::Status(Unstructured&)> change,
    const typed::EditOptions& options) const {
  absl::StatusOr<Unstructured> object(absl::in_place);
  KUBE_RETURN_IF_ERROR(core().Edit(
      ctx, name, options, [&] { return change(*object); }, AnyTarget::Of(*object)));
  return object;
}

ResourceClient DynamicClient::Resource(const schema::GroupVersionResource& resource) const {
  return ResourceClient(typed::TypedCore(
      client_, resource,
      {.accept_object = kAccept, .accept_list = kAccept, .accept = kAccept, .check = CheckKind}));
}

absl::StatusOr<ResourceClient> DynamicClient::ResourceOfKind(
    const Context& ctx, const restmapper::RestMapper& mapper,
    const schema::GroupVersionKind& kind) const {
  std::vector<std::string> versions;
  if (!kind.version.empty()) versions.push_back(kind.version);
  KUBE_ASSIGN_OR_RETURN(const restmapper::RestMapping mapping,
                        mapper.RestMappingFor(ctx, kind.group_kind(), versions));
  return Resource(mapping.resource);
}

}  // namespace kube::dynamic
