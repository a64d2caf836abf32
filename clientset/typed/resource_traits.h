#ifndef CLIENTSET_TYPED_RESOURCE_TRAITS_H_
#define CLIENTSET_TYPED_RESOURCE_TRAITS_H_

#include <concepts>

#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/types/opt.h"
#include "clientset/typed/resource.h"

// What the compiler knows of a kind: its resource, its list, whether it has a status. Code that is
// generic over kinds needs no other argument than the type of the objects.
//
//   template <typed::ResourceKind T>
//   auto ClientOf(const rest::Client& client) {
//     using Traits = typed::ResourceTraits<T>;
//     return typed::TypedClient<T, typename Traits::List>(client, Traits::kResource);
//   }
namespace kube::typed {

// The traits of a kind T, for each T that can be listed. Its static members:
//   * List: the type of its lists. For appsv1::Deployment it is appsv1::DeploymentList.
//   * kResource, a Resource: group, version, plural, kind, whether the objects are in namespaces,
//     and whether the kind is built in. It lives as long as the program.
//   * kHasGeneration, a bool: whether the API server increments metadata.generation when an object
//     changes in more than its metadata and its status. It does so for all custom resources. Of the
//     built-in kinds, Pod, Job, Ingress and most of the group apps have it; ConfigMap, Secret,
//     Service, Node and PersistentVolumeClaim do not.
//   * kHasStatus, a bool: whether the resource has the subresource "status".
//
// Code generation writes them into the header of a kind's client and into that of its informer: one
// of these must be included before the traits are used. If neither is, or the kind cannot be
// listed, the compiler reports that ResourceTraits<T> is incomplete. unstructured::Unstructured and
// metav1::PartialObjectMetadata have no traits, because any kind can be in them: functions of these
// types take a Resource at run time. (controller-runtime: the scheme and `meta.RESTMapper`)
template <typename T>
struct ResourceTraits;

// A type of objects that has traits.
template <typename T>
concept ResourceKind = ApiStruct<T> && requires {
  typename ResourceTraits<T>::List;
  { ResourceTraits<T>::kResource } -> std::convertible_to<const Resource&>;
  { ResourceTraits<T>::kHasGeneration } -> std::convertible_to<bool>;
  { ResourceTraits<T>::kHasStatus } -> std::convertible_to<bool>;
};

// The value of a member that may be absent: V of a Box<V> or Opt<V>, and of any other type the type
// itself.
template <typename V>
struct PresentOf {
  using Type = V;
};
template <typename V>
struct PresentOf<Box<V>> {
  using Type = V;
};
template <typename V>
struct PresentOf<Opt<V>> {
  using Type = V;
};

// The type of T's member `status`, such as DeploymentStatus; also where T has it as a Box. Only for
// types that have this member, which does not need a subresource.
template <typename T>
using StatusOf = typename PresentOf<decltype(T::status)>::Type;

// Return the names of a resource as dynamic clients, REST mappers and errors take them.
schema::GroupVersionKind KindOf(const Resource& resource);
schema::GroupVersionResource GroupVersionResourceOf(const Resource& resource);

// Return the names of a kind: KindOf<appsv1::Deployment>() is apps/v1, Kind=Deployment.
// (controller-runtime: `apiutil.GVKForObject`, which needs a scheme)
template <ResourceKind T>
schema::GroupVersionKind KindOf() {
  return KindOf(ResourceTraits<T>::kResource);
}
template <ResourceKind T>
schema::GroupVersionResource GroupVersionResourceOf() {
  return GroupVersionResourceOf(ResourceTraits<T>::kResource);
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_RESOURCE_TRAITS_H_
