#ifndef APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_SCHEMA_H_
#define APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_SCHEMA_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "tests/dice.h"

namespace kube::oracle {

// The kind of schemas to make.
struct SchemaShape {
  // One in this many schemas gets a part that no structural schema has. Zero means none.
  int mistakes = 0;
};

// Makes random JSON schemas as authors of CRDs write them, right and wrong, and values that more or
// less match them. The same seed makes the same schemas and values. Thread-compatible.
class SchemaMaker {
 public:
  explicit SchemaMaker(uint64_t seed) : dice_(seed) {}

  // Makes the schema of a resource, which is an object.
  Map<unstructured::Value> MakeSchema(const SchemaShape& shape = {});
  // Makes a value for any schema.
  unstructured::Value MakeValue(const unstructured::Value& schema);
  // Makes a resource: an object with apiVersion, kind and metadata.
  Map<unstructured::Value> MakeObject(const unstructured::Value& schema);
  // Returns the value with a few changes.
  unstructured::Value Change(const unstructured::Value& schema, const unstructured::Value& value);

 private:
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }
  absl::string_view Pick(absl::Span<const absl::string_view> texts);
  unstructured::Value Number();
  unstructured::Value Anything(int depth);
  unstructured::Value TextOf(const unstructured::Value& schema);
  unstructured::Value NumberOf(const unstructured::Value& schema, bool integer);
  unstructured::Value ValueOf(const unstructured::Value& schema, int depth);
  Map<unstructured::Value> Schema(int depth);
  void AddObject(Map<unstructured::Value>& schema, int depth, bool nested);
  void AddArray(Map<unstructured::Value>& schema, int depth, bool nested);
  void AddText(Map<unstructured::Value>& schema);
  void AddNumber(Map<unstructured::Value>& schema);
  void AddJunctors(Map<unstructured::Value>& schema, int depth);
  Map<unstructured::Value> Nested(const Map<unstructured::Value>& schema, int depth);
  void AddMistake(Map<unstructured::Value>& schema);
  unstructured::Value Metadata();

  Dice dice_;
  SchemaShape shape_;
};

// Returns whether a schema, or one below it, has properties and a schema for additional ones, which
// definitions must not have.
bool HasPropertiesAndOthers(const unstructured::Value& schema);

}  // namespace kube::oracle

#endif  // APIMACHINERY_CRD_SCHEMA_DIFFERENTIAL_RANDOM_SCHEMA_H_
