#ifndef APIMACHINERY_META_DYNAMIC_METADATA_H_
#define APIMACHINERY_META_DYNAMIC_METADATA_H_

#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"

// The complete metadata of objects that have it behind accessors, such as
// unstructured::Unstructured:
//
//   metav1::ObjectMeta metadata = meta::ReadMetadata(object);
//   metadata.labels["team"] = "web";
//   meta::WriteMetadata(object, metadata);
//
// The functions for names, finalizers, owners and deletion take such objects without a copy of the
// metadata. Thread-safe as long as no other thread changes the object.
namespace kube::meta {

// Returns a copy of the metadata. apimachinery: `meta.AsPartialObjectMetadata`.
template <DynamicObject T>
api::meta::v1::ObjectMeta ReadMetadata(const T& object) {
  api::meta::v1::ObjectMeta metadata;
  metadata.name = object.name();
  metadata.generate_name = object.generate_name();
  metadata.namespace_ = object.namespace_name();
  metadata.self_link = object.self_link();
  metadata.uid = object.uid();
  metadata.resource_version = object.resource_version();
  metadata.generation = object.generation();
  metadata.creation_timestamp = object.creation_timestamp();
  metadata.deletion_timestamp = object.deletion_timestamp();
  metadata.deletion_grace_period_seconds = object.deletion_grace_period_seconds();
  metadata.labels = object.labels();
  metadata.annotations = object.annotations();
  metadata.owner_references = object.owner_references();
  metadata.finalizers = object.finalizers();
  metadata.managed_fields = object.managed_fields();
  return metadata;
}

// Sets the fields that differ from what ReadMetadata returns; leaves everything else in the object
// unchanged.
template <DynamicObject T>
void WriteMetadata(T& object, const api::meta::v1::ObjectMeta& to) {
  const api::meta::v1::ObjectMeta from = ReadMetadata(object);
  if (from.name != to.name) object.set_name(to.name.view());
  if (from.generate_name != to.generate_name) object.set_generate_name(to.generate_name.view());
  if (from.namespace_ != to.namespace_) object.set_namespace(to.namespace_.view());
  if (from.self_link != to.self_link) object.set_self_link(to.self_link.view());
  if (from.uid != to.uid) object.set_uid(to.uid.view());
  if (from.resource_version != to.resource_version) {
    object.set_resource_version(to.resource_version.view());
  }
  if (from.generation != to.generation) object.set_generation(to.generation);
  if (from.creation_timestamp != to.creation_timestamp) {
    object.set_creation_timestamp(to.creation_timestamp);
  }
  if (from.deletion_timestamp != to.deletion_timestamp) {
    object.set_deletion_timestamp(to.deletion_timestamp);
  }
  if (from.deletion_grace_period_seconds != to.deletion_grace_period_seconds) {
    object.set_deletion_grace_period_seconds(to.deletion_grace_period_seconds);
  }
  if (!(from.labels == to.labels)) object.set_labels(to.labels);
  if (!(from.annotations == to.annotations)) object.set_annotations(to.annotations);
  if (!(from.owner_references == to.owner_references)) {
    object.set_owner_references(to.owner_references);
  }
  if (!(from.finalizers == to.finalizers)) object.set_finalizers(to.finalizers);
  if (!(from.managed_fields == to.managed_fields)) object.set_managed_fields(to.managed_fields);
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_DYNAMIC_METADATA_H_
