#ifndef APIMACHINERY_RESTMAPPER_MULTI_REST_MAPPER_H_
#define APIMACHINERY_RESTMAPPER_MULTI_REST_MAPPER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"

namespace kube::restmapper {

// Combines the answers of several mappers, in their order and without duplicates. If the mappers
// give different answers, a method that returns a single one returns an error that satisfies
// IsAmbiguous. (client-go: `meta.MultiRESTMapper`)
//
//   MultiRestMapper mapper({built_in, discovered});
//
// A mapper without a match is skipped. Any other error of a mapper is returned, except from
// RestMappingFor, which ignores it if another mapper has an answer. RestMappingsFor keeps
// duplicates.
//
// Thread-safe if the mappers are. Blocks as long as they do.
class MultiRestMapper : public ResettableRestMapper {
 public:
  explicit MultiRestMapper(std::vector<std::shared_ptr<RestMapper>> mappers)
      : mappers_(std::move(mappers)) {}

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
  // Returns the answer of the first mapper that has one; otherwise the last mapper's error.
  absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                   absl::string_view resource) const override;
  void Reset() override;

 protected:
  const std::vector<std::shared_ptr<RestMapper>>& mappers() const { return mappers_; }

 private:
  const std::vector<std::shared_ptr<RestMapper>> mappers_;
};

// A MultiRestMapper whose methods that return a single answer take it from the first mapper that
// has one. Errors of the mappers before it are ignored. If no mapper has an answer, the error is
// that of the first mapper if none has a match, otherwise the errors joined.
// (client-go: `meta.FirstHitRESTMapper`)
class FirstHitRestMapper : public MultiRestMapper {
 public:
  using MultiRestMapper::MultiRestMapper;

  absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<RestMapping> RestMappingFor(const Context& ctx, const schema::GroupKind& kind,
                                             absl::Span<const std::string> versions) const override;
};

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_MULTI_REST_MAPPER_H_
