#include "apimachinery/table/ops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"

// Destroying and copying walk over the same memory: everything to which a value points. The walk is
// written twice, as loops over arrays of equal elements, because deep copies of cached objects
// spend their time here. Most pointers of a message are null; the loop over its fields tests for
// them first, a well predicted branch, which a switch is not.
//
// Copying has two steps. The caller copies the bits of a value, a block or a whole array with
// memcpy; then CopyElements and its siblings replace each pointer by one to a copy of its own.
// Strings of up to fifteen bytes need no second step. Destroying skips memory that is not owned.
//
// JSON values (Kind::kValue) may be nested ten thousand levels deep, so they are walked with an
// explicit list of pending blocks instead of recursion, which would need a very large stack.
//
// A block that is not owned is never changed: the functions that change a list or a map first
// replace it by an owned copy.

namespace kube::table {
namespace {

static_assert(Storage::kValue < Storage::kBox && Storage::kBox < Storage::kList &&
                  Storage::kList < Storage::kMap,
              "from kBox on it is a pointer");

void DestroyMessage(const char* value, const Message& message);

void FreeBlock(ListBlock* block) { Free(reinterpret_cast<char*>(block)); }

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void DestroyStrings(const char* first, size_t count,
                                                        size_t stride) {
  for (; count != 0; --count, first += stride) Load<StringRep>(first).Destroy();
}

// Destroys `count` JSON values without recursion.
void DestroyJsonValues(const char* first, size_t count, size_t stride) {
  struct Pending {
    ListBlock* block;
    bool is_map;
  };
  absl::InlinedVector<Pending, 16> pending;
  const auto destroy = [&](const char* at, size_t left, size_t step) {
    for (; left != 0; --left, at += step) {
      const ValueTag tag = ValueTagOf(at);
      if (tag == ValueTag::kString) {
        Load<StringRep>(at).Destroy();
      } else if (tag == ValueTag::kList || tag == ValueTag::kObject) {
        auto* block = Load<ListBlock*>(at);
        if (block != nullptr && block->is_owned()) {
          pending.push_back({block, tag == ValueTag::kObject});
        }
      }
    }
  };
  destroy(first, count, stride);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (next.is_map) {
      constexpr size_t kStride = EntrySize(kValueType);
      DestroyStrings(next.block->elements(), next.block->size, kStride);
      destroy(next.block->elements() + sizeof(StringRep), next.block->size, kStride);
    } else {
      destroy(next.block->elements(), next.block->size, kValueType.size);
    }
    FreeBlock(next.block);
  }
}

// Destroys `count` values of `type`, `stride` bytes apart.
void DestroyElements(const char* first, size_t count, size_t stride, Type type) {
  switch (StorageOf(type.kind)) {
    case Storage::kString:
      DestroyStrings(first, count, stride);
      return;
    case Storage::kMessage:
      for (; count != 0; --count, first += stride) DestroyMessage(first, *type.message);
      return;
    case Storage::kList:
      for (; count != 0; --count, first += stride) {
        DestroyList(Load<ListBlock*>(first), kStringType);
      }
      return;
    case Storage::kValue:
      DestroyJsonValues(first, count, stride);
      return;
    default:
      return;
  }
}

void DestroyPointer(const char* at, Type type, Storage storage) {
  if (storage == Storage::kList) {
    DestroyList(Load<ListBlock*>(at), type);
  } else if (storage == Storage::kBox) {
    DestroyBox(Load<BoxRep>(at), type);
  } else {
    DestroyMap(Load<ListBlock*>(at), type);
  }
}

void DestroyMessage(const char* value, const Message& message) {
  const Field* const end = message.fields + message.field_count;
  for (const Field* field = message.fields; field != end; ++field) {
    const char* at = value + field->offset;
    if (field->storage >= Storage::kBox) {
      if (Load<uint64_t>(at) != 0) DestroyPointer(at, ElementType(message, *field), field->storage);
    } else if (field->storage == Storage::kString) {
      Load<StringRep>(at).Destroy();
    } else if (field->storage == Storage::kMessage) {
      DestroyMessage(at, message.sub_message(*field));
    } else if (field->storage == Storage::kValue) {
      DestroyJsonValues(at, 1, kValueType.size);
    }
  }
}

// ---- Copying: the arguments hold the bits of the original; its pointers are replaced by copies.

void CopyMessage(char* value, const Message& message);

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CopyString(char* at) {
  const StringRep original = Load<StringRep>(at);
  if (original.is_inline()) return;
  const size_t size = original.size();
  if (size < 16 || size > 32) {
    Store(at, StringRep::Copy(original.data(), size));
    return;
  }
  // Typical for names, images and UIDs: two loads instead of a call of memcpy.
  struct Half {
    char bytes[16];
  };
  char* copy = Allocate(size);
  const Half low = Load<Half>(original.data());
  const Half high = Load<Half>(original.data() + size - 16);
  Store(copy, low);
  Store(copy + size - 16, high);
  Store(at, StringRep::Owned(copy, size));
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CopyStrings(char* first, size_t count, size_t stride) {
  for (; count != 0; --count, first += stride) CopyString(first);
}

// Returns an owned block with the bits of `block`, which may be null or have at most `capacity`
// elements.
ListBlock* CopyBits(const ListBlock* block, size_t capacity, size_t element_size) {
  auto* copy = reinterpret_cast<ListBlock*>(Allocate(ListBlock::Bytes(capacity, element_size)));
  copy->size = block == nullptr ? 0 : block->size;
  copy->capacity_and_flags = static_cast<uint32_t>(capacity);
  if (copy->size != 0) {
    std::memcpy(copy->elements(), block->elements(), copy->size * element_size);
  }
  return copy;
}

// Copies JSON values without recursion.
void CopyJsonValues(char* first, size_t count, size_t stride) {
  struct Pending {
    ListBlock* block;  // a copy of the bits
    bool is_map;
  };
  absl::InlinedVector<Pending, 16> pending;
  const auto copy = [&](char* at, size_t left, size_t step) {
    for (; left != 0; --left, at += step) {
      const ValueTag tag = ValueTagOf(at);
      if (tag == ValueTag::kString) {
        CopyString(at);
      } else if (tag == ValueTag::kList || tag == ValueTag::kObject) {
        const auto* block = Load<const ListBlock*>(at);
        if (block == nullptr) continue;
        if (block->size == 0) {
          Store(at, EmptyListBlock());
          continue;
        }
        const bool is_map = tag == ValueTag::kObject;
        ListBlock* bits =
            CopyBits(block, block->size, is_map ? EntrySize(kValueType) : kValueType.size);
        Store(at, bits);
        pending.push_back({bits, is_map});
      }
    }
  };
  copy(first, count, stride);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (next.is_map) {
      constexpr size_t kStride = EntrySize(kValueType);
      CopyStrings(next.block->elements(), next.block->size, kStride);
      copy(next.block->elements() + sizeof(StringRep), next.block->size, kStride);
    } else {
      copy(next.block->elements(), next.block->size, kValueType.size);
    }
  }
}

void CopyElements(char* first, size_t count, size_t stride, Type type) {
  switch (StorageOf(type.kind)) {
    case Storage::kString:
      CopyStrings(first, count, stride);
      return;
    case Storage::kMessage:
      for (; count != 0; --count, first += stride) CopyMessage(first, *type.message);
      return;
    case Storage::kList:
      for (; count != 0; --count, first += stride) {
        Store(first, CopyList(Load<ListBlock*>(first), kStringType));
      }
      return;
    case Storage::kValue:
      CopyJsonValues(first, count, stride);
      return;
    default:
      return;
  }
}

void CopyPointer(char* at, Type type, Storage storage) {
  if (storage == Storage::kList) {
    Store(at, CopyList(Load<ListBlock*>(at), type));
  } else if (storage == Storage::kBox) {
    Store(at, CopyBox(Load<BoxRep>(at), type));
  } else {
    Store(at, CopyMap(Load<ListBlock*>(at), type));
  }
}

void CopyMessage(char* value, const Message& message) {
  const Field* const end = message.fields + message.field_count;
  for (const Field* field = message.fields; field != end; ++field) {
    char* at = value + field->offset;
    if (field->storage >= Storage::kBox) {
      if (Load<uint64_t>(at) != 0) CopyPointer(at, ElementType(message, *field), field->storage);
    } else if (field->storage == Storage::kString) {
      CopyString(at);
    } else if (field->storage == Storage::kMessage) {
      CopyMessage(at, message.sub_message(*field));
    } else if (field->storage == Storage::kValue) {
      CopyJsonValues(at, 1, kValueType.size);
    }
  }
}

// ---- blocks

void CopyEntries(ListBlock* block, Type type) {
  const size_t stride = EntrySize(type);
  CopyStrings(block->elements(), block->size, stride);
  CopyElements(block->elements() + sizeof(StringRep), block->size, stride, type);
}

// Returns an owned block with room for `capacity` elements. If `block` was not owned, the elements
// are copies of its bits, so the caller must still copy what they point to.
ListBlock* GrowBits(ListBlock* block, size_t capacity, size_t element_size) {
  if (capacity > ListBlock::kCapacityMask) TooLarge("list or map", capacity);
  if (block == nullptr || !block->is_owned()) return CopyBits(block, capacity, element_size);
  block = reinterpret_cast<ListBlock*>(
      Reallocate(reinterpret_cast<char*>(block), ListBlock::Bytes(capacity, element_size)));
  block->capacity_and_flags = static_cast<uint32_t>(capacity);
  return block;
}

bool IsBorrowed(const ListBlock* block) { return block != nullptr && !block->is_owned(); }

// Opens a gap of zeros at `index`. The block must be owned and have room for it.
char* OpenGap(ListBlock* block, size_t index, size_t count, size_t element_size) {
  char* gap = block->elements() + index * element_size;
  std::memmove(gap + count * element_size, gap, (block->size - index) * element_size);
  std::memset(gap, 0, count * element_size);
  block->size += static_cast<uint32_t>(count);
  return gap;
}

// Closes a gap whose elements were already destroyed.
void CloseGap(ListBlock* block, size_t index, size_t count, size_t element_size) {
  char* gap = block->elements() + index * element_size;
  std::memmove(gap, gap + count * element_size, (block->size - index - count) * element_size);
  block->size -= static_cast<uint32_t>(count);
}

// The index at which a key of a map is, or would be inserted.
struct Position {
  size_t index = 0;
  bool found = false;
};

Position FindPosition(const ListBlock* block, size_t stride, absl::string_view key) {
  if (block == nullptr) return {};
  size_t low = 0;
  size_t high = block->size;
  while (low != high) {
    const size_t middle = (low + high) / 2;
    const int order = ViewAt(block->elements() + middle * stride).compare(key);
    if (order == 0) return {middle, true};
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, false};
}

}  // namespace

