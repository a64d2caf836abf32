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

// Which object of a kind: what caches and work queues are keyed by. (cache.ObjectName,
// types.NamespacedName)
//
//   const ObjectName name = {.namespace_name = "prod", .name = "web-0"};   // "prod/web-0"
//
// A value: ordered by namespace, then name; hashable. Thread-compatible.
struct ObjectName {
  std::string namespace_name = {};  // empty for what is in none
  std::string name = {};

  // "prod/web-0", or "node-1" of what is in no namespace: the key of caches. Not that of upstream's
  // NamespacedName, which writes "/node-1".
  std::string ToString() const;

  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
  friend std::ostream& operator<<(std::ostream& out, const ObjectName& value);
  template <typename H>
  friend H AbslHashValue(H h, const ObjectName& value) {
    return H::combine(std::move(h), value.namespace_name, value.name);
  }
};

// (cache.MetaObjectToName)
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

// What ToString wrote; no part is checked to be a valid name, and empty ones are taken.
// INVALID_ARGUMENT for more than one slash. (cache.ParseObjectName, cache.SplitMetaNamespaceKey)
absl::StatusOr<ObjectName> ParseObjectName(absl::string_view key);

// The key of an object in caches: its ObjectName as a text. (cache.MetaNamespaceKeyFunc; objects
// without metadata, for which that has an error, do not compile)
std::string MetaNamespaceKey(const api::meta::v1::ObjectMeta& metadata);
template <AnyKindOfObject T>
std::string MetaNamespaceKey(const T& object) {
  return ObjectNameOf(object).ToString();
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_OBJECT_NAME_H_
