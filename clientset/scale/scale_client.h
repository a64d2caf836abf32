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

// Reads and changes the scale of any resource that has one: deployments, replica sets, custom
// resources. (client-go: `scale.ScalesGetter`, and `scale.ScaleInterface` by Namespace)
//
//   const scale::ScaleClient scales(client, mapper,
//                                   std::make_shared<scale::DiscoveryScaleKindResolver>(cache));
//   const schema::GroupResource deployments = {.group = "apps", .resource = "deployments"};
//   KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale web,
//                         scales.Namespace("prod").Get(ctx, deployments, "web"));
//   web.spec.replicas = 5;
//   return scales.Namespace("prod").Update(ctx, deployments, web).status();
//
// If an old server uses another kind of Scale, objects are converted in both directions. All calls
// block until they are done, but at most until `ctx` is. They return the errors of the mapper and
// the resolver, which may ask the server; the server's errors (errors/predicates.h); and
// INVALID_ARGUMENT if a name is missing or not a valid path segment, or if a selector is invalid.
//
// A handle: cheap to copy. Thread-safe.
class ScaleClient {
 public:
  // The mapper finds the version of a resource. (client-go: `scale.New`)
  ScaleClient(rest::Client client, std::shared_ptr<const restmapper::RestMapper> mapper,
              std::shared_ptr<const ScaleKindResolver> resolver)
      : client_(std::move(client)), mapper_(std::move(mapper)), resolver_(std::move(resolver)) {}

  // Returns a client for one namespace. "", the default, is for cluster-scoped resources.
  // (client-go: `Scales`)
  ScaleClient Namespace(absl::string_view name) const;

  // Returns the scale of an object, or NOT_FOUND if the object does not exist.
  absl::StatusOr<api::autoscaling::v1::Scale> Get(
      const Context& ctx, const schema::GroupResource& resource, absl::string_view name,
      const api::meta::v1::GetOptions& options = {}) const;

  // Replaces the scale. Returns a conflict (errors::IsConflict) if metadata.resource_version is not
  // the current one.
  absl::StatusOr<api::autoscaling::v1::Scale> Update(
      const Context& ctx, const schema::GroupResource& resource,
      const api::autoscaling::v1::Scale& scale,
      const api::meta::v1::UpdateOptions& options = {}) const;

  // Applies the patch `data` to the scale, in the server's own version of it. Uses neither the
  // mapper nor the resolver.
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
