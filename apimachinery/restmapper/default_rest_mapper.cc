#include "apimachinery/restmapper/default_rest_mapper.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/types/kind_info.h"

namespace kube::restmapper {

namespace {

using schema::GroupVersion;
using schema::GroupVersionKind;
using schema::GroupVersionResource;

absl::StatusOr<GroupVersionResource> Coerced(const GroupVersionResource& partial) {
  GroupVersionResource resource = partial;
  resource.resource = absl::AsciiStrToLower(resource.resource);
  // No server serves it, so it counts as no version.
  if (resource.version == scheme::kInternalVersion) resource.version.clear();
  if (resource.resource.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a resource must be present, got: ", resource.ToString()));
  }
  return resource;
}

// Whether a group must be equal or only a prefix.
enum class GroupMatch { kWhole, kPrefix };

// Returns whether `partial`, which Coerced has returned, may stand for `resource`.
bool Matches(const GroupVersionResource& partial, const GroupVersionResource& resource,
             GroupMatch group_match) {
  if (partial.resource != resource.resource) return false;
  if (!partial.version.empty() && partial.version != resource.version) return false;
  if (partial.group.empty()) return true;
  return group_match == GroupMatch::kPrefix ? absl::StartsWith(resource.group, partial.group)
                                            : partial.group == resource.group;
}

// Sorts by the position of the group-version in `preferred`, then by name. The result of upstream's
// comparison for other versions depends on the sort algorithm.
template <typename T>
void SortByPreference(std::vector<T>& found, const std::vector<GroupVersion>& preferred) {
  const auto rank = [&preferred](const T& name) {
    return std::find(preferred.begin(), preferred.end(), name.group_version()) - preferred.begin();
  };
  std::sort(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(),
                   [&rank](const T& a, const T& b) { return rank(a) < rank(b); });
}

// Returns whether the group may be taken as a prefix. With a version it must be complete.
bool MayBePrefix(const GroupVersionResource& partial) {
  return !partial.group.empty() && partial.version.empty();
}

}  // namespace

GuessedResource UnsafeGuessKindToResource(const GroupVersionKind& kind) {
  if (kind.kind.empty()) return {};
  const GroupVersion version = kind.group_version();
  const std::string singular = absl::AsciiStrToLower(kind.kind);
  std::string plural = absl::StrCat(singular, "s");
  if (absl::EndsWith(singular, "endpoints")) {
    plural = singular;
  } else if (absl::EndsWith(singular, "s")) {
    plural = absl::StrCat(singular, "es");
  } else if (absl::EndsWith(singular, "y")) {
    plural = absl::StrCat(singular.substr(0, singular.size() - 1), "ies");
  }
  return {.plural = version.WithResource(plural), .singular = version.WithResource(singular)};
}

void DefaultRestMapper::Add(const GroupVersionKind& kind, Scope scope) {
  const GuessedResource guessed = UnsafeGuessKindToResource(kind);
  AddSpecific(kind, guessed.plural, guessed.singular, scope);
}

void DefaultRestMapper::AddSpecific(const GroupVersionKind& kind,
                                    const GroupVersionResource& plural,
                                    const GroupVersionResource& singular, Scope scope) {
  plural_to_singular_[plural] = singular;
  resource_to_kind_[singular] = kind;
  resource_to_kind_[plural] = kind;
  kind_to_resource_[kind] = {.resource = plural, .scope = scope};
}

void DefaultRestMapper::AddKinds(absl::Span<const KindInfo> kinds) {
  for (const KindInfo& kind : kinds) {
    if (kind.scope == Scope::kNone) continue;
    const GroupVersion version = {.group = std::string(kind.group),
                                  .version = std::string(kind.version)};
    AddSpecific(version.WithKind(kind.kind), version.WithResource(kind.plural),
                version.WithResource(kind.singular), kind.scope);
  }
}

absl::StatusOr<std::vector<GroupVersionResource>> DefaultRestMapper::ResourcesFor(
    const Context&, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(const GroupVersionResource wanted, Coerced(partial));
  std::vector<GroupVersionResource> found;
  if (!wanted.group.empty() && !wanted.version.empty()) {
    // Several plurals may match; upstream takes a random one. An exact plural is preferred here.
    if (plural_to_singular_.contains(wanted)) return {{wanted}};
    for (const auto& [plural, singular] : plural_to_singular_) {
      if (singular == wanted) return {{plural}};
    }
    return NoResourceMatchError(wanted);
  }
  // A resource whose singular equals its plural is found twice, and so ambiguous, as upstream.
  const auto collect = [&](GroupMatch group_match) {
    for (const auto& [plural, singular] : plural_to_singular_) {
      // For a prefix, upstream compares only with the group of the plural.
      const GroupVersionResource as_singular = {
          .group = group_match == GroupMatch::kPrefix ? plural.group : singular.group,
          .version = singular.version,
          .resource = singular.resource};
      if (Matches(wanted, as_singular, group_match)) found.push_back(plural);
      if (Matches(wanted, plural, group_match)) found.push_back(plural);
    }
  };
  collect(GroupMatch::kWhole);
  if (found.empty() && MayBePrefix(wanted)) collect(GroupMatch::kPrefix);
  if (found.empty()) return NoResourceMatchError(wanted);
  SortByPreference(found, default_versions_);
  return found;
}

absl::StatusOr<GroupVersionResource> DefaultRestMapper::ResourceFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionResource> found, ResourcesFor(ctx, partial));
  if (found.size() == 1) return found[0];
  return AmbiguousResourceError(partial, {.resources = found});
}

