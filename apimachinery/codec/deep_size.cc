#include "apimachinery/codec/deep_size.h"

#include <cstddef>
#include <cstdint>

#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {
namespace {

using kube::table::AlignUp;
using kube::table::EntrySize;
using kube::table::kValueType;
using kube::table::Storage;
using kube::table::StorageOf;
using kube::table::ValueTag;
using kube::table::ValueType;

class Measurer {
 public:
  explicit Measurer(size_t object) { size_.object = object; }

  const ObjectSize& size() const { return size_; }

  void AddMessage(const char* value, const Message& message) {
    for (uint16_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      AddField(value + field.offset, ValueType(message, field), field.shape);
    }
  }

 private:
  void AddField(const char* member, Type type, Shape shape) {
    switch (shape) {
      case Shape::kValue:
      case Shape::kOpt:
        return AddValue(member, type);
      case Shape::kBox: {
        const auto box = Load<BoxRep>(member);
        if (!box) return;
        Add(type.size, box.is_owned(), box.is_in_node());
        return AddValue(box.value(), type);
      }
      case Shape::kList:
        return AddBlock(AsBlock(member), 0, type.size, type);
      case Shape::kMap:
        return AddBlock(AsBlock(member), kEntryValue, EntrySize(type), type);
    }
  }

  // Adds a list, or a map whose entries begin with a key of `key_size` bytes.
  void AddBlock(const ListBlock* block, size_t key_size, size_t element_size, Type type) {
    // The block that all empty lists share belongs to no object.
    if (block == nullptr || block == kube::table::EmptyListBlock()) return;
    Add(ListBlock::Bytes(block->is_owned() ? block->capacity() : block->size, element_size),
        block->is_owned(), block->is_in_node());
    if (key_size == 0 && StorageOf(type.kind) == Storage::kNone) return;
    const char* element = block->elements();
    for (uint32_t i = 0; i < block->size; ++i, element += element_size) {
      if (key_size != 0) AddString(AsString(element));
      AddValue(element + key_size, type);
    }
  }

  void AddValue(const char* value, Type type) {
    switch (StorageOf(type.kind)) {
      case Storage::kString:
        return AddString(AsString(value));
      case Storage::kList:
        return AddBlock(AsBlock(value), 0, sizeof(StringRep), kube::table::kStringType);
      case Storage::kMessage:
        return AddMessage(value, *type.message);
      case Storage::kValue:
        return AddJsonValue(value);
      default:
        return;
    }
  }

  void AddJsonValue(const char* value) {
    switch (kube::table::ValueTagOf(value)) {
      case ValueTag::kString:
        return AddString(AsString(value));
      case ValueTag::kList:
        return AddBlock(AsBlock(value), 0, kValueType.size, kValueType);
      case ValueTag::kObject:
        return AddBlock(AsBlock(value), kEntryValue, EntrySize(kValueType), kValueType);
      default:
        return;
    }
  }

  void AddString(const StringRep& text) {
    if (!text.is_inline()) Add(text.size(), text.is_owned(), text.is_in_node());
  }

  void Add(size_t bytes, bool owned, bool in_node) {
    if (owned) {
      size_.owned += bytes;
      ++size_.owned_pieces;
    } else {
      (in_node ? size_.shared : size_.block) += AlignUp(bytes);
    }
  }

  ObjectSize size_;
};

}  // namespace

ObjectSize DeepSize(const void* value, const Message& message) {
  Measurer measurer(message.size);
  measurer.AddMessage(static_cast<const char*>(value), message);
  return measurer.size();
}

}  // namespace kube::codec::internal
