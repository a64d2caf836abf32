#ifndef APIMACHINERY_MANAGEDFIELDS_SCHEMA_H_
#define APIMACHINERY_MANAGEDFIELDS_SCHEMA_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/unstructured/value.h"

// Schemas for merging: what a value may be, and which of its parts are owned separately. A schema
// is a graph of plain structs, built once and then immutable. SchemaOf (table_schema.h) makes it of
// the field table of an API type, kube::crd_schema::MergeSchema of a CustomResourceDefinition;
// DeducedSchema stands for objects of which nothing is known.
namespace kube::managedfields {

struct Schema;

enum class ScalarType : uint8_t {
  kNone,     // the value cannot be a scalar
  kNumeric,  // an integer or a double
  kString,
  kBoolean,
  kUntyped,  // any scalar
};

// One key field of a list of type map, with the default that an item without it is said to have.
struct ListKey {
  std::string name;
  std::optional<unstructured::Value> default_value = std::nullopt;
};

// A list (structured-merge-diff: `schema.List`).
struct ListSchema {
  const Schema* element = nullptr;
  // False: the list is owned as a whole. True: its items are owned separately, identified by
  // `keys`, or by their value if there are no keys (a set).
  bool associative = false;
  std::vector<ListKey> keys;
};

struct FieldSchema {
  std::string name;
  const Schema* schema = nullptr;
};

// A struct, a map with arbitrary keys, or both (structured-merge-diff: `schema.Map`).
struct MapSchema {
  std::vector<FieldSchema> fields;  // sorted by name
  // The schema of the keys that are not in `fields`; null if there can be no others.
  const Schema* element = nullptr;
  // The map is owned as a whole.
  bool atomic = false;

  // Returns the schema of a key, or null if the key is not declared.
  const Schema* Find(absl::string_view key) const;
  // Returns the schema of a declared field, or null.
  const Schema* FindField(absl::string_view name) const;
};

// What a value may be: a scalar, a list, a map, or several of these
// (structured-merge-diff: `schema.Atom`).
struct Schema {
  ScalarType scalar = ScalarType::kNone;
  const ListSchema* list = nullptr;
  const MapSchema* map = nullptr;
};

// Owns the parts of schemas. References stay valid as long as the arena exists. Thread-compatible.
class SchemaArena {
 public:
  Schema& AddSchema() { return schemas_.emplace_back(); }
  ListSchema& AddList() { return lists_.emplace_back(); }
  MapSchema& AddMap() { return maps_.emplace_back(); }

 private:
  std::deque<Schema> schemas_;
  std::deque<ListSchema> lists_;
  std::deque<MapSchema> maps_;
};

// The schema of values of which nothing is known: maps are owned key by key, lists as a whole
// (structured-merge-diff: `typed.DeducedParseableType`, "__untyped_deduced_").
const Schema& DeducedSchema();

// The schema of values of which nothing is known and which are owned as a whole, whatever they are
// ("__untyped_atomic_").
const Schema& UntypedAtomicSchema();

// Returns `set` together with the fields on the way to its members that `schema` declares by name.
// Keys of maps and items of lists on the way are not added. With the schema of a pod, a set of one
// port of a container gets the fields `.spec`, `.spec.containers` and the container's `ports`, but
// not the container (structured-merge-diff: `Set.EnsureNamedFieldsAreMembers`).
FieldSet EnsureNamedFieldsAreMembers(const FieldSet& set, const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_SCHEMA_H_
