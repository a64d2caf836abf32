#ifndef APIMACHINERY_META_OBJECT_NAME_H_
#define APIMACHINERY_META_OBJECT_NAME_H_

#include <compare>
#include <iosfwd>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"

namespace kube::meta {

// Identifies an object of a kind; the key of caches and work queues. client-go: `cache.ObjectName`;
// apimachinery: `types.NamespacedName`.
//
//   const ObjectName name = {.namespace_name = "prod", .name = "web-0"};
//   const std::string key = name.ToString();  // "prod/web-0"
//
// A value that is hashable and ordered by namespace, then by name. Thread-compatible.
struct ObjectName {
  std::string namespace_name = {};  // empty for cluster-scoped objects
  std::string name = {};

  // Returns "prod/web-0", or "node-1" for an object without a namespace: the key of caches. Unlike
  // this, apimachinery's NamespacedName writes "/node-1".
  std::string ToString() const;

  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
  friend std::ostream& operator<<(std::ostream& out, const ObjectName& value);
  template <typename H>
  friend H AbslHashValue(H h, const ObjectName& value) {
    return H::combine(std::move(h), value.namespace_name, value.name);
  }
};

// Return the name of an object. client-go: `cache.MetaObjectToName`.
ObjectName ObjectNameOf(const api::meta::v1::ObjectMeta& metadata);
template <Object T>
ObjectName ObjectNameOf(const T& object) {
  return ObjectNameOf(object.metadata);
}
template <DynamicObject T>
ObjectName ObjectNameOf(const T& object) {
  return {.namespace_name = std::string(object.namespace_name()),
          .name = std::string(object.name())};
}

// Parses the result of ToString. The parts are not validated and may be empty. Returns
// INVALID_ARGUMENT if there is more than one slash. client-go: `cache.ParseObjectName`,
// `cache.SplitMetaNamespaceKey`.
absl::StatusOr<ObjectName> ParseObjectName(absl::string_view key);

// Return the key of an object in caches: its ObjectName as text. client-go:
// `cache.MetaNamespaceKeyFunc`, which returns an error for objects without metadata; here they do
// not compile.
std::string MetaNamespaceKey(const api::meta::v1::ObjectMeta& metadata);
template <AnyKindOfObject T>
std::string MetaNamespaceKey(const T& object) {
  return ObjectNameOf(object).ToString();
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_OBJECT_NAME_H_
