#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_TEXT_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_TEXT_H_

#include <string>

#include "apimachinery/managedfields/schema.h"

namespace kube::managedfields {

// Returns a schema as text, for tests to compare:
//
//   numeric, string, boolean, untyped   scalars
//   atomic[string]                      a list that is owned as a whole
//   set[string]                         a set
//   map(port, protocol="TCP")[...]      a list with keys, one of which has a default
//   {a: string, *: numeric}             a field, and the schema of other keys
//   atomic{a: string}                   a map that is owned as a whole
//   untyped|atomic[string]              several of these
//   DEDUCED, ATOMIC                     DeducedSchema and UntypedAtomicSchema
//   NOTHING                             a schema that accepts nothing
//   ...                                 a schema within itself
std::string SchemaText(const Schema& schema);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_SCHEMA_TEXT_H_
