#include "apimachinery/meta/accessor.h"

#include <optional>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/reflect.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;

namespace {

template <typename Meta>
const Meta* Find(const codec::AnyObject& object) {
  const std::optional<codec::ValueView> metadata = object.View().Member("metadata");
  return metadata.has_value() ? metadata->As<Meta>() : nullptr;
}

}  // namespace

// The casts only remove the const of the view: the caller may change `object`, which owns
// everything that the pointer refers to.
const metav1::ObjectMeta* MetadataOf(const codec::AnyObject& object) {
  return Find<metav1::ObjectMeta>(object);
}

metav1::ObjectMeta* MetadataOf(codec::AnyObject& object) {
  return const_cast<metav1::ObjectMeta*>(Find<metav1::ObjectMeta>(object));
}

const metav1::ListMeta* ListMetadataOf(const codec::AnyObject& list) {
  return Find<metav1::ListMeta>(list);
}

metav1::ListMeta* ListMetadataOf(codec::AnyObject& list) {
  return const_cast<metav1::ListMeta*>(Find<metav1::ListMeta>(list));
}

metav1::PartialObjectMetadata AsPartialObjectMetadata(const metav1::ObjectMeta& metadata) {
  metav1::PartialObjectMetadata object;
  object.metadata = metadata;
  return object;
}

bool HasSystemFieldValues(const metav1::ObjectMeta& metadata) {
  return !metadata.creation_timestamp.IsZero() || !metadata.uid.empty();
}

void ResetForStatus(metav1::ObjectMeta& metadata, const metav1::ObjectMeta& existing) {
  metadata.deletion_timestamp = existing.deletion_timestamp;
  metadata.generation = existing.generation;
  metadata.self_link = existing.self_link;
  metadata.labels = existing.labels;
  metadata.annotations = existing.annotations;
  metadata.finalizers = existing.finalizers;
  metadata.owner_references = existing.owner_references;
}

}  // namespace kube::meta