void DestroyValue(char* value, Type type) { DestroyElements(value, 1, type.size, type); }

void CopyValue(char* to, const char* /*from*/, Type type) { CopyElements(to, 1, type.size, type); }

void DestroyList(ListBlock* block, Type type) {
  if (block == nullptr || !block->is_owned()) return;
  DestroyElements(block->elements(), block->size, type.size, type);
  FreeBlock(block);
}

ListBlock* CopyList(const ListBlock* block, Type type) {
  if (block == nullptr) return nullptr;
  if (block->size == 0) return EmptyListBlock();
  ListBlock* copy = CopyBits(block, block->size, type.size);
  CopyElements(copy->elements(), copy->size, type.size, type);
  return copy;
}

ListBlock* GrowList(ListBlock* block, size_t capacity, Type type) {
  const bool borrowed = IsBorrowed(block);
  block = GrowBits(block, capacity, type.size);
  if (borrowed) CopyElements(block->elements(), block->size, type.size, type);
  return block;
}

char* AppendToList(ListBlock*& block, Type type) {
  const size_t size = block == nullptr ? 0 : block->size;
  if (block == nullptr || !block->is_owned() || size == block->capacity()) {
    block = GrowList(block, size * 2 + 1, type);
  }
  ++block->size;
  return block->elements() + size * type.size;
}

