#include "codegen/leaf_types.h"

#include <google/protobuf/descriptor.h>

#include <iterator>
#include <string>

#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

struct LeafMessage {
  const char* proto_name;
  LeafType type;
};

const LeafMessage kLeafMessages[] = {
    {"kube.Time", {"::kube::Time", "apimachinery/types/time.h", 8, 8}},
    {"kube.MicroTime", {"::kube::MicroTime", "apimachinery/types/micro_time.h", 16, 8}},
    {"kube.Duration", {"::kube::Duration", "apimachinery/types/duration.h", 8, 8}},
    {"kube.Quantity", {"::kube::Quantity", "apimachinery/types/quantity.h", 16, 8}},
    {"kube.IntOrString", {"::kube::IntOrString", "apimachinery/types/int_or_string.h", 24, 8}},
    {"kube.RawExtension", {"::kube::RawExtension", "apimachinery/types/raw.h", 16, 8}},
    {"kube.FieldsV1", {"::kube::FieldsV1", "apimachinery/types/raw.h", 16, 8}},
    {"kube.RawJson", {"::kube::RawJson", "apimachinery/types/raw.h", 16, 8}},
    {"kube.Value", {"::kube::unstructured::Value", "apimachinery/unstructured/value.h", 16, 8}},
};

const LeafType kString = {"::kube::String", "apimachinery/types/string.h", 16, 8};
const LeafType kBytes = {"::kube::Bytes", "apimachinery/types/bytes.h", 16, 8};
const LeafType kBool = {"bool", "", 1, 1};
const LeafType kInt32 = {"int32_t", "", 4, 4};
const LeafType kInt64 = {"int64_t", "", 8, 8};
const LeafType kDouble = {"double", "", 8, 8};
const LeafType kStringList = {"::kube::List<::kube::String>", "apimachinery/types/list.h", 8, 8};

const LeafType* FindLeafMessage(const pb::Descriptor& message) {
  for (const LeafMessage& leaf : kLeafMessages) {
    if (message.full_name() == leaf.proto_name) return &leaf.type;
  }
  return nullptr;
}

}  // namespace

const LeafType* FindLeafType(const pb::FieldDescriptor& field) {
  switch (field.type()) {
    case pb::FieldDescriptor::TYPE_STRING:
      return &kString;
    case pb::FieldDescriptor::TYPE_BYTES:
      return &kBytes;
    case pb::FieldDescriptor::TYPE_BOOL:
      return &kBool;
    case pb::FieldDescriptor::TYPE_INT32:
      return &kInt32;
    case pb::FieldDescriptor::TYPE_INT64:
      return &kInt64;
    case pb::FieldDescriptor::TYPE_DOUBLE:
      return &kDouble;
    case pb::FieldDescriptor::TYPE_MESSAGE:
      return FindLeafMessage(*field.message_type());
    default:
      return nullptr;
  }
}

const LeafType& StringListType() { return kStringList; }

const LeafType& StringType() { return kString; }

bool IsListMessage(const pb::Descriptor& message) {
  return message.options().GetExtension(kube::struct_).list();
}

bool IsLeafMessage(const pb::Descriptor& message) { return FindLeafMessage(message) != nullptr; }

bool HoldsValues(const pb::FieldDescriptor& field) {
  if (field.type() != pb::FieldDescriptor::TYPE_MESSAGE) return false;
  if (field.is_map()) return HoldsValues(*field.message_type()->map_value());
  return field.message_type()->full_name() == "kube.Value";
}

bool IsOfRelease(const pb::FileDescriptor& file) {
  return !file.options().GetExtension(kube::group_version).release().empty();
}

}  // namespace kube::codegen
