#ifndef APISERVER_RESOURCES_H_
#define APISERVER_RESOURCES_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"

namespace kube::apiserver {

class CustomKind;

// One resource of one group and version, which is what a path such as /apis/apps/v1/deployments
// means.
struct Resource {
  // Its names, scope, verbs and subresources. Never null.
  const KindInfo* kind = nullptr;
  // The kind of its lists. Null if it can only be created, such as a TokenReview.
  const KindInfo* list_kind = nullptr;
  // The name under which its objects are stored, the same for all versions of a resource.
  std::string storage = {};
  // The kind that objects of a built-in kind are converted to for storage, if that is another one;
  // else null (kube-apiserver: cohabitating resources of `StorageFactory`).
  const KindInfo* stored_kind = nullptr;
  // The version of the definition that a custom resource comes from, which owns `kind` and
  // `list_kind`. Null for built-in kinds.
  std::shared_ptr<const CustomKind> custom = {};
  // Whether its definition is being deleted; then no objects can be created.
  bool terminating = false;

  bool namespaced() const { return kind->scope == Scope::kNamespaced; }
  bool HasVerb(absl::string_view verb) const;
  // Returns null if there is no such subresource.
  const SubresourceInfo* FindSubresource(absl::string_view name) const;

  // Returns "apps/v1", or "v1" for the core group.
  std::string ApiVersion() const;
  schema::GroupResource group_resource() const;
  schema::GroupKind group_kind() const;
  // Returns the key in the storage: "NAMESPACE/NAME", or "NAME" if the resource is not namespaced.
  std::string KeyOf(absl::string_view namespace_name, absl::string_view name) const;
  // Returns the prefix of the keys of all objects in a namespace, or of all objects if it is "".
  std::string PrefixOf(absl::string_view namespace_name) const;
};

// A custom resource that is served because of a definition.
struct ServedKind {
  std::shared_ptr<const CustomKind> kind = {};
  bool terminating = false;
  friend bool operator==(const ServedKind& a, const ServedKind& b) = default;
};

// A snapshot of the resources that a server has. The built-in ones are those that a kube-apiserver
// of the release serves by default: every v1, and autoscaling/v2.
//
// Build, then immutable. Its resources live as long as it does.
class Resources {
 public:
  // Returns the resources of all kinds of //api. Takes about a millisecond.
  static Resources BuiltIn();
  // Returns the built-in resources and custom ones. If names collide, the built-in resource wins.
  static Resources With(const std::vector<ServedKind>& kinds);

  // Returns null if there is no such resource.
  const Resource* Find(absl::string_view group, absl::string_view version,
                       absl::string_view plural) const;
  // Returns the resource of a kind, as owner references name it, or null.
  const Resource* FindKind(absl::string_view api_version, absl::string_view kind) const;

  bool HasGroupVersion(absl::string_view group, absl::string_view version) const;
  bool HasGroup(absl::string_view group) const;
  // Returns whether the group has built-in resources.
  static bool IsBuiltInGroup(absl::string_view group);

  // Returns the group versions in the order of discovery: groups by priority, and the versions of
  // each group by preference.
  const std::vector<schema::GroupVersion>& group_versions() const { return group_versions_; }
  // Returns the resources of a group version, sorted by name.
  std::vector<const Resource*> InGroupVersion(const schema::GroupVersion& group_version) const;
  // Returns one resource for each name of storage that can be listed.
  std::vector<const Resource*> Stored() const;
  // Returns the resource whose objects are stored under this name without conversion, or null.
  const Resource* FindStorage(absl::string_view storage) const;
  // Returns whether `resource`, which comes from another snapshot, is unchanged in this one.
  bool Has(const Resource& resource) const;

 private:
  void Add(Resource resource);
  void AddGroupVersion(absl::string_view group, absl::string_view version);

  std::vector<schema::GroupVersion> group_versions_;
  std::map<std::tuple<std::string, std::string, std::string>, Resource> resources_;
  std::map<std::tuple<std::string, std::string>, const Resource*> by_kind_;
  std::map<std::string, const Resource*, std::less<>> by_storage_;
};

// Holds the current resources of a server. A request takes the snapshot once, and is not affected
// by later changes. Thread-safe.
class ResourceTable {
 public:
  explicit ResourceTable(Resources resources)
      : resources_(std::make_shared<const Resources>(std::move(resources))) {}

  // Never returns null.
  std::shared_ptr<const Resources> Get() const {
    base::MutexLock lock(mutex_);
    return resources_;
  }
  void Set(Resources resources) {
    auto made = std::make_shared<const Resources>(std::move(resources));
    base::MutexLock lock(mutex_);
    resources_.swap(made);
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const Resources> resources_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver

#endif  // APISERVER_RESOURCES_H_
