#include "clientset/dynamic/dynamic_client.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

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
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::dynamic {

namespace metav1 = api::meta::v1;
using typed::AnyStruct;
using typed::AnyTarget;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

namespace {

// As client-go, which does not take anything else, even if nothing else is there.
constexpr char kAccept[] = "application/json";

// What decoding is too lenient for.
absl::Status CheckKind(absl::string_view kind, absl::string_view what,
                       const schema::GroupVersionResource& resource) {
  if (!kind.empty()) return absl::OkStatus();
  return base::Annotate(schema::MissingKindError("the object"),
                        absl::StrCat(what, " ", resource.group_resource().ToString()));
}

absl::StatusOr<Unstructured> Checked(absl::Status status, Unstructured object,
                                     absl::string_view verb,
                                     const schema::GroupVersionResource& resource) {
  KUBE_RETURN_IF_ERROR(status);
  KUBE_RETURN_IF_ERROR(CheckKind(object.kind(), verb, resource));
  return object;
}

}  // namespace

absl::Status ResourceClient::CheckName(absl::string_view verb, absl::string_view name) const {
  if (!name.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(verb, " ", resource_.group_resource().ToString(), ": name is required"));
}

absl::StatusOr<Unstructured> ResourceClient::Get(
    const Context& ctx, absl::string_view name, const metav1::GetOptions& options,
    const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("get", name));
  Unstructured object;
  absl::Status status =
      core_.AtSubresource(subresources).Get(ctx, name, "", options, AnyTarget::Of(object));
  return Checked(std::move(status), std::move(object), "get", resource_);
}

absl::StatusOr<UnstructuredList> ResourceClient::List(const Context& ctx,
                                                      const metav1::ListOptions& options) const {
  absl::StatusOr<UnstructuredList> list(absl::in_place);
  KUBE_RETURN_IF_ERROR(core_.List(ctx, options, AnyTarget::Of(*list)));
  KUBE_RETURN_IF_ERROR(CheckKind(list->kind, "list", resource_));
  return list;
}

absl::StatusOr<std::unique_ptr<watch::Watcher<Unstructured>>> ResourceClient::Watch(
    const Context& ctx, const metav1::ListOptions& options,
    const typed::WatchStreamOptions& watch_options) const {
  KUBE_ASSIGN_OR_RETURN(typed::WatchBody body, core_.Watch(ctx, options, watch_options));
  if (body.stream == nullptr) return std::make_unique<watch::EmptyWatcher<Unstructured>>();
  return std::make_unique<watch::StreamWatcher<Unstructured>>(
      body.content_type, std::move(body.stream),
      typed::MakeStreamWatcherOptions(watch_options, Unstructured::kMessage));
}

absl::StatusOr<Unstructured> ResourceClient::Create(
    const Context& ctx, const Unstructured& object, const metav1::CreateOptions& options,
    const std::vector<std::string>& subresources) const {
  if (!subresources.empty()) KUBE_RETURN_IF_ERROR(CheckName("create", object.name()));
  Unstructured created;
  absl::Status status = core_.AtSubresource(subresources)
                            .Create(ctx, AnyStruct::Of(object), options, AnyTarget::Of(created));
  return Checked(std::move(status), std::move(created), "create", resource_);
}

absl::StatusOr<Unstructured> ResourceClient::Update(
    const Context& ctx, const Unstructured& object, const metav1::UpdateOptions& options,
    const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("update", object.name()));
  Unstructured updated;
  absl::Status status =
      core_.AtSubresource(subresources)
          .Update(ctx, AnyStruct::Of(object), "", options, AnyTarget::Of(updated));
  return Checked(std::move(status), std::move(updated), "update", resource_);
}

absl::StatusOr<Unstructured> ResourceClient::UpdateStatus(
    const Context& ctx, const Unstructured& object, const metav1::UpdateOptions& options) const {
  return Update(ctx, object, options, {"status"});
}

absl::Status ResourceClient::Delete(const Context& ctx, absl::string_view name,
                                    const metav1::DeleteOptions& options,
                                    const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("delete", name));
  return core_.AtSubresource(subresources).Delete(ctx, name, options);
}

absl::Status ResourceClient::DeleteCollection(const Context& ctx,
                                              const metav1::DeleteOptions& options,
                                              const metav1::ListOptions& list_options) const {
  return core_.DeleteCollection(ctx, options, list_options);
}

absl::StatusOr<Unstructured> ResourceClient::Patch(
    const Context& ctx, absl::string_view name, patch::PatchType type, absl::string_view data,
    const metav1::PatchOptions& options, const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("patch", name));
  Unstructured patched;
  absl::Status status =
      core_.Patch(ctx, name, type, data, options, subresources, AnyTarget::Of(patched));
  return Checked(std::move(status), std::move(patched), "patch", resource_);
}

absl::StatusOr<Unstructured> ResourceClient::Apply(
    const Context& ctx, absl::string_view name, const Unstructured& configuration,
    const metav1::ApplyOptions& options, const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("apply", name));
  if (!configuration.managed_fields().empty()) {
    return absl::InvalidArgumentError(absl::StrCat("apply ", resource_.group_resource().ToString(),
                                                   " \"", name,
                                                   "\": the configuration has managed fields"));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string body, codec::EncodeJson(configuration), "apply ",
                        resource_.group_resource().ToString());
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

ResourceClient DynamicClient::Resource(const schema::GroupVersionResource& resource) const {
  return ResourceClient(
      typed::TypedCore(client_, resource,
                       {.accept_object = kAccept, .accept_list = kAccept, .accept = kAccept}),
      resource);
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
