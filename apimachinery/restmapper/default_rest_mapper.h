#ifndef APIMACHINERY_RESTMAPPER_DEFAULT_REST_MAPPER_H_
#define APIMACHINERY_RESTMAPPER_DEFAULT_REST_MAPPER_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"

namespace kube::restmapper {

// The resource that UnsafeGuessKindToResource derives from a kind.
struct GuessedResource {
  schema::GroupVersionResource plural = {};
  schema::GroupVersionResource singular = {};
};
// Derives the resource of a kind, in lower case, by the rules of English: "Policy" gives "policies"
// and "policy", "Ingress" gives "ingresses", "Endpoints" gives "endpoints" for both. Not all
// resources follow these rules; use discovery or a KindInfo if you have one.
// (client-go: `meta.UnsafeGuessKindToResource`)
GuessedResource UnsafeGuessKindToResource(const schema::GroupVersionKind& kind);

// A RestMapper over a fixed set of kinds. (client-go: `meta.DefaultRESTMapper`)
//
//   DefaultRestMapper mapper(std::vector<schema::GroupVersion>{{.group = "apps", .version = "v1"}});
//   mapper.AddKinds(appsv1::Kinds());
//   mapper.Add({.group = "example.com", .version = "v1", .kind = "Widget"}, Scope::kNamespaced);
//
// Several answers are sorted: first those in the default versions, in their order, then the others
// by name. Without `versions`, RestMappingFor and RestMappingsFor use only the default versions. If
// no kind has the group of a partial resource without a version, the group is taken as a prefix:
// "storage" finds "storage.k8s.io".
//
// Build, then immutable: the Add methods are not thread-safe, all others are. Never blocks.
class DefaultRestMapper : public RestMapper {
 public:
  // `default_versions` are sorted best first. Name the members, as in the example above: {{"apps",
  // "v1"}} is ambiguous in C++ and does not compile.
  explicit DefaultRestMapper(std::vector<schema::GroupVersion> default_versions)
      : default_versions_(std::move(default_versions)) {}

  // Adds a kind under the names that UnsafeGuessKindToResource gives.
  void Add(const schema::GroupVersionKind& kind, Scope scope);

  // Adds a kind under the given names. Replaces what was added before for the kind or the names.
  void AddSpecific(const schema::GroupVersionKind& kind, const schema::GroupVersionResource& plural,
                   const schema::GroupVersionResource& singular, Scope scope);

  // Adds those of `kinds` that are served as a resource, under their own names.
  void AddKinds(absl::Span<const KindInfo> kinds);

  absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionKind>> KindsFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionResource>> ResourcesFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<RestMapping> RestMappingFor(const Context& ctx, const schema::GroupKind& kind,
                                             absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                   absl::string_view resource) const override;

 private:
  struct Served {
    schema::GroupVersionResource resource;
    Scope scope;
  };

  const std::vector<schema::GroupVersion> default_versions_;
  std::map<schema::GroupVersionResource, schema::GroupVersionKind> resource_to_kind_;
  std::map<schema::GroupVersionResource, schema::GroupVersionResource> plural_to_singular_;
  std::map<schema::GroupVersionKind, Served> kind_to_resource_;
};

// Makes a mapper of all kinds of `lists`. Their group-versions become the default versions, in the
// given order. Never fails.
//
//   const DefaultRestMapper mapper = MapperFromKinds({corev1::Kinds(), appsv1::Kinds()});
//
// client-go's `testrestmapper.TestOnlyStaticRESTMapper` must guess the resources; a KindInfo has
// them.
DefaultRestMapper MapperFromKinds(absl::Span<const absl::Span<const KindInfo>> lists);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_DEFAULT_REST_MAPPER_H_
