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

// Where the objects of a kind are served. (meta.RESTMapping)
struct RestMapping {
  schema::GroupVersionResource resource = {};
  schema::GroupVersionKind kind = {};
  Scope scope = Scope::kNone;

  friend bool operator==(const RestMapping&, const RestMapping&) = default;
};

// Goes between kinds, which objects name, and resources, which paths and people name.
// (meta.RESTMapper)
//
//   RestMapper& mapper = ...;
//   KUBE_ASSIGN_OR_RETURN(RestMapping mapping,
//                         mapper.RestMappingFor(ctx, {.group = "apps", .kind = "Deployment"}, {}));
//   // mapping.resource: apps/v1, Resource=deployments; mapping.scope: Scope::kNamespaced
//
// A partial resource has a resource and leaves out what it does not know of the group and the
// version; singular and plural are both taken, in any case.
//
// Some implementations ask a server: all calls may then block until it answers or `ctx` is done.
// Those here never do. Errors: IsNoMatch, IsAmbiguous (restmapper/errors.h), INVALID_ARGUMENT for a
// resource without a name, and whatever the server's client says.
//
// Calls of one object from several threads are safe unless a class says otherwise.
class RestMapper {
 public:
  virtual ~RestMapper() = default;

  // The one kind of a partial resource; ambiguous if there are several.
  virtual absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // All of them, best first; never none.
  virtual absl::StatusOr<std::vector<schema::GroupVersionKind>> KindsFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // The one full resource of a partial one; ambiguous if there are several.
  virtual absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // All of them, best first; never none.
  virtual absl::StatusOr<std::vector<schema::GroupVersionResource>> ResourcesFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const = 0;

  // Where to find objects of `kind`: in the first of `versions` that has it; without versions, in
  // the one that is preferred. (RESTMapping; another name, for RestMapping is the struct)
  virtual absl::StatusOr<RestMapping> RestMappingFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const = 0;

  // Without versions: all that there are, best first; never none. (RESTMappings)
  virtual absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const = 0;

  // "pod" of "pods". (ResourceSingularizer, which on error also returns what it was given)
  virtual absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                           absl::string_view resource) const = 0;
};

// One that remembers a server's answers and can forget them. Those that ask other mappers are such,
// and pass it on. (meta.ResettableRESTMapper)
class ResettableRestMapper : public RestMapper {
 public:
  virtual void Reset() = 0;
};

// Resets `mapper` if it can be. For when a name should be there and is not.
// (meta.MaybeResetRESTMapper)
void MaybeResetRestMapper(RestMapper& mapper);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_REST_MAPPER_H_
