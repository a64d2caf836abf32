#ifndef CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_TYPE_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_TYPE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Which type of the IDL a schema becomes: one that holds every value that the schema allows, so
// that an object is written as it was read. Pure and thread-safe.

namespace kube::codegen::internal {

enum class Form {
  kLeaf,     // a scalar, or a message of kube/types.proto
  kMessage,  // a message of its own
  kList,     // repeated
  kMap,      // map<string, ...>
  kValue,    // kube.Value: what no other type can hold
};

struct SchemaType {
  Form form = Form::kValue;
  // Of a leaf: "string", "kube.Time".
  std::string leaf = {};
  // What codegen/crds writes of the type into a definition, except for "properties", "items" and
  // "additionalProperties".
  Map<unstructured::Value> written = {};
};

// Returns the type of a schema, which must be an object.
SchemaType TypeOfSchema(const Map<unstructured::Value>& schema);

// Returns the type of the elements of a list or the values of a map with this schema: kValue if it
// is a list or a map itself, or may be null, as the IDL has no such elements.
SchemaType TypeOfElement(const Map<unstructured::Value>& schema);

// Returns the schema of the elements of a list or of the values of a map; null if there is none.
const Map<unstructured::Value>* ElementSchemaOf(const Map<unstructured::Value>& schema);

// Returns whether a member of a schema is true.
bool IsTrue(const Map<unstructured::Value>& schema, absl::string_view name);

// Returns a member of a schema that is a text, or "".
absl::string_view TextOf(const Map<unstructured::Value>& schema, absl::string_view name);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_SCHEMA_TYPE_H_