char* InsertInList(ListBlock*& block, size_t index, size_t count, Type type) {
  const size_t size = block == nullptr ? 0 : block->size;
  if (block == nullptr || !block->is_owned() || size + count > block->capacity()) {
    block = GrowList(block, std::max(size + count, size * 2), type);
  }
  return OpenGap(block, index, count, type.size);
}

void EraseFromList(ListBlock*& block, size_t index, size_t count, Type type) {
  if (count == 0) return;
  if (!block->is_owned()) block = GrowList(block, block->size, type);
  DestroyElements(block->elements() + index * type.size, count, type.size, type);
  CloseGap(block, index, count, type.size);
}

void DestroyMap(ListBlock* block, Type type) {
  if (block == nullptr || !block->is_owned()) return;
  const size_t stride = EntrySize(type);
  DestroyStrings(block->elements(), block->size, stride);
  DestroyElements(block->elements() + sizeof(StringRep), block->size, stride, type);
  FreeBlock(block);
}

ListBlock* CopyMap(const ListBlock* block, Type type) {
  if (block == nullptr) return nullptr;
  if (block->size == 0) return EmptyListBlock();
  ListBlock* copy = CopyBits(block, block->size, EntrySize(type));
  CopyEntries(copy, type);
  return copy;
}

ListBlock* GrowMap(ListBlock* block, size_t capacity, Type type) {
  const bool borrowed = IsBorrowed(block);
  block = GrowBits(block, capacity, EntrySize(type));
  if (borrowed) CopyEntries(block, type);
  return block;
}

