#ifndef APISERVER_OPENAPI_DOCUMENTS_H_
#define APISERVER_OPENAPI_DOCUMENTS_H_

#include <string>

#include "apimachinery/schema/group_version.h"
#include "apiserver/resources.h"

// Makes OpenAPI documents of the resources that a server has. Thread-safe; a document of a built-in
// group version takes some milliseconds.
namespace kube::apiserver::internal {

// Returns the OpenAPI v3 document of a group version as JSON: the paths of its resources and the
// definitions that they refer to.
std::string DocumentOf(const Resources& resources, const schema::GroupVersion& version);

// Returns the OpenAPI v2 document of all group versions as JSON. The schemas of custom resources
// are reduced to what v2 has.
std::string SwaggerOf(const Resources& resources);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_DOCUMENTS_H_
