#ifndef APIMACHINERY_CODEC_INTERNAL_BUILDER_H_
#define APIMACHINERY_CODEC_INTERNAL_BUILDER_H_

// A Builder stores what a decoder reads in members of values, whose types come from field tables.
// Its Memory decides where:
//
//   HeapMemory     memory that the values own, for objects that are returned by value
//   ScratchMemory  a reusable arena; strings stay where they are in the input. For objects that are
//                  then copied into one block of exactly their size (see object_block.h)
//
// A `member` is the address of a String, List, Map or Box, as raw memory. It may hold a value
// already, because input may name a field twice.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"

namespace kube::codec::internal {

using kube::table::BoxRep;
using kube::table::ListBlock;
using kube::table::StringRep;
using kube::table::Type;

class HeapMemory {
 public:
  static constexpr bool kOwned = true;
  // Whether Get returns memory with zero bits.
  static constexpr bool kZeroed = false;

  char* Get(size_t bytes) { return kube::table::Allocate(bytes); }
  char* Grow(char* memory, size_t, size_t bytes) { return kube::table::Reallocate(memory, bytes); }

  // `data` is in the input: at least 16 bytes are readable.
  StringRep KeepString(const char* data, size_t size) {
    return size <= StringRep::kMaxInline ? StringRep::InlinePadded(data, size)
                                         : StringRep::Copy(data, size);
  }
  StringRep CopyString(const char* data, size_t size) { return StringRep::Copy(data, size); }
};

class ScratchMemory {
 public:
  static constexpr bool kOwned = false;
  static constexpr bool kZeroed = true;

  explicit ScratchMemory(size_t bytes = size_t{8} << 10);

  // Returns the size of a block for the decoded values (see BlockWriter). It may be wrong if a
  // member was decoded twice: see MakeObjectBlock.
  size_t block_bytes() const { return block_bytes_; }
  void CountBlockBytes(size_t bytes) { block_bytes_ += bytes; }

  // Drops all values. Keeps the memory, and clears what was used of it.
  void Reset() {
    block_bytes_ = 0;
    if (!extra_.empty()) [[unlikely]] {
      return Enlarge();
    }
    std::memset(memory_.get(), 0, static_cast<size_t>(next_ - memory_.get()));
    next_ = memory_.get();
  }

  char* Get(size_t bytes) {
    bytes = kube::table::AlignUp(bytes);
    if (static_cast<size_t>(end_ - next_) < bytes) [[unlikely]] {
      AddPiece(bytes);
    }
    char* memory = next_;
    next_ += bytes;
    return memory;
  }
  char* Grow(char* memory, size_t used, size_t bytes) {
    char* larger = Get(bytes);
    if (memory != nullptr) std::memcpy(larger, memory, used);
    return larger;
  }

  // The string stays where it is in the input.
  StringRep KeepString(const char* data, size_t size) {
    if (size <= StringRep::kMaxInline) return StringRep::InlinePadded(data, size);
    block_bytes_ += size;
    return StringRep::InBlock(data, size);
  }
  StringRep CopyString(const char* data, size_t size) {
    if (size <= StringRep::kMaxInline) return StringRep::Inline(data, size);
    block_bytes_ += size;
    char* copy = Get(size);
    std::memcpy(copy, data, size);
    return StringRep::InBlock(copy, size);
  }

 private:
  struct FreeDeleter {
    void operator()(char* memory) const { std::free(memory); }
  };
  using Piece = std::unique_ptr<char, FreeDeleter>;

  static Piece NewPiece(size_t bytes);
  // Continues in another piece, with room for at least `bytes`.
  void AddPiece(size_t bytes);
  // Replaces all pieces by a larger one.
  void Enlarge();

  Piece memory_;
  size_t memory_bytes_;
  // The free part of the piece in use: the last of `extra_` or, if there are no others, `memory_`.
  char* next_;
  char* end_;
  std::vector<Piece> extra_;
  size_t extra_bytes_ = 0;
  size_t block_bytes_ = 0;
};

// Sorts the entries of a map by key. If several have the same key, keeps the last one and calls
// `drop` with each of the others before it is overwritten.
void SortEntries(ListBlock* block, Type type, absl::FunctionRef<void(char* entry)> drop);

template <typename Memory>
class Builder {
 public:
  // Whether equal encoded values may become one shared value (see SharingBuilder).
  static constexpr bool kShares = false;

  explicit Builder(Memory& memory) : memory_(memory) {}

  // ---- strings, and types that consist of one

  // For `data` in the input. With ScratchMemory the value points to it.
  void KeepString(char* member, const char* data, size_t size) {
    Assign(member, memory_.KeepString(data, size));
  }
  // For temporary `data`.
  void CopyString(char* member, const char* data, size_t size) {
    Assign(member, memory_.CopyString(data, size));
  }
  // For types such as Bytes and RawJson, which are not null when they are empty.
  void KeepBytes(char* member, const char* data, size_t size) { KeepUnshared(member, data, size); }
  // Does the same, but a SharingBuilder does not share the value.
  void KeepUnshared(char* member, const char* data, size_t size) {
    Assign(member, size == 0 ? StringRep::PresentEmpty() : memory_.KeepString(data, size));
  }
  void CopyBytes(char* member, const char* data, size_t size) {
    Assign(member, size == 0 ? StringRep::PresentEmpty() : memory_.CopyString(data, size));
  }

