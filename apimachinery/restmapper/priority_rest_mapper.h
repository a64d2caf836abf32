#ifndef APIMACHINERY_RESTMAPPER_PRIORITY_REST_MAPPER_H_
#define APIMACHINERY_RESTMAPPER_PRIORITY_REST_MAPPER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"

namespace kube::restmapper {

// Matches any group, version, resource or kind in a pattern. (client-go: `meta.AnyGroup`,
// `meta.AnyVersion`, `meta.AnyResource`, `meta.AnyKind`)
inline constexpr char kAny[] = "*";

// The preferences of a PriorityRestMapper. The patterns are applied in order: each that matches
// some of the remaining candidates removes the others, until one is left.
struct RestMapperPriority {
  std::vector<schema::GroupVersionResource> resources = {};
  std::vector<schema::GroupVersionKind> kinds = {};
};

// Chooses among candidates that another mapper finds ambiguous.
// (client-go: `meta.PriorityRESTMapper`)
//
//   PriorityRestMapper mapper(discovered,
//                             {
//                                 .resources = {{.group = "", .version = kAny, .resource = kAny}},
//                                 .kinds = {{.group = "", .version = kAny, .kind = kAny}},
//                             });
//
// If the patterns leave more than one candidate, the error satisfies IsAmbiguous. Only KindFor,
// ResourceFor and RestMappingFor choose; RestMappingFor applies the versions that its caller wants
// before the patterns. All other methods call the delegate.
//
// Thread-safe if the delegate is. Blocks as long as it does.
class PriorityRestMapper : public ResettableRestMapper {
 public:
  PriorityRestMapper(std::shared_ptr<RestMapper> delegate, RestMapperPriority priority);

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
  void Reset() override;

 private:
  const std::shared_ptr<RestMapper> delegate_;
  const RestMapperPriority priority_;
};

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_PRIORITY_REST_MAPPER_H_
