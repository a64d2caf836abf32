#ifndef APIMACHINERY_RESTMAPPER_REST_MAPPER_H_
#define APIMACHINERY_RESTMAPPER_REST_MAPPER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"

namespace kube::restmapper {

// Says under which resource, and in which scope, the objects of a kind are served.
// (client-go: `meta.RESTMapping`)
struct RestMapping {
  schema::GroupVersionResource resource = {};
  schema::GroupVersionKind kind = {};
  Scope scope = Scope::kNone;

  friend bool operator==(const RestMapping&, const RestMapping&) = default;
};

// Maps between kinds, which objects state, and resources, which URLs and users name.
// (client-go: `meta.RESTMapper`)
//
//   KUBE_ASSIGN_OR_RETURN(RestMapping mapping,
//                         mapper.RestMappingFor(ctx, {.group = "apps", .kind = "Deployment"}, {}));
//   return mapping.resource.resource;  // "deployments"; mapping.scope is Scope::kNamespaced
//
// A partial resource has a resource name; its group and version may be empty. The name may be in
// singular or plural, and in any case.
//
// An implementation may ask a server; then every call may block until the server answers or `ctx`
// is done. The mappers of this package block only if a mapper that they use does.
//
// Errors are IsNoMatch and IsAmbiguous (restmapper/errors.h), INVALID_ARGUMENT for a resource
// without a name, and those of the client that asks the server.
//
// Thread-safe unless a class says otherwise.
class RestMapper {
 public:
  virtual ~RestMapper() = default;

  // Returns the kind of a partial resource. Returns an error that satisfies IsAmbiguous if there
  // are several.
  virtual absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // Returns all kinds of a partial resource, best first. The result is never empty.
  virtual absl::StatusOr<std::vector<schema::GroupVersionKind>> KindsFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // Returns the full resource that a partial one stands for. Returns an error that satisfies
  // IsAmbiguous if there are several.
  virtual absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // Returns all resources that a partial one may stand for, best first. The result is never empty.
  virtual absl::StatusOr<std::vector<schema::GroupVersionResource>> ResourcesFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // Returns where objects of `kind` are served: in the first of `versions` that has the kind or, if
  // `versions` is empty, in the preferred version. (client-go: `RESTMapper.RESTMapping`; renamed,
  // because RestMapping is the struct)
  virtual absl::StatusOr<RestMapping> RestMappingFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const = 0;

  // Returns all mappings of `kind`, best first. If `versions` is not empty, a mapper only uses the
  // first of them that has the kind. The result is never empty.
  // (client-go: `RESTMapper.RESTMappings`)
  virtual absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const = 0;

  // Returns the singular of a resource: "pod" for "pods".
  // (client-go: `RESTMapper.ResourceSingularizer`, which returns its argument along with an error)
  virtual absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                           absl::string_view resource) const = 0;
};

// A mapper that caches a server's answers and can discard them. Mappers that use other mappers are
// of this type, too, and pass Reset on. (client-go: `meta.ResettableRESTMapper`)
class ResettableRestMapper : public RestMapper {
 public:
  virtual void Reset() = 0;
};

// Resets `mapper` if it is a ResettableRestMapper. Call it if a name that should exist has no
// match, and try again. (client-go: `meta.MaybeResetRESTMapper`)
void MaybeResetRestMapper(RestMapper& mapper);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_REST_MAPPER_H_
