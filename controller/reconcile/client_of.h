#ifndef CONTROLLER_RECONCILE_CLIENT_OF_H_
#define CONTROLLER_RECONCILE_CLIENT_OF_H_

#include <type_traits>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "listers/stored_object.h"

namespace kube::controller {

// The two types of objects that any kind can be in, and which therefore need a typed::Resource.
template <typename T>
concept DynamicKind = std::is_same_v<T, unstructured::Unstructured> ||
    std::is_same_v<T, api::meta::v1::PartialObjectMetadata>;

// The list type of a kind as a member Type; see ListOf.
template <typename T>
struct ListOfKind {
  using Type = typename typed::ResourceTraits<T>::List;
};
template <>
struct ListOfKind<unstructured::Unstructured> {
  using Type = unstructured::UnstructuredList;
};
template <>
struct ListOfKind<api::meta::v1::PartialObjectMetadata> {
  using Type = api::meta::v1::PartialObjectMetadataList;
};

// The list type of a kind, or of one of the dynamic types.
template <listers::StoredObject T>
using ListOf = typename ListOfKind<T>::Type;

// Returns the client of a kind: ClientOf<Website>(client, kWebsites).
template <listers::StoredObject T>
typed::TypedClient<T, ListOf<T>> ClientOf(const rest::Client& client,
                                          const typed::Resource& resource) {
  return typed::TypedClient<T, ListOf<T>>(client, resource);
}

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_CLIENT_OF_H_
