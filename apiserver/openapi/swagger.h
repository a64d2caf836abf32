#ifndef APISERVER_OPENAPI_SWAGGER_H_
#define APISERVER_OPENAPI_SWAGGER_H_

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Converts parts of OpenAPI v3 documents to OpenAPI v2, also called Swagger, as kube-apiserver has
// them in its own v2 document. Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns a schema without what v2 does not have: defaults, an allOf around a reference, and the
// two types of an IntOrString or a Quantity, which are strings.
Map<unstructured::Value> ToSwaggerSchema(Map<unstructured::Value> schema);

// Returns a path item as v2 writes it: the body is a parameter, and formats belong to the
// operation, not to each body. Unlike upstream's, parameters are written where they are used.
Map<unstructured::Value> ToSwaggerPathItem(const Map<unstructured::Value>& item);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_SWAGGER_H_
