// Both directions go through JSON, which is where an object and its apply configuration are the
// same. JSON does not tell one thing: a struct that the object holds by value is written even if
// nothing is in it ("status":{}), so such structs are removed from the configuration afterwards.

#include "apimachinery/codec/apply_configuration.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::codec {

using kube::table::BoxRep;
using kube::table::Field;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::Store;

namespace {

absl::Status Convert(const void* from, const Message& from_message, void* to,
                     const Message& to_message) {
  std::string json;
  KUBE_RETURN_IF_ERROR(AppendJson(json, from, from_message));
  const PaddedBuffer buffer(json);
  return DecodeInto(static_cast<char*>(to), to_message, Encoding::kJson, buffer.view(),
                    DecodeOptions());
}

// Returns the field of that name, or null.
const Field* FindField(const Message& message, absl::string_view name) {
  for (size_t i = 0; i < message.field_count; ++i) {
    if (message.field_name(message.fields[i]) == name) return &message.fields[i];
  }
  return nullptr;
}

// Removes the structs that the object holds by value and in which nothing is set.
void DropEmptyStructs(char* configuration, const Message& twin, const Message& message);

// Drops them in the values of one member, which `twin` and `message` describe, and the value itself
// if it is empty and the object holds it by value.
void DropInMember(char* member, const Field& field, const Message& twin, const Message& message,
                  bool by_value) {
  switch (field.shape) {
    case Shape::kValue:
      return DropEmptyStructs(member, twin, message);
    case Shape::kBox: {
      const auto box = Load<BoxRep>(member);
      if (!box) return;
      DropEmptyStructs(box.value(), twin, message);
      if (!by_value || !internal::IsZero(box.value(), Kind::kMessage, &twin)) return;
      kube::table::DestroyBox(box, {Kind::kMessage, twin.size, &twin});
      return Store(member, BoxRep());
    }
    case Shape::kList:
    case Shape::kMap: {
      auto* const block = Load<ListBlock*>(member);
      if (block == nullptr) return;
      char* element = block->elements() + (field.shape == Shape::kMap ? internal::kEntryValue : 0);
      for (uint32_t i = 0; i < block->size; ++i, element += field.element_size) {
        DropEmptyStructs(element, twin, message);
      }
      return;
    }
    case Shape::kOpt:
      return;
  }
}

void DropEmptyStructs(char* configuration, const Message& twin, const Message& message) {
  for (size_t i = 0; i < twin.field_count; ++i) {
    const Field& field = twin.fields[i];
    if (field.kind != Kind::kMessage) continue;
    const Field* original = FindField(message, twin.field_name(field));
    if (original == nullptr || original->kind != Kind::kMessage) continue;
    DropInMember(configuration + field.offset, field, twin.sub_message(field),
                 message.sub_message(*original), original->shape == Shape::kValue);
  }
}

}  // namespace

absl::Status FillApplyConfiguration(const void* object, const Message& message, void* configuration,
                                    const Message& configuration_message) {
  KUBE_RETURN_IF_ERROR(Convert(object, message, configuration, configuration_message));
  DropEmptyStructs(static_cast<char*>(configuration), configuration_message, message);
  return absl::OkStatus();
}

absl::Status FillFromApplyConfiguration(const void* configuration,
                                        const Message& configuration_message, void* object,
                                        const Message& message) {
  return Convert(configuration, configuration_message, object, message);
}

}  // namespace kube::codec
