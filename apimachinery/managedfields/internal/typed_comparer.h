#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_COMPARER_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_COMPARER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/typed_json.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/managedfields/internal/value_comparer.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// Compares API structs by their field tables, with the result that ValueComparer has for their
// JSON. Pointers are those of TypedJson. Gathers errors until they are asked for.
// Thread-compatible.
class TypedComparer {
 public:
  // Where a struct is. Some members of the root and of its metadata are not compared.
  enum class Place : uint8_t { kRoot, kMetadata, kInside };

  // Checks what the type of an object does not guarantee: that each item of its lists has a key.
  void Check(const char* object, const TypedPlan& plan);
  // Compares two structs that are owned field by field: those whose plan is_object and whose schema
  // is not atomic.
  Comparison CompareStructs(const char* before, const char* after, const TypedPlan& plan,
                            Place place);

  // Returns OK or an error of the calls so far.
  absl::Status ToStatus() const;

 private:
  void CompareMember(const char* before, const char* after, const TypedMember& member, Place place,
                     Comparison& out);
  // Compares a member that the JSON of both structs has.
  Difference CompareWritten(const char* before, const char* after, const TypedMember& member,
                            Place place);
  Difference CompareElements(const char* before, const char* after, kube::table::Type type,
                             const TypedPlan* sub, const Schema& schema, Place place);
  Difference CompareLists(const char* before, const char* after, const TypedMember& member);
  bool CompareInStep(const kube::table::ListBlock& before, const kube::table::ListBlock& after,
                     const TypedMember& member, Comparison& out);
  Difference CompareMaps(const char* before, const char* after, const TypedMember& member);
  bool MergeEntries(const kube::table::ListBlock* before, const kube::table::ListBlock* after,
                    const TypedMember& member, Comparison& out);

  // Return all that is below a part that only one of the objects has.
  FieldSet AllBelowStruct(const char* object, const TypedPlan& plan, Place place);
  FieldSet AllBelowMember(const char* member_at, const TypedMember& member, Place place);
  FieldSet AllBelowElement(const char* element, kube::table::Type type, const TypedPlan* sub,
                           const Schema& schema, Place place);

  // Check Values, and compare them, or return what is below one.
  Difference CompareValues(const unstructured::Value& before, const unstructured::Value& after,
                           const Schema& schema);
  FieldSet AllBelowValue(const unstructured::Value& value, const Schema& schema);
  bool IsValid(const unstructured::Value& value, const Schema& schema);
  void CheckMember(const char* member_at, const TypedMember& member);

  TypedJson json_;
  ValueComparer values_;
};

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_COMPARER_H_
