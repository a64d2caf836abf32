#ifndef APIMACHINERY_TABLE_LAYOUT_H_
#define APIMACHINERY_TABLE_LAYOUT_H_

// The memory layout of the value types, shared by their classes (kube::String, kube::List<T> ...)
// and the functions over field tables. The classes and the functions share nothing else.
//
// The rules on which everything rests:
//
// * All bits zero is the default value of every type: clearing memory constructs it.
// * Every value may be moved by copying its bytes: no value points into itself.
// * Memory to which a value points is in one of three states, which the pointer tells. A copy
//   always owns its memory; only the codecs create the other two states, in objects that are const
//   for everybody else.
//     owned      the value's own, from Allocate, freed with it;
//     in a block part of the one memory block of a decoded object, freed with that;
//     in a node  part of a SharingStore's node, kept alive by the object that refers to it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace kube::table {

static_assert(std::endian::native == std::endian::little, "inline strings are laid out for it");
static_assert(sizeof(void*) == 8, "a String is a 64-bit pointer, a size and a tag");

// Print a message to stderr and abort.
[[noreturn]] void OutOfMemory(size_t bytes);
[[noreturn]] void TooLarge(const char* what, size_t size);

// The allocation functions of all values: malloc, realloc and free. If memory runs out, they abort.
[[nodiscard]] inline char* Allocate(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) [[unlikely]] {
    OutOfMemory(bytes);
  }
  return static_cast<char*>(memory);
}
[[nodiscard]] char* Reallocate(char* memory, size_t bytes);
inline void Free(char* memory) noexcept { std::free(memory); }

