#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_BUILDER_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_BUILDER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"

namespace kube::managedfields {

// A schema with its memory. Returned by ParseSchema.
struct BuiltSchema {
  std::shared_ptr<const SchemaArena> arena;
  const Schema* schema = nullptr;
};

// Reads a schema in the YAML that structured-merge-diff's tests and oracles use:
//
//   types:
//   - name: pod
//     map:
//       fields:
//       - name: containers
//         type: {list: {elementRelationship: associative, keys: [name],
//                       elementType: {namedType: container}}}
//
// Named types, inlined atoms, elementRelationship of references, and defaults of fields are read;
// unions are skipped. The types __untyped_atomic_ and __untyped_deduced_ need no definition: they
// are UntypedAtomicSchema and DeducedSchema. A list without elementRelationship is atomic. Names
// that YAML would read as a number or a boolean need quotes. Returns INVALID_ARGUMENT if the text
// is not a schema, refers to a type that is not defined, or has no type `root`. For tests.
absl::StatusOr<BuiltSchema> ParseSchema(absl::string_view yaml, absl::string_view root);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_BUILDER_H_
