#include "controller/events/event_object.h"

#include <initializer_list>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::events {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

namespace {

schema::GroupVersionKind NameOf(const KindInfo& kind) {
  return schema::GroupVersionKind{.group = std::string(kind.group),
                                  .version = std::string(kind.version),
                                  .kind = std::string(kind.kind)};
}

bool IsEmpty(const schema::GroupVersionKind& kind) {
  return kind.group.empty() && kind.version.empty() && kind.kind.empty();
}

metav1::ObjectMeta MetadataOrNone(const codec::AnyObject& object) {
  const metav1::ObjectMeta* metadata = meta::MetadataOf(object);
  return metadata == nullptr ? metav1::ObjectMeta() : *metadata;
}

schema::GroupVersionKind KindSaid(const codec::AnyObject& object) {
  const auto text = [&object](absl::string_view name) -> absl::string_view {
    const auto member = object.View().Member(name);
    return member.has_value() ? member->text().value_or("") : "";
  };
  return schema::FromApiVersionAndKind(text("apiVersion"), text("kind"));
}

}  // namespace

ObjectKinds::ObjectKinds(std::initializer_list<absl::Span<const KindInfo>> kinds) {
  for (const absl::Span<const KindInfo> group : kinds) {
    for (const KindInfo& kind : group) Add(*kind.message, NameOf(kind));
  }
}

void ObjectKinds::Add(const kube::table::Message& type, const schema::GroupVersionKind& kind) {
  kinds_.emplace(&type, kind);
}

const schema::GroupVersionKind* ObjectKinds::Find(const kube::table::Message& type) const {
  const auto found = kinds_.find(&type);
  return found == kinds_.end() ? nullptr : &found->second;
}

EventObject::EventObject(const metav1::ObjectMeta& metadata, const schema::GroupVersionKind& said,
                         const kube::table::Message* type, const KindInfo* known)
    : is_null_(false) {
  reference_.namespace_ = metadata.namespace_;
  reference_.name = metadata.name;
  reference_.uid = metadata.uid;
  reference_.resource_version = metadata.resource_version;
  if (!IsEmpty(said)) {
    SetKind(said);
  } else if (known != nullptr) {
    SetKind(NameOf(*known));
  } else {
    type_ = type;
  }
}

EventObject::EventObject(const codec::AnyObject& object)
    : EventObject(MetadataOrNone(object), KindSaid(object), object.kind().message, &object.kind()) {
  if (const metav1::ListMeta* list = meta::ListMetadataOf(object); list != nullptr) {
    reference_.resource_version = list->resource_version;
  }
}

EventObject::EventObject(const unstructured::Unstructured& object) : is_null_(false) {
  reference_.namespace_ = object.namespace_name();
  reference_.name = object.name();
  reference_.uid = object.uid();
  reference_.resource_version = object.resource_version();
  SetKind(object.gvk());
  if (IsEmpty(object.gvk())) type_ = &unstructured::Unstructured::kMessage;
}

void EventObject::SetKind(const schema::GroupVersionKind& kind) {
  reference_.kind = kind.kind;
  reference_.api_version = schema::ApiVersionOf(kind);
}

absl::StatusOr<corev1::ObjectReference> GetReference(const ObjectKinds& kinds,
                                                     const EventObject& object) {
  if (object.is_null_) {
    return absl::InvalidArgumentError("make reference: can't reference a nil object");
  }
  if (object.type_ == nullptr) return object.reference_;
  const schema::GroupVersionKind* const kind = kinds.Find(*object.type_);
  if (kind == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("make reference to \"", object.reference_.name.view(),
                     "\": no kind is registered for the type ", object.type_->type_name(),
                     ", make the recorder with KindsOf of its client"));
  }
  EventObject known = object;
  known.SetKind(*kind);
  return known.reference_;
}

}  // namespace kube::events