const char* FindInMap(const ListBlock* block, Type type, absl::string_view key) {
  const size_t stride = EntrySize(type);
  const Position position = FindPosition(block, stride, key);
  if (!position.found) return nullptr;
  return block->elements() + position.index * stride + sizeof(StringRep);
}

char* FindOrInsertInMap(ListBlock*& block, Type type, absl::string_view key) {
  const size_t stride = EntrySize(type);
  const Position position = FindPosition(block, stride, key);
  if (position.found) return block->elements() + position.index * stride + sizeof(StringRep);
  // Copied first, because `key` may be part of this map.
  const StringRep key_rep = StringRep::Copy(key.data(), key.size());
  const size_t size = block == nullptr ? 0 : block->size;
  if (block == nullptr || !block->is_owned() || size == block->capacity()) {
    block = GrowMap(block, size * 2 + 1, type);
  }
  char* entry = OpenGap(block, position.index, 1, stride);
  Store(entry, key_rep);
  return entry + sizeof(StringRep);
}

bool EraseFromMap(ListBlock*& block, Type type, absl::string_view key) {
  const size_t stride = EntrySize(type);
  const Position position = FindPosition(block, stride, key);
  if (!position.found) return false;
  if (!block->is_owned()) block = CopyMap(block, type);
  char* entry = block->elements() + position.index * stride;
  DestroyStrings(entry, 1, stride);
  DestroyElements(entry + sizeof(StringRep), 1, stride, type);
  CloseGap(block, position.index, 1, stride);
  return true;
}

void DestroyBox(BoxRep box, Type type) {
  if (!box || !box.is_owned()) return;
  DestroyElements(box.value(), 1, type.size, type);
  Free(box.value());
}

BoxRep MakeBox(Type type) {
  char* value = Allocate(type.size);
  std::memset(value, 0, type.size);
  return BoxRep::Owned(value);
}

BoxRep CopyBox(BoxRep box, Type type) {
  if (!box) return {};
  char* copy = Allocate(type.size);
  std::memcpy(copy, box.value(), type.size);
  CopyElements(copy, 1, type.size, type);
  return BoxRep::Owned(copy);
}

}  // namespace kube::table
