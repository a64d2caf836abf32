#include "clientset/metadata/metadata_client.h"

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/time.h"
#include "clientset/typed/typed_core.h"

namespace kube::metadata {

namespace metav1 = api::meta::v1;
using metav1::PartialObjectMetadata;

namespace {

// The same as client-go's. The trailing "application/json" is a fallback for servers that cannot
// return PartialObjectMetadata: they send the whole object, whose metadata is in the same place.
constexpr char kAcceptObject[] =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr char kAcceptList[] =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
constexpr char kAccept[] = "application/vnd.kubernetes.protobuf,application/json";

// Any JSON object decodes as metadata, so the result must look like it. (client-go:
// `metadata.isLikelyObjectMetadata`)
absl::Status CheckMetadata(const void* answer, const kube::table::Message& message) {
  if (&message != &PartialObjectMetadata::kMessage) return absl::OkStatus();
  const metav1::ObjectMeta& metadata = static_cast<const PartialObjectMetadata*>(answer)->metadata;
  if (!metadata.uid.empty() || metadata.creation_timestamp != Time() || !metadata.name.empty() ||
      !metadata.generate_name.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("object does not appear to match the ObjectMeta schema");
}

}  // namespace

ResourceClient MetadataClient::Resource(const schema::GroupVersionResource& resource) const {
  return ResourceClient(typed::TypedCore(client_, resource,
                                         {.accept_object = kAcceptObject,
                                          .accept_list = kAcceptList,
                                          .accept = kAccept,
                                          .limits_watch = true,
                                          .check = CheckMetadata}));
}

}  // namespace kube::metadata
