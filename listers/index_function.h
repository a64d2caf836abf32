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

// The values by which an index finds an object: none, one or several; of equal ones one counts.
//
// It depends on nothing but the object, or the index will have objects that are no more. Calls come
// from whoever writes to the store, one at a time; it may read the store, not write to it. Where it
// fails, the object is in the store but not in this index. (cache.IndexFunc)
template <typename T>
using IndexFunction = std::function<absl::StatusOr<std::vector<std::string>>(const T&)>;

// By name. (cache.Indexers)
template <typename T>
using Indexers = std::map<std::string, IndexFunction<T>>;

namespace internal {

absl::StatusOr<std::vector<std::string>> FieldValues(const codec::ValueView& object,
                                                     absl::string_view path);
absl::StatusOr<std::vector<std::string>> FieldValues(const unstructured::Unstructured& object,
                                                     absl::string_view path);

}  // namespace internal

// The index function of a field: "spec.nodeName", or of a custom resource "spec.issuer.name". Texts
// are their own value; of bools and integers it is what JSON has, of a list each element's. What is
// absent has no value, and neither has an empty text that is no pointer: Go cannot tell it from an
// absent one.
//
// INVALID_ARGUMENT where no T has such a field. Of Unstructured nobody knows: there objects whose
// field is something else are not in the index, and writing one says so.
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
