#ifndef APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_LIST_H_
#define APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_LIST_H_

#include <iosfwd>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {

// A list of objects of any kind (client-go: `unstructured.UnstructuredList`, which also keeps
// unknown members). For the codec it is an API struct like any other: a ListReader reads the body
// of a list object by object.
//
//   codec::ListReader<UnstructuredList, Unstructured> reader(codec::ContentType::kJson, decoder);
//
// A ListReader leaves items as they were sent; DecodeUnstructuredList sets their kinds.
// Thread-compatible.
struct UnstructuredList {
  String api_version{};
  List<Unstructured> items = List<Unstructured>::Empty();
  String kind{};
  Map<Value> metadata{};

  // The version of the whole list, from which to watch; "" if it is not set.
  absl::string_view resource_version() const KUBE_LIFETIME_BOUND;
  // Where the next page begins; "" on the last page (client-go: `GetContinue`).
  absl::string_view continue_() const KUBE_LIFETIME_BOUND;

  static const kube::table::MessageWith<1> kMessage;
  friend bool operator==(const UnstructuredList& a, const UnstructuredList& b) {
    return kube::table::EqualMessages(&a, &b, kMessage);
  }
  friend std::ostream& operator<<(std::ostream& out, const UnstructuredList& value);
  template <typename H>
  friend H AbslHashValue(H h, const UnstructuredList& value) {
    return H::combine(std::move(h), kube::table::HashMessage(&value, kMessage));
  }
};

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_UNSTRUCTURED_LIST_H_
