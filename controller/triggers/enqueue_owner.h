#ifndef CONTROLLER_TRIGGERS_ENQUEUE_OWNER_H_
#define CONTROLLER_TRIGGERS_ENQUEUE_OWNER_H_

#include <vector>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/enqueue.h"
#include "controller/triggers/trigger.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Options of EnqueueOwner. (controller-runtime: `handler.OwnerOption`)
struct OwnerOptions {
  // Whether all owners of the kind are enqueued. Default: only the one that is marked as the
  // controller. (controller-runtime: the default of `EnqueueRequestForOwner`; the default here is
  // its `OnlyControllerOwner`)
  bool every_owner = false;
};

// Enqueue the owner of an object if it is of kind T, or of the given resource.
//
//   const auto trigger = EnqueueOwner<appsv1::Deployment, corev1::Pod>();
//
// Group and kind of a reference decide, not its version. The UID is not compared, since the owner
// may not be in a cache yet: where it matters, the reconcile function asks meta::IsControlledBy.
// The owner's namespace is that of the object, unless the owner's kind is cluster-scoped.
// References that lead nowhere are skipped, and the others are enqueued: those that are malformed,
// and those of an object without a namespace to an owner that has one. (controller-runtime:
// `EnqueueRequestForOwner`, which also skips all references behind a malformed one)
template <typed::ResourceKind T, listers::StoredObject K>
Trigger<K> EnqueueOwner(OwnerOptions options = {});
// For owners whose kind is known at run time; the texts of `owner` are copied.
template <listers::StoredObject K>
Trigger<K> EnqueueOwner(const typed::Resource& owner, OwnerOptions options = {});

// ---- implementation

namespace internal {

// The owners that are enqueued.
struct OwnerRule {
  schema::GroupVersionKind kind = {};  // the version is ignored
  OwnerScope scope = OwnerScope::kNamespace;
  bool every_owner = false;
};

OwnerRule OwnerRuleOf(const typed::Resource& owner, OwnerOptions options);

// Returns the owners of an object, of whose metadata the namespace and the owner references count.
std::vector<meta::ObjectName> OwnersOf(const api::meta::v1::ObjectMeta& object,
                                       const OwnerRule& rule);

}  // namespace internal

template <listers::StoredObject K>
Trigger<K> EnqueueOwner(const typed::Resource& owner, OwnerOptions options) {
  return {.keys_of = [rule = internal::OwnerRuleOf(owner, options)](const K& object) {
    if constexpr (meta::Object<K>) {
      return internal::OwnersOf(object.metadata, rule);
    } else {
      api::meta::v1::ObjectMeta metadata;
      metadata.namespace_ = object.namespace_name();
      metadata.owner_references = object.owner_references();
      return internal::OwnersOf(metadata, rule);
    }
  }};
}

template <typed::ResourceKind T, listers::StoredObject K>
Trigger<K> EnqueueOwner(OwnerOptions options) {
  return EnqueueOwner<K>(typed::ResourceTraits<T>::kResource, options);
}

}  // namespace kube::controller

#endif  // CONTROLLER_TRIGGERS_ENQUEUE_OWNER_H_
