#ifndef APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_VALUE_H_
#define APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "tests/dice.h"

namespace kube::managedfields {

// What is unusual in random values.
struct ValueShape {
  // In a thousand places: a value of another type, or a field that is not declared.
  int mistakes = 0;
  // In a hundred places: null.
  int nulls = 2;
  // Of a hundred associative lists: two items of one key.
  int duplicates = 0;
};

// Makes random values that fit a schema more or less, and changes them. Strings, numbers and the
// keys of maps and list items come from small pools, so that values of one schema have much in
// common. The same seed makes the same values. Thread-compatible.
class ValueMaker {
 public:
  explicit ValueMaker(uint64_t seed, const ValueShape& shape = {}) : dice_(seed), shape_(shape) {}

  oracle::Dice& dice() { return dice_; }
  bool Chance(int percent) { return dice_.Below(100) < static_cast<size_t>(percent); }

  // Makes a value, with lists and maps in each other at most `depth` deep.
  unstructured::Value Make(const Schema& schema, int depth);
  // Returns the value without some parts: of a hundred members and items, `kept` stay.
  unstructured::Value Subset(const unstructured::Value& value, const Schema& schema, int kept);
  // Returns the value, changed in about `percent` of a hundred places: parts are dropped, made
  // anew, moved, and taken from the same place of `donor`, which may be null.
  unstructured::Value Vary(const unstructured::Value& value, const unstructured::Value& donor,
                           const Schema& schema, int percent);
  // Returns a value of any type.
  unstructured::Value MakeAnything(int depth);

 private:
  template <typename T, size_t n>
  const T& Pick(const T (&pool)[n]) {
    return pool[dice_.Below(n)];
  }
  unstructured::Value MakeScalar(ScalarType type);
  unstructured::Value MakeList(const ListSchema& list, int depth);
  unstructured::Value MakeItem(const ListSchema& list, int depth);
  unstructured::Value MakeMap(const MapSchema& map, int depth);
  // Adds a random field or key.
  void AddMember(const MapSchema& map, int depth, Map<unstructured::Value>& members);
  // `list` is the list of which the map is an item, or null: its key fields mostly stay.
  unstructured::Value VaryMap(const Map<unstructured::Value>& members,
                              const unstructured::Value& donor, const MapSchema& map,
                              const ListSchema* list, int percent);
  unstructured::Value VaryList(const unstructured::Value& value, const unstructured::Value& donor,
                               const ListSchema& list, int percent);
  unstructured::Value VaryItem(const unstructured::Value& item, const unstructured::Value& donor,
                               const ListSchema& list, int percent);
  unstructured::Value SubsetOfItem(const unstructured::Value& item, const ListSchema& list,
                                   int kept);

  oracle::Dice dice_;
  const ValueShape shape_;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_VALUE_H_