absl::StatusOr<std::vector<GroupVersionKind>> DefaultRestMapper::KindsFor(
    const Context&, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(const GroupVersionResource wanted, Coerced(partial));
  std::vector<GroupVersionKind> found;
  const auto collect = [&](GroupMatch group_match) {
    for (const auto& [resource, kind] : resource_to_kind_) {
      if (Matches(wanted, resource, group_match)) found.push_back(kind);
    }
  };
  if (!wanted.group.empty() && !wanted.version.empty()) {
    const auto it = resource_to_kind_.find(wanted);
    if (it != resource_to_kind_.end()) found.push_back(it->second);
  } else {
    collect(GroupMatch::kWhole);
    if (found.empty() && MayBePrefix(wanted)) collect(GroupMatch::kPrefix);
  }
  if (found.empty()) return NoResourceMatchError(partial);
  SortByPreference(found, default_versions_);
  return found;
}

absl::StatusOr<GroupVersionKind> DefaultRestMapper::KindFor(
    const Context& ctx, const GroupVersionResource& partial) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<GroupVersionKind> found, KindsFor(ctx, partial));
  if (found.size() == 1) return found[0];
  return AmbiguousResourceError(partial, {.kinds = found});
}

absl::StatusOr<RestMapping> DefaultRestMapper::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  KUBE_ASSIGN_OR_RETURN(std::vector<RestMapping> found, RestMappingsFor(ctx, kind, versions));
  return found[0];
}

absl::StatusOr<std::vector<RestMapping>> DefaultRestMapper::RestMappingsFor(
    const Context&, const schema::GroupKind& kind, absl::Span<const std::string> versions) const {
  std::vector<GroupVersionKind> potential;
  bool had_version = false;
  for (const std::string& version : versions) {
    if (version.empty() || version == scheme::kInternalVersion) continue;
    had_version = true;
    if (!kind_to_resource_.contains(kind.WithVersion(version))) continue;
    potential.push_back(kind.WithVersion(version));
    break;
  }
  if (!had_version) {
    for (const GroupVersion& version : default_versions_) {
      if (version.group == kind.group) potential.push_back(kind.WithVersion(version.version));
    }
  }
  if (potential.empty()) return NoKindMatchError(kind, versions);

  std::vector<RestMapping> mappings;
  for (const GroupVersionKind& candidate : potential) {
    const auto it = kind_to_resource_.find(candidate);
    if (it == kind_to_resource_.end()) continue;
    mappings.push_back(
        {.resource = it->second.resource, .kind = candidate, .scope = it->second.scope});
  }
  // Upstream, too, puts the kind in the place of the resource.
  if (mappings.empty()) {
    return NoResourceMatchError({.group = kind.group, .version = {}, .resource = kind.kind});
  }
  return mappings;
}

absl::StatusOr<std::string> DefaultRestMapper::ResourceSingularizer(
    const Context& ctx, absl::string_view resource) const {
  const GroupVersionResource partial = {
      .group = {}, .version = {}, .resource = std::string(resource)};
  KUBE_ASSIGN_OR_RETURN(const std::vector<GroupVersionResource> found, ResourcesFor(ctx, partial));
  GroupVersionResource singular;
  for (const GroupVersionResource& plural : found) {
    const GroupVersionResource& candidate = plural_to_singular_.at(plural);
    if (singular.empty()) {
      singular = candidate;
    } else if (candidate.resource != singular.resource) {
      const auto print = [](std::string* out, const GroupVersionResource& name) {
        absl::StrAppend(out, name.ToString());
      };
      return absl::InvalidArgumentError(absl::StrCat("multiple possible singular resources ([",
                                                     absl::StrJoin(found, " ", print),
                                                     "]) found for ", resource));
    }
  }
  if (singular.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no singular of resource ", resource, " has been defined"));
  }
  return singular.resource;
}

DefaultRestMapper MapperFromKinds(absl::Span<const absl::Span<const KindInfo>> lists) {
  std::vector<GroupVersion> versions;
  for (const absl::Span<const KindInfo> kinds : lists) {
    for (const KindInfo& kind : kinds) {
      GroupVersion version = {.group = std::string(kind.group),
                              .version = std::string(kind.version)};
      if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
        versions.push_back(std::move(version));
      }
    }
  }
  DefaultRestMapper mapper(std::move(versions));
  for (const absl::Span<const KindInfo> kinds : lists) mapper.AddKinds(kinds);
  return mapper;
}

}  // namespace kube::restmapper
