#ifndef APIMACHINERY_SCHEMA_GROUP_VERSION_H_
#define APIMACHINERY_SCHEMA_GROUP_VERSION_H_

#include <compare>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The names of API types and resources, which the whole SDK passes around. (apimachinery's
// pkg/runtime/schema)
//
//   const GroupVersion apps_v1 = {.group = "apps", .version = "v1"};
//   const GroupVersionKind kind = apps_v1.WithKind("Deployment");
//   if (kind.group_kind() == GroupKind{.group = "apps", .kind = "Deployment"}) ...
//
// All are plain values: ordered by group, then version, then kind or resource, each by bytes;
// hashable by absl's and the standard's containers. The core group is "". Nothing here checks that
// a name is a valid one. Thread-compatible.
namespace kube::schema {

struct GroupVersionKind;
struct GroupVersionResource;

// "apps/v1". (schema.GroupVersion)
struct GroupVersion {
  std::string group = {};
  std::string version = {};

  bool empty() const { return group.empty() && version.empty(); }
  GroupVersionKind WithKind(absl::string_view kind) const;
  GroupVersionResource WithResource(absl::string_view resource) const;

  // "apps/v1"; of the core group "v1": what an object's apiVersion says.
  std::string ToString() const;

  friend auto operator<=>(const GroupVersion&, const GroupVersion&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersion& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersion& value) {
    return H::combine(std::move(h), value.group, value.version);
  }
};

// A kind without a version. (schema.GroupKind)
struct GroupKind {
  std::string group = {};
  std::string kind = {};

  bool empty() const { return group.empty() && kind.empty(); }
  GroupVersionKind WithVersion(absl::string_view version) const;

  // "Deployment.apps"; of the core group "Pod".
  std::string ToString() const;

  friend auto operator<=>(const GroupKind&, const GroupKind&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupKind& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupKind& value) {
    return H::combine(std::move(h), value.group, value.kind);
  }
};

// A resource without a version. (schema.GroupResource)
struct GroupResource {
  std::string group = {};
  std::string resource = {};

  bool empty() const { return group.empty() && resource.empty(); }
  GroupVersionResource WithVersion(absl::string_view version) const;

  // "deployments.apps"; of the core group "pods".
  std::string ToString() const;

  friend auto operator<=>(const GroupResource&, const GroupResource&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupResource& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupResource& value) {
    return H::combine(std::move(h), value.group, value.resource);
  }
};

// What apiVersion and kind of an object say. (schema.GroupVersionKind)
struct GroupVersionKind {
  std::string group = {};
  std::string version = {};
  std::string kind = {};

  bool empty() const { return group.empty() && version.empty() && kind.empty(); }
  GroupKind group_kind() const { return {.group = group, .kind = kind}; }
  GroupVersion group_version() const { return {.group = group, .version = version}; }

  // "apps/v1, Kind=Deployment"; of the core group "/v1, Kind=Pod".
  std::string ToString() const;

  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersionKind& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersionKind& value) {
    return H::combine(std::move(h), value.group, value.version, value.kind);
  }
};

// What a request's path says. (schema.GroupVersionResource)
struct GroupVersionResource {
  std::string group = {};
  std::string version = {};
  std::string resource = {};

  bool empty() const { return group.empty() && version.empty() && resource.empty(); }
  GroupResource group_resource() const { return {.group = group, .resource = resource}; }
  GroupVersion group_version() const { return {.group = group, .version = version}; }

  // "apps/v1, Resource=deployments"
  std::string ToString() const;

  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersionResource& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersionResource& value) {
    return H::combine(std::move(h), value.group, value.version, value.resource);
  }
};

// "apps/v1" or "v1". Of "" and "/" it is the empty one, as upstream. INVALID_ARGUMENT for a text
// with more than one slash. (schema.ParseGroupVersion)
absl::StatusOr<GroupVersion> ParseGroupVersion(absl::string_view text);

// "Deployment.apps" or "Pod": the kind ends at the first dot. (schema.ParseGroupKind)
GroupKind ParseGroupKind(absl::string_view text);

// "deployments.apps" or "pods". (schema.ParseGroupResource)
GroupResource ParseGroupResource(absl::string_view text);

// What a user names on the command line. "deployments.v1.apps" may be a resource with its version,
// or the resource "deployments" of a group "v1.apps": both are given. Without two dots, only the
// second is. (schema.ParseResourceArg, schema.ParseKindArg)
struct ResourceArg {
  std::optional<GroupVersionResource> with_version = {};
  GroupResource group_resource = {};
};
ResourceArg ParseResourceArg(absl::string_view text);

struct KindArg {
  std::optional<GroupVersionKind> with_version = {};
  GroupKind group_kind = {};
};
KindArg ParseKindArg(absl::string_view text);

// Of an object's two members. A malformed apiVersion leaves only the kind, as upstream.
// (schema.FromAPIVersionAndKind)
GroupVersionKind FromApiVersionAndKind(absl::string_view api_version, absl::string_view kind);

// "" of the empty kind; otherwise the group and version. (GroupVersionKind.ToAPIVersionAndKind)
std::string ApiVersionOf(const GroupVersionKind& kind);

// The kind among `kinds` that belongs to `wanted`: the one of this group and version; else this
// version of the first one of the group. Nothing: no kind of such a group.
// (schema.GroupVersion.KindForGroupVersionKinds)
std::optional<GroupVersionKind> KindFor(const GroupVersion& wanted,
                                        const std::vector<GroupVersionKind>& kinds);
// The same for the first of several group-versions; what is among `kinds` goes before what is not.
// (schema.GroupVersions.KindForGroupVersionKinds)
std::optional<GroupVersionKind> KindForAny(const std::vector<GroupVersion>& wanted,
                                           const std::vector<GroupVersionKind>& kinds);

}  // namespace kube::schema

#endif  // APIMACHINERY_SCHEMA_GROUP_VERSION_H_
