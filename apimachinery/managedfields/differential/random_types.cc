#include "apimachinery/managedfields/differential/random_types.h"

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

constexpr absl::string_view kScalars[] = {"numeric", "string", "boolean", "untyped", "string"};
constexpr absl::string_view kFields[] = {"a", "b", "c", "d", "name", "id", "a.b/c", ""};
constexpr absl::string_view kAtomic = "__untyped_atomic_";
constexpr absl::string_view kDeduced = "__untyped_deduced_";

// The types that are always there, by what they are. A reference may give maps and lists another
// relationship.
constexpr absl::string_view kMaps[] = {"root", "struct", "item", "dictionary", "atomic_map"};
constexpr absl::string_view kLists[] = {"items", "set", "atomic_list"};
constexpr absl::string_view kOthers[] = {"text", "any", "mixed", kAtomic, kDeduced};

Value Named(absl::string_view name) { return Map<Value>{{"namedType", name}}; }

class TypesMaker {
 public:
  explicit TypesMaker(oracle::Dice& dice) : dice_(dice) {}

  Value Make() {
    List<Value> types = List<Value>::Empty();
    Add("root", "map", Struct(2, {}), types);
    Add("struct", "map", Struct(2, {}), types);
    Add("item", "map", Struct(2, {"id", "name"}), types);
    Add("dictionary", "map", Map<Value>{{"elementType", Reference(1)}}, types);
    Value atomic_map = Struct(1, {});
    (*atomic_map.object())["elementRelationship"] = "atomic";
    Add("atomic_map", "map", std::move(atomic_map), types);
    Add("items", "list", KeyedList(Named("item")), types);
    Add("set", "list", Set(), types);
    Add("atomic_list", "list", AtomicList(1), types);
    Add("text", "scalar", "string", types);
    Add("any", "scalar", "untyped", types);
    Value& mixed = Add("mixed", "scalar", "untyped", types);
    (*mixed.object())["list"] = OneIn(2) ? Set() : AtomicList(1);
    (*mixed.object())["map"] = Struct(1, {});
    AddUntyped(kAtomic, "atomic", types);
    AddUntyped(kDeduced, "separable", types);
    return Map<Value>{{"types", std::move(types)}};
  }

 private:
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }
  template <size_t n>
  absl::string_view Pick(const absl::string_view (&pool)[n]) {
    return pool[dice_.Below(n)];
  }

  static Value& Add(absl::string_view name, absl::string_view form, Value content,
                    List<Value>& types) {
    return types.push_back(Value(Map<Value>{{"name", name}, {form, std::move(content)}}));
  }

  static void AddUntyped(absl::string_view name, absl::string_view relationship,
                         List<Value>& types) {
    Value& type = Add(name, "scalar", "untyped", types);
    (*type.object())["list"] =
        Map<Value>{{"elementType", Named(kAtomic)}, {"elementRelationship", "atomic"}};
    (*type.object())["map"] =
        Map<Value>{{"elementType", Named(name)}, {"elementRelationship", relationship}};
  }

  Value Scalar() { return Map<Value>{{"scalar", Pick(kScalars)}}; }

  Value Reference(int depth) {
    switch (dice_.Below(depth > 0 ? 9 : 6)) {
      case 0: {
        Value reference = Named(Pick(kMaps));
        if (OneIn(4)) {
          (*reference.object())["elementRelationship"] = OneIn(2) ? "atomic" : "separable";
        }
        return reference;
      }
      case 1: {
        Value reference = Named(Pick(kLists));
        if (OneIn(5)) {
          (*reference.object())["elementRelationship"] = OneIn(4) ? "associative" : "atomic";
        }
        return reference;
      }
      case 2:
        return Named(Pick(kOthers));
      case 3:
      case 4:
      case 5:
        return Scalar();
      case 6:
        return Map<Value>{{"map", Struct(depth - 1, {})}};
      case 7:
        return Map<Value>{{"list", InlinedList(depth - 1)}};
      default:
        return Map<Value>{{"map", Map<Value>{{"elementType", Reference(depth - 1)}}}};
    }
  }

  Value InlinedList(int depth) {
    switch (dice_.Below(3)) {
      case 0:
        return AtomicList(depth);
      case 1:
        return Set();
      default:
        return KeyedList(Map<Value>{{"map", Struct(depth, {"id", "name"})}});
    }
  }

  Value AtomicList(int depth) {
    return Map<Value>{{"elementType", OneIn(2) ? Scalar() : Reference(depth)},
                      {"elementRelationship", "atomic"}};
  }

  Value Set() {
    return Map<Value>{{"elementType", Scalar()}, {"elementRelationship", "associative"}};
  }

  Value KeyedList(Value element) {
    List<Value> keys = List<Value>::Empty();
    keys.push_back("name");
    if (OneIn(2)) keys.push_back("id");
    if (OneIn(4)) (*element.object())["elementRelationship"] = "atomic";
    return Map<Value>{{"elementType", std::move(element)},
                      {"elementRelationship", "associative"},
                      {"keys", std::move(keys)}};
  }

  // A struct with these fields, which are scalars, and others.
  Value Struct(int depth, std::set<absl::string_view> keys) {
    List<Value> fields = List<Value>::Empty();
    for (const absl::string_view key : keys) {
      const bool is_number = key == "id";
      Map<Value> field = {{"name", key},
                          {"type", Map<Value>{{"scalar", is_number ? "numeric" : "string"}}}};
      if (OneIn(2)) field["default"] = is_number ? Value(80) : Value("a");
      fields.push_back(Value(std::move(field)));
    }
    for (size_t i = dice_.Below(5); i > 0; --i) {
      const absl::string_view name = Pick(kFields);
      if (!keys.insert(name).second) continue;
      fields.push_back(Value(Map<Value>{{"name", name}, {"type", Reference(depth)}}));
    }
    Map<Value> map = {{"fields", std::move(fields)}};
    if (OneIn(5)) map["elementType"] = Reference(0);
    if (OneIn(8)) map["elementRelationship"] = OneIn(2) ? "atomic" : "separable";
    return Value(std::move(map));
  }

  oracle::Dice& dice_;
};

}  // namespace

std::string MakeTypes(oracle::Dice& dice) {
  return unstructured::EncodeJson(TypesMaker(dice).Make()).value();
}

}  // namespace kube::managedfields
