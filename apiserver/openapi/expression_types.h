#ifndef APISERVER_OPENAPI_EXPRESSION_TYPES_H_
#define APISERVER_OPENAPI_EXPRESSION_TYPES_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/schema.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Returns the types of a resource's objects for the checker of expressions, made of the schema that
// the OpenAPI document of its version has. As upstream, expressions cannot see members whose schema
// has no type, such as quantities, nor lists and maps of them, and a definition within itself has
// no members. `name` is that of the type; types of members begin with it.
//
// Never returns null. The first call makes the definitions of all built-in kinds. Thread-safe
// (kube-apiserver: `resolver.SchemaResolver`, `common.SchemaDeclType`).
std::shared_ptr<const cel::SchemaTypes> ExpressionTypesOf(const Resource& resource,
                                                          absl::string_view name);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_EXPRESSION_TYPES_H_
