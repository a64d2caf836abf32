#include "clientset/metadata/metadata_client.h"

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
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::metadata {

namespace metav1 = api::meta::v1;
using metav1::PartialObjectMetadata;
using metav1::PartialObjectMetadataList;
using typed::AnyTarget;

namespace {

// As client-go. The last one of the first is for servers that cannot do it: an object has metadata
// where these have them.
constexpr char kAcceptObject[] =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr char kAcceptList[] =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
constexpr char kAccept[] = "application/vnd.kubernetes.protobuf,application/json";

// (isLikelyObjectMetadata) Anything that is JSON decodes as metadata.
absl::Status CheckMetadata(const metav1::ObjectMeta& metadata, absl::string_view verb,
                           const schema::GroupVersionResource& resource) {
  if (!metadata.uid.empty() || metadata.creation_timestamp != Time() || !metadata.name.empty() ||
      !metadata.generate_name.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(verb, " ", resource.group_resource().ToString(),
                                                 ": the answer has no metadata"));
}

}  // namespace

absl::Status ResourceClient::CheckName(absl::string_view verb, absl::string_view name) const {
  if (!name.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(verb, " ", resource_.group_resource().ToString(), ": name is required"));
}

absl::StatusOr<PartialObjectMetadata> ResourceClient::Get(
    const Context& ctx, absl::string_view name, const metav1::GetOptions& options,
    const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("get", name));
  absl::StatusOr<PartialObjectMetadata> object(absl::in_place);
  KUBE_RETURN_IF_ERROR(
      core_.AtSubresource(subresources).Get(ctx, name, "", options, AnyTarget::Of(*object)));
  KUBE_RETURN_IF_ERROR(CheckMetadata(object->metadata, "get", resource_));
  return object;
}

absl::StatusOr<PartialObjectMetadataList> ResourceClient::List(
    const Context& ctx, const metav1::ListOptions& options) const {
  absl::StatusOr<PartialObjectMetadataList> list(absl::in_place);
  KUBE_RETURN_IF_ERROR(core_.List(ctx, options, AnyTarget::Of(*list)));
  for (PartialObjectMetadata& item : list->items) item.kind = item.api_version = String();
  return list;
}

absl::StatusOr<typed::Page<PartialObjectMetadata, PartialObjectMetadataList>>
ResourceClient::ListPage(const Context& ctx, const metav1::ListOptions& options,
                         const typed::PageOptions& page_options) const {
  absl::StatusOr<typed::Page<PartialObjectMetadata, PartialObjectMetadataList>> page(
      absl::in_place);
  KUBE_RETURN_IF_ERROR(core_.ListPage(
      ctx, options, page_options, PartialObjectMetadata::kMessage, AnyTarget::Of(page->list),
      [&page](std::shared_ptr<const void> item) {
        page->items.push_back(std::static_pointer_cast<const PartialObjectMetadata>(item));
        return absl::OkStatus();
      }));
  return page;
}

absl::StatusOr<std::unique_ptr<watch::Watcher<PartialObjectMetadata>>> ResourceClient::Watch(
    const Context& ctx, const metav1::ListOptions& options,
    const typed::WatchStreamOptions& watch_options) const {
  KUBE_ASSIGN_OR_RETURN(typed::WatchBody body, core_.Watch(ctx, options, watch_options));
  if (body.stream == nullptr) return std::make_unique<watch::EmptyWatcher<PartialObjectMetadata>>();
  return std::make_unique<watch::StreamWatcher<PartialObjectMetadata>>(
      body.content_type, std::move(body.stream),
      typed::MakeStreamWatcherOptions(watch_options, PartialObjectMetadata::kMessage));
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

absl::StatusOr<PartialObjectMetadata> ResourceClient::Patch(
    const Context& ctx, absl::string_view name, patch::PatchType type, absl::string_view data,
    const metav1::PatchOptions& options, const std::vector<std::string>& subresources) const {
  KUBE_RETURN_IF_ERROR(CheckName("patch", name));
  absl::StatusOr<PartialObjectMetadata> object(absl::in_place);
  KUBE_RETURN_IF_ERROR(
      core_.Patch(ctx, name, type, data, options, subresources, AnyTarget::Of(*object)));
  KUBE_RETURN_IF_ERROR(CheckMetadata(object->metadata, "patch", resource_));
  return object;
}

ResourceClient MetadataClient::Resource(const schema::GroupVersionResource& resource) const {
  return ResourceClient(typed::TypedCore(client_, resource,
                                         {.accept_object = kAcceptObject,
                                          .accept_list = kAcceptList,
                                          .accept = kAccept,
                                          .limits_watch = true}),
                        resource);
}

}  // namespace kube::metadata
