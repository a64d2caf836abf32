#ifndef CODEGEN_CRD_IMPORT_TESTING_DEFINITION_DIFF_H_
#define CODEGEN_CRD_IMPORT_TESTING_DEFINITION_DIFF_H_

#include <string>
#include <vector>

#include "apimachinery/unstructured/value.h"

// What CustomResourceDefinitions mean, as opposed to how they are written. Pure and thread-safe.

namespace kube::codegen {

// Returns a definition as an API server with its defaults sees it: without status, without members
// that say what is so anyway (false, empty or null ones, the usual list kind), with its versions
// sorted by name and required fields by text. apiVersion, kind and metadata are there in each
// schema, without descriptions. White space at the ends of lines of descriptions does not count.
unstructured::Value NormalDefinition(const unstructured::Value& definition);

// Returns where two values differ, one line each: `spec.scope: "Cluster" -> "Namespaced"`. Numbers
// are compared by value. Only the first hundred differences are returned.
std::vector<std::string> DiffValues(const unstructured::Value& before,
                                    const unstructured::Value& after);

// Returns where two definitions differ in meaning.
std::vector<std::string> DiffDefinitions(const unstructured::Value& before,
                                         const unstructured::Value& after);

}  // namespace kube::codegen

#endif  // CODEGEN_CRD_IMPORT_TESTING_DEFINITION_DIFF_H_