  // ---- boxes

  // Returns the value of a Box. If the Box is null, makes one with zero bits.
  char* OpenBox(char* member, size_t size) {
    BoxRep& box = *reinterpret_cast<BoxRep*>(member);
    if (box) return box.value();
    char* value = Zeroed(size);
    if constexpr (!Memory::kOwned) memory_.CountBlockBytes(kube::table::AlignUp(size));
    box = Memory::kOwned ? BoxRep::Owned(value) : BoxRep::InBlock(value);
    return value;
  }

  // ---- lists and maps

  // Makes a null list or map an empty one.
  void OpenList(char* member) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if (block == nullptr) block = kube::table::EmptyListBlock();
  }
  // Makes room for `count` elements in a list or map if it is null.
  void ReserveList(char* member, size_t element_size, size_t count) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if (block != nullptr || count == 0) return;
    block = NewBlock(element_size, count);
  }
  // Adds an element with zero bits.
  char* AddElement(char* member, size_t element_size) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if (block == nullptr || block->size == block->capacity()) [[unlikely]] {
      GrowBlock(block, element_size);
    }
    char* element = block->elements() + block->size * element_size;
    if constexpr (!Memory::kZeroed) std::memset(element, 0, element_size);
    ++block->size;
    return element;
  }
  // Completes a run of added elements: frees unused memory, or counts the block bytes. `old_size`
  // is the size before the run. A list that is decoded in several runs keeps its unused memory,
  // because freeing it would move all elements for each run.
  void CloseList(char* member, size_t element_size, size_t old_size = 0) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if (block == nullptr) return;
    if constexpr (Memory::kOwned) {
      if (old_size == 0 && block->is_owned() && block->size < block->capacity()) {
        Trim(block, element_size);
      }
    } else if (block->size == 0) {
      block = kube::table::EmptyListBlock();
    } else {
      const auto bytes = [&](size_t size) {
        return size == 0 ? 0 : kube::table::AlignUp(ListBlock::Bytes(size, element_size));
      };
      if (block->size > old_size) memory_.CountBlockBytes(bytes(block->size) - bytes(old_size));
    }
  }
  // Does the same for a map with values of `type`. Returns false if the entries are not sorted yet:
  // then the caller must call SortMap after the last run, because sorting after each of many runs
  // would take quadratic time.
  [[nodiscard]] bool CloseMap(char* member, Type type, size_t old_size = 0) {
    const bool later = old_size > kMostInsertions;
    if (!later) SortMap(member, type);
    CloseList(member, kube::table::EntrySize(type), old_size);
    return !later;
  }
  void SortMap(char* member, Type type) {
    ListBlock* block = *reinterpret_cast<ListBlock**>(member);
    if (block == nullptr || block->size <= kMostInsertions) return;
    SortEntries(block, type, [&](char* entry) {
      Clear(entry, {kube::table::Kind::kString, sizeof(StringRep), nullptr});
      Clear(entry + sizeof(StringRep), type);
    });
  }

  // Sorts all maps that are members of a struct.
  void SortMaps(char* value, const kube::table::Message& message) {
    for (size_t i = 0; i < message.field_count; ++i) {
      const kube::table::Field& field = message.fields[i];
      if (field.shape != kube::table::Shape::kMap) continue;
      SortMap(value + field.offset, MapType(message, field));
    }
  }
  // Returns the type of the values of a map field. The size is that of their slot in an entry.
  static Type MapType(const kube::table::Message& message, const kube::table::Field& field) {
    return {field.kind, static_cast<uint32_t>(field.element_size - sizeof(StringRep)),
            message.sub(field)};
  }

  // Return the value at a key, with zero bits: a previous value is cleared. `type` is the type of
  // the values. KeepKey is for a key in the input, CopyKey for a temporary one.
  char* KeepKey(char* member, Type type, absl::string_view key) {
    return Entry(member, type, key, [&](char* at) { KeepString(at, key.data(), key.size()); });
  }
  char* CopyKey(char* member, Type type, absl::string_view key) {
    return Entry(member, type, key, [&](char* at) { CopyString(at, key.data(), key.size()); });
  }

  // ---- earlier values

  // Set a value to zero bits, and free what it owned.
  void Clear(char* value, Type type) {
    if constexpr (Memory::kOwned) kube::table::DestroyValue(value, type);
    std::memset(value, 0, type.size);
  }
  void ClearBox(char* member, Type type) {
    BoxRep& box = *reinterpret_cast<BoxRep*>(member);
    if constexpr (Memory::kOwned) {
      if (box) kube::table::DestroyBox(box, type);
    }
    box = BoxRep();
  }
  void ClearList(char* member, Type type) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if constexpr (Memory::kOwned) {
      if (block != nullptr) kube::table::DestroyList(block, type);
    }
    block = nullptr;
  }
  void ClearMap(char* member, Type type) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if constexpr (Memory::kOwned) {
      if (block != nullptr) kube::table::DestroyMap(block, type);
    }
    block = nullptr;
  }

  size_t ListSize(const char* member) const {
    const ListBlock* block = *reinterpret_cast<const ListBlock* const*>(member);
    return block == nullptr ? 0 : block->size;
  }
  char* ElementAt(char* member, size_t element_size, size_t i) {
    return (*reinterpret_cast<ListBlock**>(member))->elements() + i * element_size;
  }
  // Keeps the first `size` elements; the list must have at least that many. If `size` is 0, the
  // list becomes empty, not null.
  void TruncateList(char* member, Type type, size_t size) {
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    if (size == 0) {
      ClearList(member, type);
      block = kube::table::EmptyListBlock();
      return;
    }
    if constexpr (Memory::kOwned) {
      for (size_t i = size; i < block->size; ++i) {
        kube::table::DestroyValue(block->elements() + i * type.size, type);
      }
    } else {
      // Elements that are added begin with zero bits.
      std::memset(block->elements() + size * type.size, 0, (block->size - size) * type.size);
    }
    block->size = static_cast<uint32_t>(size);
  }

  // Called before more is decoded into a value that may be shared (see SharingBuilder).
  void MakeBoxMutable(char*, Type) {}
  void MakeListMutable(char*, Type) {}
  void MakeMapMutable(char*, Type) {}

  Memory& memory() { return memory_; }

 protected:
  // Up to this size, entries are inserted in sorted order. In larger maps they are appended, and
  // CloseMap or SortMap sorts them: inserting a million entries would take quadratic time.
  static constexpr size_t kMostInsertions = 64;

  // Returns the value at a key. `set_key` sets the key of a new entry.
  template <typename SetKey>
  char* Entry(char* member, Type type, absl::string_view key, SetKey set_key) {
    const size_t entry_size = kube::table::EntrySize(type);
    ListBlock*& block = *reinterpret_cast<ListBlock**>(member);
    const size_t size = block == nullptr ? 0 : block->size;
    size_t at = size;
    if (size > 0 && size <= kMostInsertions && KeyOf(block, entry_size, size - 1) >= key)
        [[unlikely]] {
      at = LowerBound(block, entry_size, key);
      if (KeyOf(block, entry_size, at) == key) {
        char* value = block->elements() + at * entry_size + sizeof(StringRep);
        Clear(value, type);
        return value;
      }
    }
    AddElement(member, entry_size);
    char* entry = block->elements() + at * entry_size;
    if (at < size) [[unlikely]] {
      std::memmove(entry + entry_size, entry, (size - at) * entry_size);
      std::memset(entry, 0, entry_size);
    }
    set_key(entry);
    return entry + sizeof(StringRep);
  }

 private:
  static constexpr uint32_t kFlags = Memory::kOwned ? 0 : ListBlock::kInBlock;

  void Assign(char* member, StringRep rep) {
    auto& target = *reinterpret_cast<StringRep*>(member);
    if constexpr (Memory::kOwned) target.Destroy();
    target = rep;
  }

  char* Zeroed(size_t size) {
    char* value = memory_.Get(size);
    if constexpr (!Memory::kZeroed) std::memset(value, 0, size);
    return value;
  }

  ListBlock* NewBlock(size_t element_size, size_t count) {
    auto* block = reinterpret_cast<ListBlock*>(memory_.Get(ListBlock::Bytes(count, element_size)));
    block->size = 0;
    block->capacity_and_flags = static_cast<uint32_t>(count) | kFlags;
    return block;
  }

  void GrowBlock(ListBlock*& block, size_t element_size) {
    const size_t size = block == nullptr ? 0 : block->size;
    if (size == 0) {
      block = NewBlock(element_size, element_size > 64 ? 2 : 4);
      return;
    }
    const size_t capacity = size * 2;
    block = reinterpret_cast<ListBlock*>(memory_.Grow(reinterpret_cast<char*>(block),
                                                      ListBlock::Bytes(size, element_size),
                                                      ListBlock::Bytes(capacity, element_size)));
    block->capacity_and_flags = static_cast<uint32_t>(capacity) | kFlags;
  }

  void Trim(ListBlock*& block, size_t element_size) {
    block = reinterpret_cast<ListBlock*>(memory_.Grow(reinterpret_cast<char*>(block), 0,
                                                      ListBlock::Bytes(block->size, element_size)));
    block->capacity_and_flags = block->size;
  }

  static absl::string_view KeyOf(const ListBlock* block, size_t entry_size, size_t i) {
    const auto& key = *reinterpret_cast<const StringRep*>(block->elements() + i * entry_size);
    return {key.data(), key.size()};
  }

  // Returns the index of the first entry whose key is not less than `key`.
  static size_t LowerBound(const ListBlock* block, size_t entry_size, absl::string_view key) {
    size_t low = 0;
    size_t high = block->size;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (KeyOf(block, entry_size, middle) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Memory& memory_;
};

using HeapBuilder = Builder<HeapMemory>;
using ScratchBuilder = Builder<ScratchMemory>;

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_BUILDER_H_
