#ifndef APISERVER_OPENAPI_STRUCT_FACTS_H_
#define APISERVER_OPENAPI_STRUCT_FACTS_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::apiserver::internal {

// What the IDL says of structs beyond their field tables: the names of their definitions in OpenAPI
// documents, comments, defaults, enums. The lines of codegen/definitions/definitions.h explain the
// facts.
//
// A struct is found by the names of its IDL file, which all tables of the file refer to. Immutable,
// thread-safe.
class StructFacts {
 public:
  // `text` has the lines of codegen/definitions/definitions.h for files of //api, and must outlive
  // this. Aborts the program if it has others.
  explicit StructFacts(absl::string_view text);

  // Returns those of the stable versions in //api: v1, v2. Never destroyed.
  static const StructFacts& BuiltIn();

  // Returns whether the struct belongs to one of the files.
  bool Knows(const table::Message& message) const;
  // Returns the name of the struct's definition, such as "io.k8s.api.apps.v1.Deployment". Aborts
  // the program if the struct belongs to none of the files.
  std::string NameOf(const table::Message& message) const;
  // Returns the object of its facts, or a null Value.
  const unstructured::Value& FactsOf(const table::Message& message) const;

 private:
  // By the names of a file, which identify it.
  absl::flat_hash_map<const void*, absl::string_view> prefixes_;
  absl::flat_hash_map<std::pair<const void*, absl::string_view>, unstructured::Value> facts_;
  const unstructured::Value none_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_STRUCT_FACTS_H_
