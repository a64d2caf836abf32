#include "clientset/scale/scale_client.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/extensions/v1beta1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/rest/client.h"
#include "clientset/scale/convert.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_core.h"

namespace kube::scale {

namespace autoscalingv1 = api::autoscaling::v1;
namespace extensionsv1beta1 = api::extensions::v1beta1;
namespace metav1 = api::meta::v1;
using typed::AnyStruct;
using typed::AnyTarget;
using unstructured::Unstructured;

namespace {

constexpr char kScale[] = "scale";

// Scales are received as unstructured objects, since their kind may differ.
typed::TypedCore CoreOf(const rest::Client& client, const std::string& namespace_name,
                        const schema::GroupVersionResource& resource) {
  const typed::Resource typed = {.group = resource.group,
                                 .version = resource.version,
                                 .plural = resource.resource,
                                 .namespaced = false};
  return typed::TypedCore(client, typed, Unstructured::kMessage).InNamespace(namespace_name);
}

}  // namespace

ScaleClient ScaleClient::Namespace(absl::string_view name) const {
  ScaleClient other = *this;
  other.namespace_name_ = std::string(name);
  return other;
}

absl::StatusOr<schema::GroupVersionResource> ScaleClient::Find(
    const Context& ctx, const schema::GroupResource& resource) const {
  KUBE_ASSIGN_OR_RETURN(
      schema::GroupVersionResource found, mapper_->ResourceFor(ctx, resource.WithVersion("")),
      "unable to get full preferred group-version-resource for ", resource.ToString());
  return found;
}

absl::StatusOr<autoscalingv1::Scale> ScaleClient::Get(const Context& ctx,
                                                      const schema::GroupResource& resource,
                                                      absl::string_view name,
                                                      const metav1::GetOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersionResource found, Find(ctx, resource));
  Unstructured object;
  KUBE_RETURN_IF_ERROR(CoreOf(client_, namespace_name_, found)
                           .Get(ctx, name, kScale, options, AnyTarget::Of(object)));
  return ScaleOf(object);
}

absl::StatusOr<autoscalingv1::Scale> ScaleClient::Update(
    const Context& ctx, const schema::GroupResource& resource, const autoscalingv1::Scale& scale,
    const metav1::UpdateOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersionResource found, Find(ctx, resource));
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersionKind kind,
                        resolver_->ScaleForResource(ctx, found));
  const typed::Subresource subresource = {
      .name = kScale, .group = kind.group, .version = kind.version, .kind = kind.kind};
  const typed::TypedCore core = CoreOf(client_, namespace_name_, found);
  const absl::string_view name = scale.metadata.name;
  Unstructured object;
  if (kind.group == "autoscaling" && kind.version == "v1") {
    KUBE_ASSIGN_OR_RETURN(const autoscalingv1::Scale sent, Normalized(scale), "update scale");
    KUBE_RETURN_IF_ERROR(core.UpdateSubresource(ctx, name, subresource, AnyStruct::Of(sent),
                                                options, AnyTarget::Of(object)));
  } else if (IsOldScale(kind.group_version())) {
    KUBE_ASSIGN_OR_RETURN(const extensionsv1beta1::Scale sent, OldScaleOf(scale), "update scale");
    KUBE_RETURN_IF_ERROR(core.UpdateSubresource(ctx, name, subresource, AnyStruct::Of(sent),
                                                options, AnyTarget::Of(object)));
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("update scale of ", found.ToString(), ": unexpected kind ", kind.ToString()));
  }
  return ScaleOf(object);
}

absl::StatusOr<autoscalingv1::Scale> ScaleClient::Patch(
    const Context& ctx, const schema::GroupVersionResource& resource, absl::string_view name,
    patch::PatchType type, absl::string_view data, const metav1::PatchOptions& options) const {
  Unstructured object;
  KUBE_RETURN_IF_ERROR(CoreOf(client_, namespace_name_, resource)
                           .Patch(ctx, name, type, data, options, {kScale}, AnyTarget::Of(object)));
  return ScaleOf(object);
}

}  // namespace kube::scale
