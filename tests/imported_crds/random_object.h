#ifndef TESTS_IMPORTED_CRDS_RANDOM_OBJECT_H_
#define TESTS_IMPORTED_CRDS_RANDOM_OBJECT_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "tests/dice.h"

namespace kube::imported {

// Makes random objects that have the structure of a schema: types, enums, limits of numbers and
// sizes, required properties, and patterns as far as one of a few dozen texts matches. oneOf,
// anyOf, not and CEL rules are not looked at. Texts of quantities, times and bytes are in the form
// in which Go writes them. The same seed gives the same objects. Thread-compatible.
class RandomObjects {
 public:
  explicit RandomObjects(uint64_t seed) : dice_(seed) {}

  // Returns an object of a kind. `schema` is its openAPIV3Schema.
  unstructured::Value Object(const Map<unstructured::Value>& schema, absl::string_view api_version,
                             absl::string_view kind);

 private:
  unstructured::Value Of(const Map<unstructured::Value>& schema, int depth);
  unstructured::Value Text(const Map<unstructured::Value>& schema);
  unstructured::Value Number(const Map<unstructured::Value>& schema, bool is_integer);
  unstructured::Value IntOrString(const Map<unstructured::Value>& schema);
  unstructured::Value List(const Map<unstructured::Value>& schema, int depth);
  unstructured::Value ObjectOf(const Map<unstructured::Value>& schema, int depth, bool is_root);
  unstructured::Value Anything(int depth);
  bool Chance(size_t one_of) { return dice_.Below(one_of) == 0; }

  oracle::Dice dice_;
};

// Returns a value without the members of objects that are null: for typed structs, they are as good
// as absent.
unstructured::Value WithoutNulls(const unstructured::Value& value);

}  // namespace kube::imported

#endif  // TESTS_IMPORTED_CRDS_RANDOM_OBJECT_H_
