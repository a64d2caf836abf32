#include "codegen/twins.h"

#include <google/protobuf/descriptor.h>

#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

bool IsStruct(const pb::Descriptor& message) {
  return !IsLeafMessage(message) && !IsListMessage(message);
}

}  // namespace

bool HasTwin(const pb::Descriptor& message) {
  return IsStruct(message) && !message.options().GetExtension(kube::kind).has_list_of();
}

bool IsInTwin(const pb::FieldDescriptor& field) {
  if (field.options().GetExtension(kube::field).no_json()) return false;
  const bool cannot_be_applied = field.name() == "managed_fields" || field.name() == "self_link";
  return !(cannot_be_applied && field.containing_type()->name() == "ObjectMeta");
}

const pb::Descriptor* StructOf(const pb::FieldDescriptor& field) {
  if (field.type() != pb::FieldDescriptor::TYPE_MESSAGE) return nullptr;
  const pb::Descriptor& message = *field.message_type();
  if (field.is_map()) return StructOf(*message.map_value());
  return IsStruct(message) ? &message : nullptr;
}

}  // namespace kube::codegen
