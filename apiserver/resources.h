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

// One resource of one group and version: what a path such as /apis/apps/v1/deployments means.
struct Resource {
  // Its names, scope, verbs and subresources. Never null.
  const KindInfo* kind = nullptr;
  // Of its lists; null for those that are only created, as a TokenReview.
  const KindInfo* list_kind = nullptr;
  // Under which name its objects are stored: the same for all versions of a resource.
  std::string storage = {};
  // Of a built-in kind: the kind as which its objects are stored, where that is another one, which
  // they are converted to and from. Null elsewhere. (StorageFactory's cohabitating resources)
  const KindInfo* stored_kind = nullptr;
  // Of a custom resource: its definition's version, whose `kind` and `list_kind` are; else null.
  std::shared_ptr<const CustomKind> custom = {};
  // Its definition is being deleted: nothing more is created.
  bool terminating = false;

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

// A custom resource as a definition has it served.
struct ServedKind {
  std::shared_ptr<const CustomKind> kind = {};
  bool terminating = false;
  friend bool operator==(const ServedKind& a, const ServedKind& b) = default;
};

// The resources that a server has, for a while: a picture. Those of Kubernetes are the
// group-versions that a kube-apiserver of the release serves by default: every v1, and
// autoscaling/v2.
//
// Build, then immutable; resources live as long as this.
class Resources {
 public:
  // Of all kinds of //api. Takes about a millisecond.
  static Resources BuiltIn();
  // Those and custom ones. Built-in ones of the same name win.
  static Resources With(const std::vector<ServedKind>& kinds);

  // Null: there is none.
  const Resource* Find(absl::string_view group, absl::string_view version,
                       absl::string_view plural) const;
  // The resource of a kind, or null: what owner references name.
  const Resource* FindKind(absl::string_view api_version, absl::string_view kind) const;

  bool HasGroupVersion(absl::string_view group, absl::string_view version) const;
  bool HasGroup(absl::string_view group) const;
  // Whether it has resources that are no custom ones.
  static bool IsBuiltInGroup(absl::string_view group);

  // In the order of discovery: groups by their priority; the versions of a group, best first.
  const std::vector<schema::GroupVersion>& group_versions() const { return group_versions_; }
  // Of one, by name.
  std::vector<const Resource*> InGroupVersion(const schema::GroupVersion& group_version) const;
  // Those that store objects.
  std::vector<const Resource*> Stored() const;
  // The resource whose objects are stored under this name as they are, or null.
  const Resource* FindStorage(absl::string_view storage) const;
  // Whether a resource that was found in another one is still the same.
  bool Has(const Resource& resource) const;

 private:
  void Add(Resource resource);
  void AddGroupVersion(absl::string_view group, absl::string_view version);

  std::vector<schema::GroupVersion> group_versions_;
  std::map<std::tuple<std::string, std::string, std::string>, Resource> resources_;
  std::map<std::tuple<std::string, std::string>, const Resource*> by_kind_;
  std::map<std::string, const Resource*, std::less<>> by_storage_;
};

// The resources that a server has now. Whoever works on a request takes them once, and is not
// concerned by what becomes of them meanwhile. Thread-safe.
class ResourceTable {
 public:
  explicit ResourceTable(Resources resources)
      : resources_(std::make_shared<const Resources>(std::move(resources))) {}

  // Never null.
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
