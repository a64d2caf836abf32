#ifndef APIMACHINERY_CRD_SCHEMA_PUBLISHED_H_
#define APIMACHINERY_CRD_SCHEMA_PUBLISHED_H_

#include "apimachinery/crd_schema/structural.h"

namespace kube::crd_schema {

// Returns whether a server publishes the schema in its OpenAPI documents: whether it is structural
// and has no unknown types. Otherwise all that clients learn of the kind, and all that server-side
// apply knows of it, is that it is an object (apiextensions-apiserver: `generateBuilder`).
bool IsPublished(const Structural& schema);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_PUBLISHED_H_
