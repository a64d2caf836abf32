#include "apimachinery/restmapper/priority_rest_mapper.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

bool Fits(absl::string_view pattern, absl::string_view name) {
  return pattern == kAny || pattern == name;
}

bool Fits(const GroupVersionResource& pattern, const GroupVersionResource& resource) {
  return Fits(pattern.group, resource.group) && Fits(pattern.version, resource.version) &&
         Fits(pattern.resource, resource.resource);
}

bool Fits(const GroupVersionKind& pattern, const GroupVersionKind& kind) {
  return Fits(pattern.group, kind.group) && Fits(pattern.version, kind.version) &&
         Fits(pattern.kind, kind.kind);
}

bool Fits(const GroupVersionKind& pattern, const RestMapping& mapping) {
  return Fits(pattern, mapping.kind);
}

// Applies the patterns to the candidates. Returns nullopt unless exactly one candidate is left.
template <typename T, typename Pattern>
std::optional<T> Narrow(std::vector<T> remaining, const std::vector<Pattern>& patterns) {
  for (const Pattern& pattern : patterns) {
    if (remaining.size() == 1) break;
    std::vector<T> matching;
    for (const T& candidate : remaining) {
      if (Fits(pattern, candidate)) matching.push_back(candidate);
    }
    if (!matching.empty()) remaining = std::move(matching);
  }
  if (remaining.size() != 1) return std::nullopt;
  return std::move(remaining[0]);
}

}  // namespace

PriorityRestMapper::PriorityRestMapper(std::shared_ptr<RestMapper> delegate,
                                       RestMapperPriority priority)
    : delegate_(std::move(delegate)), priority_(std::move(priority)) {}

absl::StatusOr<GroupVersionResource> PriorityRestMapper::ResourceFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionResource> found,
                        delegate_->ResourcesFor(ctx, partial));
  std::optional<GroupVersionResource> one = Narrow(found, priority_.resources);
  if (!one.has_value()) return AmbiguousResourceError(partial, {.resources = found});
  return *std::move(one);
}

absl::StatusOr<GroupVersionKind> PriorityRestMapper::KindFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionKind> found, delegate_->KindsFor(ctx, partial));
  std::optional<GroupVersionKind> one = Narrow(found, priority_.kinds);
  if (!one.has_value()) return AmbiguousResourceError(partial, {.kinds = found});
  return *std::move(one);
}

absl::StatusOr<RestMapping> PriorityRestMapper::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<RestMapping> found,
                        delegate_->RestMappingsFor(ctx, kind, versions));
  std::vector<GroupVersionKind> patterns;
  for (const std::string& version : versions) {
    patterns.push_back({.group = kind.group, .version = version, .kind = kAny});
  }
  patterns.insert(patterns.end(), priority_.kinds.begin(), priority_.kinds.end());
  std::optional<RestMapping> one = Narrow(found, patterns);
  if (one.has_value()) return *std::move(one);
  Candidates candidates;
  for (const RestMapping& mapping : found) candidates.kinds.push_back(mapping.kind);
  return AmbiguousKindError(kind.WithVersion(""), candidates);
}

absl::StatusOr<std::vector<RestMapping>> PriorityRestMapper::RestMappingsFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return delegate_->RestMappingsFor(ctx, kind, versions);
}

absl::StatusOr<std::vector<GroupVersionResource>> PriorityRestMapper::ResourcesFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return delegate_->ResourcesFor(ctx, partial);
}

absl::StatusOr<std::vector<GroupVersionKind>> PriorityRestMapper::KindsFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  return delegate_->KindsFor(ctx, partial);
}

absl::StatusOr<std::string> PriorityRestMapper::ResourceSingularizer(
    const Context& ctx, absl::string_view resource) const {
  return delegate_->ResourceSingularizer(ctx, resource);
}

void PriorityRestMapper::Reset() { MaybeResetRestMapper(*delegate_); }

}  // namespace kube::restmapper
