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

// What several mappers know together, in their order, each thing once. Where two of them have
// different answers, what asks for one is ambiguous. (meta.MultiRESTMapper)
//
//   MultiRestMapper mapper({built_in, discovered});
//
// A mapper without a match is passed over. Another error of one of them is the error of all, but
// for RestMappingFor, which is content where exactly one of the others has an answer.
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
  // The first one's that has it; of several errors the last.
  absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                   absl::string_view resource) const override;
  void Reset() override;

 protected:
  const std::vector<std::shared_ptr<RestMapper>>& mappers() const { return mappers_; }

 private:
  const std::vector<std::shared_ptr<RestMapper>> mappers_;
};

// A MultiRestMapper where, of what asks for one answer, the first mapper that has one is right.
// Errors, too, are then passed over; if there is nothing else, they are joined, or it is the first
// one where none had a match. (meta.FirstHitRESTMapper)
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
