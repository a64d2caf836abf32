#include "codegen/twins.h"

#include <google/protobuf/descriptor.h>

#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

const pb::Descriptor* StructOf(const pb::FieldDescriptor& field) {
  if (field.type() != pb::FieldDescriptor::TYPE_MESSAGE) return nullptr;
  const pb::Descriptor& message = *field.message_type();
  if (field.is_map()) return StructOf(*message.map_value());
  return IsLeafMessage(message) || IsListMessage(message) ? nullptr : &message;
}

bool Twins::Has(const pb::Descriptor& message) {
  const auto [file, is_new] = files_.try_emplace(message.file());
  if (is_new) {
    for (int i = 0; i < message.file()->message_type_count(); ++i) {
      const pb::Descriptor& root = *message.file()->message_type(i);
      if (root.options().GetExtension(kube::struct_).apply_configuration()) {
        Reach(root, file->second);
      }
    }
  }
  return file->second.count(&message) != 0;
}

void Twins::Reach(const pb::Descriptor& message, Messages& reached) {
  if (!reached.insert(&message).second) return;
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::Descriptor* held = StructOf(*message.field(i));
    if (held != nullptr && held->file() == message.file()) Reach(*held, reached);
  }
}

}  // namespace kube::codegen
