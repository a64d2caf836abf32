#include "apimachinery/restmapper/multi_rest_mapper.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"

namespace kube::restmapper {

namespace {

using schema::GroupVersionKind;
using schema::GroupVersionResource;
using Mappers = std::vector<std::shared_ptr<RestMapper>>;

// Asks all mappers and returns their answers without duplicates.
template <typename T, typename Ask>
absl::StatusOr<std::vector<T>> Collect(const Mappers& mappers, const GroupVersionResource& partial,
                                       Ask ask) {
  std::vector<T> all;
  for (const std::shared_ptr<RestMapper>& mapper : mappers) {
    absl::StatusOr<std::vector<T>> found = ask(*mapper);
    if (IsNoMatch(found.status())) continue;
    KUBE_RETURN_IF_ERROR(found.status());
    for (T& name : *found) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
    }
  }
  if (all.empty()) return NoResourceMatchError(partial);
  return all;
}

// Returns the first answer of a mapper; `none` if there are no mappers.
template <typename T, typename Ask>
absl::StatusOr<T> FirstHit(const Mappers& mappers, const absl::Status& none, Ask ask) {
  std::vector<absl::Status> errors;
  for (const std::shared_ptr<RestMapper>& mapper : mappers) {
    absl::StatusOr<T> found = ask(*mapper);
    if (found.ok()) return found;
    errors.push_back(found.status());
  }
  if (errors.empty()) return none;
  // All these errors have the same text.
  if (std::all_of(errors.begin(), errors.end(), IsNoMatch)) return errors[0];
  return JoinErrors(errors);
}

}  // namespace

absl::StatusOr<std::vector<GroupVersionResource>> MultiRestMapper::ResourcesFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return Collect<GroupVersionResource>(mappers_, partial, [&](const RestMapper& mapper) {
    return mapper.ResourcesFor(ctx, partial);
  });
}

absl::StatusOr<std::vector<GroupVersionKind>> MultiRestMapper::KindsFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return Collect<GroupVersionKind>(
      mappers_, partial, [&](const RestMapper& mapper) { return mapper.KindsFor(ctx, partial); });
}

absl::StatusOr<GroupVersionResource> MultiRestMapper::ResourceFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionResource> found, ResourcesFor(ctx, partial));
  if (found.size() == 1) return found[0];
  return AmbiguousResourceError(partial, {.resources = found});
}

absl::StatusOr<GroupVersionKind> MultiRestMapper::KindFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionKind> found, KindsFor(ctx, partial));
  if (found.size() == 1) return found[0];
  return AmbiguousResourceError(partial, {.kinds = found});
}

absl::StatusOr<RestMapping> MultiRestMapper::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  std::vector<RestMapping> all;
  std::vector<absl::Status> errors;
  for (const std::shared_ptr<RestMapper>& mapper : mappers_) {
    absl::StatusOr<RestMapping> found = mapper->RestMappingFor(ctx, kind, versions);
    if (found.ok()) {
      all.push_back(*std::move(found));
    } else if (!IsNoMatch(found.status())) {
      errors.push_back(found.status());
    }
  }
  if (all.size() == 1) return all[0];
  if (!all.empty()) {
    Candidates candidates;
    for (const RestMapping& mapping : all) candidates.kinds.push_back(mapping.kind);
    return AmbiguousKindError(kind.WithVersion(""), candidates);
  }
  if (!errors.empty()) return JoinErrors(errors);
  return NoKindMatchError(kind, versions);
}

absl::StatusOr<std::vector<RestMapping>> MultiRestMapper::RestMappingsFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  std::vector<RestMapping> all;
  std::vector<absl::Status> errors;
  for (const std::shared_ptr<RestMapper>& mapper : mappers_) {
    absl::StatusOr<std::vector<RestMapping>> found = mapper->RestMappingsFor(ctx, kind, versions);
    if (found.ok()) {
      all.insert(all.end(), found->begin(), found->end());
    } else if (!IsNoMatch(found.status())) {
      errors.push_back(found.status());
    }
  }
  if (!errors.empty()) return JoinErrors(errors);
  if (all.empty()) return NoKindMatchError(kind, versions);
  return all;
}

absl::StatusOr<std::string> MultiRestMapper::ResourceSingularizer(
    const Context& ctx, absl::string_view resource) const {
  absl::StatusOr<std::string> singular =
      NoResourceMatchError({.group = {}, .version = {}, .resource = std::string(resource)});
  for (const std::shared_ptr<RestMapper>& mapper : mappers_) {
    singular = mapper->ResourceSingularizer(ctx, resource);
    if (singular.ok()) break;
  }
  return singular;
}

void MultiRestMapper::Reset() {
  for (const std::shared_ptr<RestMapper>& mapper : mappers_) MaybeResetRestMapper(*mapper);
}

absl::StatusOr<GroupVersionResource> FirstHitRestMapper::ResourceFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return FirstHit<GroupVersionResource>(
      mappers(), NoResourceMatchError(partial),
      [&](const RestMapper& mapper) { return mapper.ResourceFor(ctx, partial); });
}

absl::StatusOr<GroupVersionKind> FirstHitRestMapper::KindFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return FirstHit<GroupVersionKind>(
      mappers(), NoResourceMatchError(partial),
      [&](const RestMapper& mapper) { return mapper.KindFor(ctx, partial); });
}

absl::StatusOr<RestMapping> FirstHitRestMapper::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return FirstHit<RestMapping>(
      mappers(), NoKindMatchError(kind, versions),
      [&](const RestMapper& mapper) { return mapper.RestMappingFor(ctx, kind, versions); });
}

}  // namespace kube::restmapper
