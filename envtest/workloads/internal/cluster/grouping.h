#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_GROUPING_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_GROUPING_H_

#include <map>
#include <string>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster/pods.h"

// Indexes of objects, as the controllers need them. Pure functions. They keep the order of objects.
namespace kube::envtest::internal {

template <typename T>
std::map<std::string, Objects<T>> ByNamespace(const Objects<T>& objects) {
  std::map<std::string, Objects<T>> result;
  for (const auto& object : objects) {
    result[std::string(object->metadata.namespace_)].push_back(object);
  }
  return result;
}

// Groups objects by the UID of their controller, and leaves out those without one.
template <typename T>
std::map<std::string, Objects<T>> ByController(const Objects<T>& objects) {
  std::map<std::string, Objects<T>> result;
  for (const auto& object : objects) {
    const api::meta::v1::OwnerReference* controller = meta::GetControllerOf(object->metadata);
    if (controller != nullptr) result[std::string(controller->uid)].push_back(object);
  }
  return result;
}

// Returns the objects of one group; none if there is no such group.
template <typename T>
Objects<T> Of(const std::map<std::string, Objects<T>>& objects, const String& key) {
  const auto found = objects.find(std::string(key));
  return found == objects.end() ? Objects<T>() : found->second;
}

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_GROUPING_H_
