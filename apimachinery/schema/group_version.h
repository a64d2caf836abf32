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

// The names of API types and resources (client-go: package
// `k8s.io/apimachinery/pkg/runtime/schema`).
//
//   const GroupVersion apps_v1 = {.group = "apps", .version = "v1"};
//   const GroupVersionKind deployment = apps_v1.WithKind("Deployment");
//   const GroupKind kind = deployment.group_kind();
//
// All types are plain values. They are ordered by group, then version, then kind or resource, each
// by its bytes, and they can be keys of absl's and the standard's containers. The core group is "".
// Names are not checked to be valid. Thread-compatible.
namespace kube::schema {

struct GroupVersionKind;
struct GroupVersionResource;

// A group and version: "apps/v1" (client-go: `schema.GroupVersion`).
struct GroupVersion {
  std::string group = {};
  std::string version = {};

  bool empty() const { return group.empty() && version.empty(); }
  GroupVersionKind WithKind(absl::string_view kind) const;
  GroupVersionResource WithResource(absl::string_view resource) const;

  // Returns "apps/v1", or "v1" for the core group, as in an object's apiVersion.
  std::string ToString() const;

  friend auto operator<=>(const GroupVersion&, const GroupVersion&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersion& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersion& value) {
    return H::combine(std::move(h), value.group, value.version);
  }
};

// A kind without a version (client-go: `schema.GroupKind`).
struct GroupKind {
  std::string group = {};
  std::string kind = {};

  bool empty() const { return group.empty() && kind.empty(); }
  GroupVersionKind WithVersion(absl::string_view version) const;

  // Returns "Deployment.apps", or "Pod" for the core group.
  std::string ToString() const;

  friend auto operator<=>(const GroupKind&, const GroupKind&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupKind& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupKind& value) {
    return H::combine(std::move(h), value.group, value.kind);
  }
};

// A resource without a version (client-go: `schema.GroupResource`).
struct GroupResource {
  std::string group = {};
  std::string resource = {};

  bool empty() const { return group.empty() && resource.empty(); }
  GroupVersionResource WithVersion(absl::string_view version) const;

  // Returns "deployments.apps", or "pods" for the core group.
  std::string ToString() const;

  friend auto operator<=>(const GroupResource&, const GroupResource&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupResource& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupResource& value) {
    return H::combine(std::move(h), value.group, value.resource);
  }
};

// The type that an object's apiVersion and kind name (client-go: `schema.GroupVersionKind`).
struct GroupVersionKind {
  std::string group = {};
  std::string version = {};
  std::string kind = {};

  bool empty() const { return group.empty() && version.empty() && kind.empty(); }
  GroupKind group_kind() const { return {.group = group, .kind = kind}; }
  GroupVersion group_version() const { return {.group = group, .version = version}; }

  // Returns "apps/v1, Kind=Deployment", or "/v1, Kind=Pod" for the core group.
  std::string ToString() const;

  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersionKind& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersionKind& value) {
    return H::combine(std::move(h), value.group, value.version, value.kind);
  }
};

// The resource that a request's path names (client-go: `schema.GroupVersionResource`).
struct GroupVersionResource {
  std::string group = {};
  std::string version = {};
  std::string resource = {};

  bool empty() const { return group.empty() && version.empty() && resource.empty(); }
  GroupResource group_resource() const { return {.group = group, .resource = resource}; }
  GroupVersion group_version() const { return {.group = group, .version = version}; }

  // Returns "apps/v1, Resource=deployments".
  std::string ToString() const;

  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
  friend std::ostream& operator<<(std::ostream& out, const GroupVersionResource& value);
  template <typename H>
  friend H AbslHashValue(H h, const GroupVersionResource& value) {
    return H::combine(std::move(h), value.group, value.version, value.resource);
  }
};

// Parses "apps/v1" or "v1". As upstream, "" and "/" give the empty GroupVersion. Returns
// INVALID_ARGUMENT if the text has more than one slash. (client-go: `schema.ParseGroupVersion`)
absl::StatusOr<GroupVersion> ParseGroupVersion(absl::string_view text);

// Parses "Deployment.apps" or "Pod": the kind ends at the first dot (client-go:
// `schema.ParseGroupKind`).
GroupKind ParseGroupKind(absl::string_view text);

// Parses "deployments.apps" or "pods" (client-go: `schema.ParseGroupResource`).
GroupResource ParseGroupResource(absl::string_view text);

// A resource that a user names on the command line. "deployments.v1.apps" may mean a resource with
// its version, or the resource "deployments" of a group "v1.apps"; both are given. If the text has
// fewer than two dots, `with_version` is nullopt. (client-go: `schema.ParseResourceArg`)
struct ResourceArg {
  std::optional<GroupVersionResource> with_version = {};
  GroupResource group_resource = {};
};
ResourceArg ParseResourceArg(absl::string_view text);

// A kind that a user names on the command line; see ResourceArg (client-go: `schema.ParseKindArg`).
struct KindArg {
  std::optional<GroupVersionKind> with_version = {};
  GroupKind group_kind = {};
};
KindArg ParseKindArg(absl::string_view text);

// Combines an object's apiVersion and kind. As upstream, a malformed apiVersion leaves only the
// kind. (client-go: `schema.FromAPIVersionAndKind`)
GroupVersionKind FromApiVersionAndKind(absl::string_view api_version, absl::string_view kind);

// Returns the apiVersion, which is "" for the empty kind (client-go:
// `GroupVersionKind.ToAPIVersionAndKind`).
std::string ApiVersionOf(const GroupVersionKind& kind);

// Returns the kind among `kinds` that has the group and version of `wanted`. If no kind does,
// returns the first kind of this group, with the version of `wanted`. Returns nullopt if `kinds`
// has no kind of this group. (client-go: `schema.GroupVersion.KindForGroupVersionKinds`)
std::optional<GroupVersionKind> KindFor(const GroupVersion& wanted,
                                        const std::vector<GroupVersionKind>& kinds);
// Does the same for several group-versions, and returns the first result. A result that is among
// `kinds` takes precedence over one that is not. (client-go:
// `schema.GroupVersions.KindForGroupVersionKinds`)
std::optional<GroupVersionKind> KindForAny(const std::vector<GroupVersion>& wanted,
                                           const std::vector<GroupVersionKind>& kinds);

}  // namespace kube::schema

#endif  // APIMACHINERY_SCHEMA_GROUP_VERSION_H_
