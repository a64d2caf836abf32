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

// The resource of a kind by the rules of English, in lower case: "Policy" is "policies" and
// "policy", "Ingress" "ingresses", "Endpoints" "endpoints" both. Not all resources follow it; where
// discovery or a KindInfo is at hand, ask that. (meta.UnsafeGuessKindToResource)
struct GuessedResource {
  schema::GroupVersionResource plural = {};
  schema::GroupVersionResource singular = {};
};
GuessedResource UnsafeGuessKindToResource(const schema::GroupVersionKind& kind);

// A RestMapper over the kinds that it was told of. (meta.DefaultRESTMapper)
//
//   DefaultRestMapper mapper({{.group = "apps", .version = "v1"}});
//   mapper.AddKinds(appsv1::Kinds());
//   mapper.Add({.group = "example.com", .version = "v1", .kind = "Widget"}, Scope::kNamespaced);
//
// Where more than one answer fits, those of the default versions come first, in their order, then
// the others by name. Without a version, RestMappingFor only looks at default versions. A group
// that no kind has stands for all that begin with it: "storage" for "storage.k8s.io".
//
// Build, then immutable: the Add functions are not thread-safe, all else is.
class DefaultRestMapper : public RestMapper {
 public:
  // `default_versions`: the best first. Name their members, as above: {{"apps", "v1"}} is ambiguous
  // to C++, and does not compile.
  explicit DefaultRestMapper(std::vector<schema::GroupVersion> default_versions)
      : default_versions_(std::move(default_versions)) {}

  // A kind under the names of UnsafeGuessKindToResource.
  void Add(const schema::GroupVersionKind& kind, Scope scope);

  // A kind under these names. What was known of the kind or of the names is replaced.
  void AddSpecific(const schema::GroupVersionKind& kind, const schema::GroupVersionResource& plural,
                   const schema::GroupVersionResource& singular, Scope scope);

  // Those of `kinds` that have a resource, under their own names.
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

// One over whole lists, whose group-versions are the default versions in the order given.
//
//   const DefaultRestMapper mapper = MapperFromKinds({corev1::Kinds(), appsv1::Kinds()});
//
// (What testrestmapper.TestOnlyStaticRESTMapper guesses from a Scheme is known here.)
DefaultRestMapper MapperFromKinds(absl::Span<const absl::Span<const KindInfo>> lists);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_DEFAULT_REST_MAPPER_H_
