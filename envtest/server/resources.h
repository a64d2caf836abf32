#ifndef ENVTEST_SERVER_RESOURCES_H_
#define ENVTEST_SERVER_RESOURCES_H_

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"

namespace kube::envtest {

// One resource of one group and version: what a path such as /apis/apps/v1/deployments means.
struct Resource {
  // Its names, scope, verbs and subresources. Never null.
  const KindInfo* kind = nullptr;
  // Of its lists; null for those that are only created, as a TokenReview.
  const KindInfo* list_kind = nullptr;
  // Under which name its objects are stored. Objects are not converted: another version of the same
  // resource has another name, and other objects.
  std::string storage = {};

  bool namespaced() const { return kind->scope == Scope::kNamespaced; }
  bool HasVerb(absl::string_view verb) const;
  // Null: there is no such subresource.
  const SubresourceInfo* FindSubresource(absl::string_view name) const;

  // "apps/v1"; of the core group "v1".
  std::string ApiVersion() const;
  schema::GroupResource group_resource() const;
  schema::GroupKind group_kind() const;
  // Of storage: "NAMESPACE/NAME", or "NAME" for what is in no namespace.
  std::string KeyOf(absl::string_view namespace_name, absl::string_view name) const;
  // What the keys of all objects in a namespace begin with; of all there are for "".
  std::string PrefixOf(absl::string_view namespace_name) const;
};

// The resources that a server has. Those of Kubernetes are the group-versions that a kube-apiserver
// of the release serves by default: every v1, and autoscaling/v2.
//
// Build, then immutable; resources live as long as this.
class Resources {
 public:
  // Of all kinds of //api. Takes about a millisecond.
  static Resources BuiltIn();

  // Null: there is none.
  const Resource* Find(absl::string_view group, absl::string_view version,
                       absl::string_view plural) const;
  // The resource of a kind, or null: what owner references name.
  const Resource* FindKind(absl::string_view api_version, absl::string_view kind) const;

  bool HasGroupVersion(absl::string_view group, absl::string_view version) const;
  bool HasGroup(absl::string_view group) const;

  // In the order of discovery: groups by their priority; the versions of a group, best first.
  const std::vector<schema::GroupVersion>& group_versions() const { return group_versions_; }
  // Of one, by name.
  std::vector<const Resource*> InGroupVersion(const schema::GroupVersion& group_version) const;
  // Those that store objects.
  std::vector<const Resource*> Stored() const;

 private:
  std::vector<schema::GroupVersion> group_versions_;
  std::map<std::tuple<std::string, std::string, std::string>, Resource> resources_;
  std::map<std::tuple<std::string, std::string>, const Resource*> by_kind_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_SERVER_RESOURCES_H_
