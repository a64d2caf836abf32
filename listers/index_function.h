#ifndef LISTERS_INDEX_FUNCTION_H_
#define LISTERS_INDEX_FUNCTION_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/unstructured/unstructured.h"
#include "listers/stored_object.h"

namespace kube::listers {

// Returns the values under which an index lists an object: none, one or several. Duplicates are
// ignored.
//
// The function must depend on nothing but the object, or the index will keep objects that were
// removed. It is called on the threads that write to the store, one call at a time. It may read the
// store but not write to it. If it fails, the object is stored but missing from this index.
// (client-go: `cache.IndexFunc`)
template <typename T>
using IndexFunction = std::function<absl::StatusOr<std::vector<std::string>>(const T&)>;

// Index functions by the name of the index. (client-go: `cache.Indexers`)
template <typename T>
using Indexers = std::map<std::string, IndexFunction<T>>;

namespace internal {

absl::StatusOr<std::vector<std::string>> FieldValues(const codec::ValueView& object,
                                                     absl::string_view path);
absl::StatusOr<std::vector<std::string>> FieldValues(const unstructured::Unstructured& object,
                                                     absl::string_view path);

}  // namespace internal

// Returns an index function for a field, such as "spec.nodeName", or "spec.issuer.name" of a custom
// resource. Strings are indexed as they are, bools and integers as in JSON, lists by each of their
// elements. An absent field has no value, and neither has an empty string that is not a pointer,
// since Go cannot distinguish it from an absent one.
//
// Returns INVALID_ARGUMENT if T has no such field. This cannot be checked for Unstructured: there,
// an object whose field has another type is left out of the index, and the write that stores it
// returns an error.
template <StoredObject T>
absl::StatusOr<IndexFunction<T>> IndexByField(std::string path) {
  if constexpr (meta::Object<T>) {
    const T example;
    const absl::StatusOr<codec::ValueView> there = codec::FindPath(example, path);
    if (absl::IsInvalidArgument(there.status())) return there.status();
    return IndexFunction<T>([path = std::move(path)](const T& object) {
      return internal::FieldValues(codec::View(object), path);
    });
  } else {
    return IndexFunction<T>(
        [path = std::move(path)](const T& object) { return internal::FieldValues(object, path); });
  }
}

}  // namespace kube::listers

#endif  // LISTERS_INDEX_FUNCTION_H_
