#ifndef APIMACHINERY_MANAGEDFIELDS_TABLE_SCHEMA_H_
#define APIMACHINERY_MANAGEDFIELDS_TABLE_SCHEMA_H_

#include "apimachinery/managedfields/schema.h"
#include "apimachinery/table/message.h"

namespace kube::managedfields {

// Returns the schema of an API type, made of its field table at the first call and kept for the
// lifetime of the program, as `message` must be. It is equal to the schema that an API server makes
// of its OpenAPI document (kube-openapi: `schemaconv.ToSchemaFromOpenAPI`), and to that of
// client-go's apply configurations. The two differ in IntOrString, which is any scalar here as in
// client-go; an API server leaves it to its decoder to refuse lists and objects. Thread-safe.
//
//   const Schema& pod = SchemaOf(corev1::Pod::kMessage);
//   const Schema* spec = pod.map->FindField("spec");  // that of a PodSpec
const Schema& SchemaOf(const kube::table::Message& message);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TABLE_SCHEMA_H_
