// Copies a value depth-first, in two steps for each pointer. First the memory it points to (a box,
// or the block of a list or map) is copied bitwise to the front of the free space; values may be
// moved by copying their bytes. Then the pointers in the copy, which still lead to the old memory,
// are followed in the same way and replaced. The bytes of strings go to the back: they need no
// alignment, so nothing is wasted between them. The block is full when front and back meet.
//
// Three things are not copied: inline strings, empty lists and maps (they are a shared constant),
// and whatever is in a node already. In a node, strings that lie in the encoded value, as unescaped
// JSON strings and protobuf strings do, point into the node's copy of it instead.
//
// Measure makes the same walk and only counts. Both must agree exactly: a node, and an object whose
// size was not counted well while decoding, get exactly the measured size.

#include "apimachinery/codec/internal/block_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {

using kube::table::AlignUp;
using kube::table::BoxRep;
using kube::table::ElementType;
using kube::table::EntrySize;
using kube::table::Field;
using kube::table::Kind;
using kube::table::kStringType;
using kube::table::kValueType;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Shape;
using kube::table::Storage;
using kube::table::StorageOf;
using kube::table::Store;
using kube::table::StringRep;
using kube::table::Type;
using kube::table::ValueTag;

namespace {

bool IsWithin(absl::string_view range, const char* p) {
  return reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(range.data()) < range.size();
}

// Returns whether a list or map needs no copy: it is null, the empty constant, or in a node.
bool StaysWhereItIs(const ListBlock* block) {
  return block == nullptr || block->is_in_node() || block == kube::table::EmptyListBlock();
}

}  // namespace

inline bool BlockWriter::String(char* value) {
  const auto rep = Load<StringRep>(value);
  if (rep.is_inline() || rep.is_in_node()) return true;
  const size_t size = rep.size();
  const char* data = rep.data();
  if (IsWithin(encoded_, data)) {
    Store(value, StringRep::InNode(encoded_copy_ + (data - encoded_.data()), size));
    return true;
  }
  if (static_cast<size_t>(back_ - front_) < size) [[unlikely]] {
    return false;
  }
  back_ -= size;
  std::memcpy(back_, data, size);
  Store(value, encoded_.empty() ? StringRep::InBlock(back_, size) : StringRep::InNode(back_, size));
  return true;
}

bool BlockWriter::Message(char* value, const kube::table::Message& message) {
  const Field* const end = message.fields + message.field_count;
  for (const Field* field = message.fields; field != end; ++field) {
    char* member = value + field->offset;
    bool ok = true;
    switch (field->storage) {
      case Storage::kNone:
        break;
      case Storage::kString:
        ok = String(member);
        break;
      case Storage::kMessage:
        ok = Message(member, *message.sub(*field));
        break;
      case Storage::kValue:
        ok = JsonValue(member);
        break;
      case Storage::kBox:
        ok = Load<char*>(member) == nullptr || Box(member, ElementType(message, *field));
        break;
      case Storage::kList:
        ok = Load<char*>(member) == nullptr || List(member, ElementType(message, *field));
        break;
      case Storage::kMap:
        ok = Load<char*>(member) == nullptr || Map(member, ElementType(message, *field));
        break;
    }
    if (!ok) [[unlikely]] {
      return false;
    }
  }
  return true;
}

bool BlockWriter::Elements(char* first, size_t count, size_t stride, Type type) {
  const Storage storage = StorageOf(type.kind);
  if (storage == Storage::kNone) return true;
  for (; count != 0; --count, first += stride) {
    const bool ok = storage == Storage::kString    ? String(first)
                    : storage == Storage::kMessage ? Message(first, *type.message)
                    : storage == Storage::kValue   ? JsonValue(first)
                                                   : List(first, kStringType);
    if (!ok) [[unlikely]] {
      return false;
    }
  }
  return true;
}

bool BlockWriter::JsonValue(char* value) {
  switch (kube::table::ValueTagOf(value)) {
    case ValueTag::kString:
      return String(value);
    case ValueTag::kList:
      return List(value, kValueType);
    case ValueTag::kObject:
      return Map(value, kValueType);
    default:
      return true;
  }
}

bool BlockWriter::Box(char* member, Type type) {
  const auto box = Load<BoxRep>(member);
  if (box.is_in_node()) return true;
  char* copy = Get(type.size);
  if (copy == nullptr) return false;
  std::memcpy(copy, box.value(), type.size);
  Store(member, BoxRep::InBlock(copy));
  return Elements(copy, 1, 0, type);
}

