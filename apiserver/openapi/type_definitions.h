#ifndef APISERVER_OPENAPI_TYPE_DEFINITIONS_H_
#define APISERVER_OPENAPI_TYPE_DEFINITIONS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/openapi/struct_facts.h"

namespace kube::apiserver::internal {

// The definition of a type in OpenAPI documents.
struct TypeDefinition {
  std::string name = {};    // "io.k8s.api.apps.v1.Deployment"
  std::string schema = {};  // of OpenAPI v3, as JSON
  // The other definitions that the schema refers to.
  std::vector<const TypeDefinition*> references = {};
};

// The definitions of the built-in kinds and of all structs that they hold, made of the field tables
// and of what the IDL says besides. They are those of kube-apiserver (kube-openapi:
// `generators.openAPITypeWriter`), except for the texts of descriptions and for
// x-kubernetes-unions, which the IDL does not have.
//
// Build, then immutable; thread-safe.
class TypeDefinitions {
 public:
  // Makes the definitions of all kinds that `facts` know. `facts` must outlive this.
  explicit TypeDefinitions(const StructFacts& facts);
  TypeDefinitions(const TypeDefinitions&) = delete;
  TypeDefinitions& operator=(const TypeDefinitions&) = delete;

  // Returns those of the stable versions in //api. Made at the first call and never destroyed.
  static const TypeDefinitions& BuiltIn();

  // Aborts the program if no known kind holds the struct.
  const TypeDefinition& Of(const table::Message& message) const;
  // Returns the definition of the body of a PATCH, which is no struct: any object.
  const TypeDefinition& patch() const { return *patch_; }
  // Returns the kind whose type the struct is, or null.
  const KindInfo* KindOf(const table::Message& message) const;

 private:
  const TypeDefinition& Add(const table::Message& message);
  // Returns null if values of this kind are not defined but described where they are used.
  const TypeDefinition* LeafOf(table::Kind kind) const;

  friend class TypeSchemaWriter;

  const StructFacts& facts_;
  absl::flat_hash_map<const table::Message*, const KindInfo*> kinds_;
  absl::flat_hash_map<const table::Message*, std::unique_ptr<TypeDefinition>> structs_;
  std::map<table::Kind, TypeDefinition> leaves_;
  std::unique_ptr<TypeDefinition> patch_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_TYPE_DEFINITIONS_H_