// Rounds up to a multiple of eight bytes, the unit into which memory of values is divided.
constexpr size_t AlignUp(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

// A string of bytes: up to fifteen inside, longer ones outside. The last byte is the tag, which
// tells where they are; for inline bytes it is their number.
class StringRep {
 public:
  static constexpr size_t kMaxInline = 15;
  static constexpr size_t kMaxSize = UINT32_MAX;

  constexpr StringRep() = default;

  // Return a StringRep that refers to bytes outside, in the given state.
  static StringRep Owned(const char* data, size_t size) { return Outside(data, size, kOwned); }
  static StringRep InBlock(const char* data, size_t size) { return Outside(data, size, kInBlock); }
  static StringRep InNode(const char* data, size_t size) { return Outside(data, size, kInNode); }

  // Returns a copy of `size` <= kMaxInline bytes.
  static StringRep Inline(const char* data, size_t size) {
    StringRep rep;
    std::memcpy(&rep, data, size);
    rep.high_ |= static_cast<uint64_t>(size) << 56;
    return rep;
  }

  // Like Inline, but faster; 16 bytes must be readable at `data`.
  static StringRep InlinePadded(const char* data, size_t size) {
    StringRep rep;
    std::memcpy(&rep, data, sizeof(rep));
    if (size < 8) {
      rep.low_ &= (uint64_t{1} << (8 * size)) - 1;
      rep.high_ = 0;
    } else {
      rep.high_ &= (uint64_t{1} << (8 * (size - 8))) - 1;
    }
    rep.high_ |= static_cast<uint64_t>(size) << 56;
    return rep;
  }

  // Returns a copy of any size; it owns memory if the bytes do not fit inside.
  static StringRep Copy(const char* data, size_t size);

  // Returns an empty string that is not null, for types that distinguish the two.
  static constexpr StringRep PresentEmpty() {
    StringRep rep;
    rep.high_ = uint64_t{kPresentEmpty} << 56;
    return rep;
  }

  bool is_inline() const { return tag() <= kPresentEmpty; }
  bool is_owned() const { return tag() == kOwned; }
  bool is_in_node() const { return tag() == kInNode; }
  bool is_zero() const { return low_ == 0 && high_ == 0; }

  const char* data() const {
    return is_inline() ? reinterpret_cast<const char*>(this) : reinterpret_cast<const char*>(low_);
  }
  size_t size() const { return is_inline() ? tag() & 15 : static_cast<uint32_t>(high_); }

  // Frees owned memory. Does not change this object.
  void Destroy() const {
    if (is_owned()) Free(reinterpret_cast<char*>(low_));
  }

 private:
  // Values of the tag. Smaller ones are the sizes of inline strings.
  static constexpr uint8_t kPresentEmpty = 0x10;
  static constexpr uint8_t kOwned = 0x40;
  static constexpr uint8_t kInBlock = 0x80;
  static constexpr uint8_t kInNode = 0xA0;

  static StringRep Outside(const char* data, size_t size, uint8_t tag) {
    StringRep rep;
    rep.low_ = reinterpret_cast<uint64_t>(data);
    rep.high_ = static_cast<uint32_t>(size) | static_cast<uint64_t>(tag) << 56;
    return rep;
  }

  uint8_t tag() const { return static_cast<uint8_t>(high_ >> 56); }

  uint64_t low_ = 0;
  uint64_t high_ = 0;
};
static_assert(sizeof(StringRep) == 16);

// The last byte of an unstructured::Value, which is any JSON value in sixteen bytes. A string is a
// StringRep; an empty one is PresentEmpty. Of other values the first eight bytes hold the number,
// or the pointer to the block of a list or an object, which may be null if that has no elements.
enum class ValueTag : uint8_t {
  kNull = 0,
  kString = 1,  // stands for all tags of a StringRep
  kBool = 0x20,
  kInt = 0x21,
  kDouble = 0x22,
  kList = 0x23,    // List<Value>
  kObject = 0x24,  // Map<Value>
};

inline ValueTag ValueTagOf(const char* value) {
  const auto tag = static_cast<uint8_t>(value[15]);
  return tag == 0 || (tag & 0xE0) == 0x20 ? static_cast<ValueTag>(tag) : ValueTag::kString;
}
// Sets the tag of a value that is not a string; `tag` must not be kString.
inline void SetValueTag(char* value, ValueTag tag) { value[15] = static_cast<char>(tag); }

// The block to which a List or Map points, followed by its elements. The elements of a Map are
// entries sorted by key: a StringRep and the value, rounded up to a multiple of eight bytes. A null
// list has no block; an empty one that is not null has a block of size zero.
struct ListBlock {
  static constexpr uint32_t kInBlock = 0x80000000u;
  static constexpr uint32_t kInNode = 0x40000000u;
  static constexpr uint32_t kCapacityMask = 0x3fffffffu;

  uint32_t size;
  uint32_t capacity_and_flags;

  uint32_t capacity() const { return capacity_and_flags & kCapacityMask; }
  bool is_owned() const { return (capacity_and_flags & (kInBlock | kInNode)) == 0; }
  bool is_in_node() const { return (capacity_and_flags & kInNode) != 0; }

  char* elements() { return reinterpret_cast<char*>(this + 1); }
  const char* elements() const { return reinterpret_cast<const char*>(this + 1); }

  static constexpr size_t Bytes(size_t elements, size_t element_size) {
    return sizeof(ListBlock) + elements * element_size;
  }
};
static_assert(sizeof(ListBlock) == 8);

// Returns the shared block of empty lists and maps that are not null. It is never freed and cannot
// be written to.
ListBlock* EmptyListBlock();

// The representation of a Box: a pointer to its value, or null. The low bits tell the state of the
// memory.
class BoxRep {
 public:
  constexpr BoxRep() = default;
  static BoxRep Owned(char* value) { return BoxRep(reinterpret_cast<uintptr_t>(value)); }
  static BoxRep InBlock(char* value) {
    return BoxRep(reinterpret_cast<uintptr_t>(value) | kInBlock);
  }
  static BoxRep InNode(char* value) {
    return BoxRep(reinterpret_cast<uintptr_t>(value) | kInBlock | kInNode);
  }

  explicit operator bool() const { return bits_ != 0; }
  char* value() const { return reinterpret_cast<char*>(bits_ & ~(kInBlock | kInNode)); }
  bool is_owned() const { return (bits_ & kInBlock) == 0; }
  bool is_in_node() const { return (bits_ & kInNode) != 0; }

 private:
  static constexpr uintptr_t kInBlock = 1;
  static constexpr uintptr_t kInNode = 2;

  explicit BoxRep(uintptr_t bits) : bits_(bits) {}

  uintptr_t bits_ = 0;
};
static_assert(sizeof(BoxRep) == 8);

// Gives the templates beside List, Map and Box access to their representation.
struct RepOf {
  template <typename L>
  static const ListBlock* Block(const L& list_or_map) {
    return list_or_map.block_;
  }
  template <typename B>
  static BoxRep Box(const B& box) {
    return box.rep_;
  }
};

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_LAYOUT_H_