char* BlockWriter::Block(char* member, size_t element_size) {
  const auto* from = Load<const ListBlock*>(member);
  const size_t bytes = ListBlock::Bytes(from->size, element_size);
  char* to = Get(bytes);
  if (to == nullptr) return nullptr;
  std::memcpy(to, from, bytes);
  auto* block = reinterpret_cast<ListBlock*>(to);
  block->capacity_and_flags = from->size | ListBlock::kInBlock;
  Store(member, block);
  return block->elements();
}

bool BlockWriter::List(char* member, Type type) {
  const auto* from = Load<const ListBlock*>(member);
  if (StaysWhereItIs(from)) return true;
  char* elements = Block(member, type.size);
  return elements != nullptr && Elements(elements, from->size, type.size, type);
}

bool BlockWriter::Map(char* member, Type type) {
  const auto* from = Load<const ListBlock*>(member);
  if (StaysWhereItIs(from)) return true;
  const size_t stride = EntrySize(type);
  char* elements = Block(member, stride);
  return elements != nullptr && Elements(elements, from->size, stride, kStringType) &&
         Elements(elements + sizeof(StringRep), from->size, stride, type);
}

namespace {

// Makes the walk of a BlockWriter, and counts the bytes.
class Measure {
 public:
  explicit Measure(absl::string_view encoded) : encoded_(encoded) {}

  size_t bytes() const { return bytes_; }

  void Elements(const char* first, size_t count, size_t stride, Type type) {
    for (; count != 0; --count, first += stride) {
      switch (StorageOf(type.kind)) {
        case Storage::kString:
          String(first);
          break;
        case Storage::kMessage:
          Message(first, *type.message);
          break;
        case Storage::kList:
          Block(Load<const ListBlock*>(first), sizeof(StringRep), 0, kStringType);
          break;
        case Storage::kValue:
          JsonValue(first);
          break;
        default:
          return;
      }
    }
  }

  void Member(const char* member, const kube::table::Message& message, const Field& field) {
    switch (field.storage) {
      case Storage::kNone:
        return;
      case Storage::kString:
        return String(member);
      case Storage::kMessage:
        return Message(member, *message.sub(field));
      case Storage::kValue:
        return JsonValue(member);
      case Storage::kBox:
        return Holder(member, Shape::kBox, ElementType(message, field));
      case Storage::kList:
        return Holder(member, Shape::kList, ElementType(message, field));
      case Storage::kMap:
        return Holder(member, Shape::kMap, ElementType(message, field));
    }
  }

  // Counts the list, map or box at `member`.
  void Holder(const char* member, Shape shape, Type element) {
    if (shape == Shape::kBox) return Box(Load<BoxRep>(member), element);
    const auto* block = Load<const ListBlock*>(member);
    if (shape == Shape::kList) return Block(block, element.size, 0, element);
    Block(block, EntrySize(element), sizeof(StringRep), element);
  }

 private:
  void String(const char* value) {
    const auto rep = Load<StringRep>(value);
    if (rep.is_inline() || rep.is_in_node()) return;
    if (!IsWithin(encoded_, rep.data())) bytes_ += rep.size();
  }

  void JsonValue(const char* value) {
    switch (kube::table::ValueTagOf(value)) {
      case ValueTag::kString:
        return String(value);
      case ValueTag::kList:
        return Holder(value, Shape::kList, kValueType);
      case ValueTag::kObject:
        return Holder(value, Shape::kMap, kValueType);
      default:
        return;
    }
  }

  void Message(const char* value, const kube::table::Message& message) {
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      Member(value + field.offset, message, field);
    }
  }

  void Box(BoxRep box, Type type) {
    if (!box || box.is_in_node()) return;
    bytes_ += AlignUp(type.size);
    Elements(box.value(), 1, 0, type);
  }

  // `key` is the size of the key at the start of each entry, or 0 for a list.
  void Block(const ListBlock* block, size_t stride, size_t key, Type type) {
    if (StaysWhereItIs(block)) return;
    bytes_ += AlignUp(ListBlock::Bytes(block->size, stride));
    if (key > 0) Elements(block->elements(), block->size, stride, kStringType);
    Elements(block->elements() + key, block->size, stride, type);
  }

  const absl::string_view encoded_;
  size_t bytes_ = 0;
};

}  // namespace

size_t BlockBytes(const char* first, size_t count, size_t stride, Type type) {
  Measure measure({});
  measure.Elements(first, count, stride, type);
  return measure.bytes();
}

size_t NodeBytes(const char* member, Shape shape, Type element, absl::string_view encoded) {
  Measure measure(encoded);
  measure.Holder(member, shape, element);
  return measure.bytes();
}

}  // namespace kube::codec::internal
