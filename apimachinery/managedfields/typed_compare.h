#ifndef APIMACHINERY_MANAGEDFIELDS_TYPED_COMPARE_H_
#define APIMACHINERY_MANAGEDFIELDS_TYPED_COMPARE_H_

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/value.h"

// Comparisons of objects as programs hold them. The result is that of Compare for their JSON, but
// JSON is made of nothing except what differs: for two objects that are nearly equal this is many
// times as fast. Pure functions: thread-safe.
namespace kube::managedfields {

// Does what the template below does, for types known at run time: both point to structs that
// `message` describes.
absl::StatusOr<Comparison> CompareTyped(const void* before, const void* after,
                                        const kube::table::Message& message);

// Compares two API objects with the schema of their type (see SchemaOf), without apiVersion, kind
// and metadata.managedFields. Stored objects may have several items of one key in a list. Returns
// INVALID_ARGUMENT if an item of a list has no key, as Validate does, if what differs has no JSON,
// or if structs are nested more than 500 deep.
//
//   const absl::StatusOr<Comparison> found = CompareTyped(stored, updated);
//   ASSERT_THAT(found.status(), IsOk());
//   EXPECT_TRUE(found->modified.Has({PathElement::Field("spec"), PathElement::Field("replicas")}));
template <ApiStruct T>
absl::StatusOr<Comparison> CompareTyped(const T& before, const T& after) {
  return CompareTyped(&before, &after, T::kMessage);
}

// A custom resource whose metadata is a struct. Both must outlive the comparison.
struct CustomObject {
  // All but apiVersion, kind and metadata. Must not be null.
  const Map<unstructured::Value>* members = nullptr;
  // Must not be null. The managed fields are not compared.
  const api::meta::v1::ObjectMeta* metadata = nullptr;
};

// Compares two custom resources of one version with its schema. Returns the errors of Validate, for
// duplicates allowed, and of CompareTyped.
absl::StatusOr<Comparison> CompareCustom(const CustomObject& before, const CustomObject& after,
                                         const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TYPED_COMPARE_H_
