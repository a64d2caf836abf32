#ifndef CLIENTSET_SCALE_SCALE_CLIENT_H_
#define CLIENTSET_SCALE_SCALE_CLIENT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/rest/client.h"
#include "clientset/scale/scale_kind_resolver.h"

namespace kube::scale {

// Scales anything that has a scale, whatever it is: deployments, replica sets, custom resources.
// (scale.ScalesGetter, and scale.ScaleInterface by Namespace)
//
//   scale::ScaleClient scales(clientset.client(), mapper,
//                             std::make_shared<scale::DiscoveryScaleKindResolver>(cache));
//   const schema::GroupResource deployments = {.group = "apps", .resource = "deployments"};
//   KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale web,
//                         scales.Namespace("prod").Get(ctx, deployments, "web"));
//   web.spec.replicas = 5;
//   scales.Namespace("prod").Update(ctx, deployments, web);
//
// A resource that an old server scales by another kind is converted, there and back. All calls
// block, until ctx is done at the latest. Errors: those of the mapper and the resolver, which may
// ask the server; the server's, see errors/predicates.h; INVALID_ARGUMENT for names that are
// missing or no path may have, and for selectors that are none.
//
// A handle: cheap to copy. Thread-safe.
class ScaleClient {
 public:
  // The mapper finds the version of a resource. (New)
  ScaleClient(rest::Client client, std::shared_ptr<const restmapper::RestMapper> mapper,
              std::shared_ptr<const ScaleKindResolver> resolver)
      : client_(std::move(client)), mapper_(std::move(mapper)), resolver_(std::move(resolver)) {}

  // The same in one namespace; "", where it begins, is for resources that are in none. (Scales)
  ScaleClient Namespace(absl::string_view name) const;

  absl::StatusOr<api::autoscaling::v1::Scale> Get(
      const Context& ctx, const schema::GroupResource& resource, absl::string_view name,
      const api::meta::v1::GetOptions& options = {}) const;

  // errors::IsConflict: metadata.resource_version is not the present one.
  absl::StatusOr<api::autoscaling::v1::Scale> Update(
      const Context& ctx, const schema::GroupResource& resource,
      const api::autoscaling::v1::Scale& scale,
      const api::meta::v1::UpdateOptions& options = {}) const;

  // `data` is about the scale, as the server has it. Asks neither the mapper nor the resolver.
  absl::StatusOr<api::autoscaling::v1::Scale> Patch(
      const Context& ctx, const schema::GroupVersionResource& resource, absl::string_view name,
      patch::PatchType type, absl::string_view data,
      const api::meta::v1::PatchOptions& options = {}) const;

 private:
  absl::StatusOr<schema::GroupVersionResource> Find(const Context& ctx,
                                                    const schema::GroupResource& resource) const;

  rest::Client client_;
  std::shared_ptr<const restmapper::RestMapper> mapper_;
  std::shared_ptr<const ScaleKindResolver> resolver_;
  std::string namespace_name_;
};

}  // namespace kube::scale

#endif  // CLIENTSET_SCALE_SCALE_CLIENT_H_
