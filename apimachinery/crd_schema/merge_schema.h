#ifndef APIMACHINERY_CRD_SCHEMA_MERGE_SCHEMA_H_
#define APIMACHINERY_CRD_SCHEMA_MERGE_SCHEMA_H_

#include <memory>

#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/managedfields/schema.h"

namespace kube::crd_schema {

// How custom resources of one version of a CRD are merged by server-side apply, and which of their
// fields are owned separately: what x-kubernetes-list-type, x-kubernetes-list-map-keys and
// x-kubernetes-map-type say. Made once for each version; refers to nothing outside. Immutable,
// thread-safe (apiextensions-apiserver: `buildOpenAPIModelsForApply`, and kube-openapi's
// `schemaconv.ToSchemaFromOpenAPI`).
//
//   const std::shared_ptr<const MergeSchema> made = MergeSchema::Make(structural.get());
//   const managedfields::Schema& schema = made->schema();
class MergeSchema {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  explicit MergeSchema(Key) {}
  MergeSchema(const MergeSchema&) = delete;
  MergeSchema& operator=(const MergeSchema&) = delete;

  // Makes the merge schema of a schema, or of a version without one if `structural` is null.
  // metadata is that of all kinds, apiVersion and kind are strings, whatever the schema says of
  // them; also in embedded resources. As upstream, objects without a structural schema are merged
  // as their values suggest: maps by their keys, lists as a whole.
  static std::shared_ptr<const MergeSchema> Make(const Structural* structural);

  // The schema of an object. Valid as long as the MergeSchema exists.
  const managedfields::Schema& schema() const { return *schema_; }

 private:
  managedfields::SchemaArena arena_;
  const managedfields::Schema* schema_ = nullptr;
};

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_MERGE_SCHEMA_H_
