// The functions of ops.h that only read: equality and hashes. Both walk over the same fields, in
// the order of the table, so that equal values have equal hashes: whatever EqualValues ignores
// (null against empty, padding, the text of a quantity) is not hashed either. JSON values may be
// nested ten thousand levels deep and are walked without recursion, as in ops.cc.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/numeric/int128.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/decimal.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::table {
namespace {

// Mixes `value` into `hash`, for numbers, sizes and flags of presence.
uint64_t Mix(uint64_t hash, uint64_t value) {
  const absl::uint128 product =
      absl::uint128(hash ^ 0x9e3779b97f4a7c15u) * (value ^ 0xbf58476d1ce4e5b9u);
  return absl::Uint128Low64(product) ^ absl::Uint128High64(product);
}

uint64_t HashText(absl::string_view text) { return absl::Hash<absl::string_view>()(text); }

// Compares by number: "1" equals "1000m" and "" equals "0". Texts that are not quantities equal
// only themselves.
bool EqualQuantities(absl::string_view a, absl::string_view b) {
  if (a == b) return true;
  const text::ParsedQuantity x = text::ParseQuantityText(a.empty() ? "0" : a);
  const text::ParsedQuantity y = text::ParseQuantityText(b.empty() ? "0" : b);
  return x.error == text::QuantityError::kNone && y.error == text::QuantityError::kNone &&
         x.value == y.value;
}

uint64_t HashQuantity(absl::string_view text) {
  const text::ParsedQuantity parsed = text::ParseQuantityText(text.empty() ? "0" : text);
  if (parsed.error != text::QuantityError::kNone) return HashText(text);
  return absl::Hash<text::Decimal>()(parsed.value);
}

// The bytes of an IntOrString after its text: the number and the type.
constexpr size_t kIntOrStringRest = 8;
static_assert(sizeof(StringRep) + kIntOrStringRest == SizeOf(Kind::kIntOrString));

// Compares `count` values of `type`, `stride` bytes apart.
bool EqualElements(const char* a, const char* b, size_t count, size_t stride, Type type) {
  // The bytes can be compared at once if there is no padding in or between the values.
  const bool gaps = type.kind == Kind::kMicroTime || stride != type.size;
  if (StorageOf(type.kind) == Storage::kNone && type.kind != Kind::kDouble && !gaps) {
    return std::memcmp(a, b, count * stride) == 0;
  }
  for (; count != 0; --count, a += stride, b += stride) {
    if (!EqualValues(a, b, type)) return false;
  }
  return true;
}

uint64_t HashElements(const char* first, size_t count, size_t stride, Type type, uint64_t seed) {
  for (; count != 0; --count, first += stride) seed = HashValue(first, type, seed);
  return seed;
}

size_t SizeOf(const ListBlock* block) { return block == nullptr ? 0 : block->size; }

bool EqualFields(const char* a, const char* b, const Message& message, const Field& field) {
  switch (field.shape) {
    case Shape::kValue:
      return EqualValues(a, b, ValueType(message, field));
    case Shape::kOpt:
      return a[field.element_size] == b[field.element_size] &&
             EqualValues(a, b, ValueType(message, field));
    case Shape::kBox:
      return EqualBoxes(Load<BoxRep>(a), Load<BoxRep>(b), ValueType(message, field));
    case Shape::kList:
      return EqualLists(Load<const ListBlock*>(a), Load<const ListBlock*>(b),
                        ValueType(message, field));
    case Shape::kMap:
      return EqualMaps(Load<const ListBlock*>(a), Load<const ListBlock*>(b),
                       ValueType(message, field));
  }
  return false;
}

uint64_t HashField(const char* at, const Message& message, const Field& field, uint64_t seed) {
  const Type type = ValueType(message, field);
  switch (field.shape) {
    case Shape::kValue:
      return HashValue(at, type, seed);
    case Shape::kOpt:
      return HashValue(at, type, Mix(seed, static_cast<uint8_t>(at[field.element_size])));
    case Shape::kBox:
      return HashBox(Load<BoxRep>(at), type, seed);
    case Shape::kList:
      return HashList(Load<const ListBlock*>(at), type, seed);
    case Shape::kMap:
      return HashMap(Load<const ListBlock*>(at), type, seed);
  }
  return seed;
}

uint64_t HashFields(const char* value, const Message& message, uint64_t seed) {
  const Field* const end = message.fields + message.field_count;
  for (const Field* field = message.fields; field != end; ++field) {
    seed = HashField(value + field->offset, message, *field, seed);
  }
  return seed;
}

// Compares without recursion: pairs of blocks to be compared are kept in `pending`.
bool EqualJsonValues(const char* first_a, const char* first_b) {
  struct Pending {
    const ListBlock* a;
    const ListBlock* b;
    bool is_map;
  };
  absl::InlinedVector<Pending, 16> pending;
  const auto equal = [&](const char* a, const char* b) {
    const ValueTag tag = ValueTagOf(a);
    if (tag != ValueTagOf(b)) return false;
    switch (tag) {
      case ValueTag::kNull:
        return true;
      case ValueTag::kString:
        return ViewAt(a) == ViewAt(b);
      case ValueTag::kBool:
      case ValueTag::kInt:
        return Load<int64_t>(a) == Load<int64_t>(b);
      case ValueTag::kDouble:
        return Load<double>(a) == Load<double>(b);
      case ValueTag::kList:
      case ValueTag::kObject: {
        const auto* block_a = Load<const ListBlock*>(a);
        const auto* block_b = Load<const ListBlock*>(b);
        if (block_a == block_b) return true;
        if (SizeOf(block_a) != SizeOf(block_b)) return false;
        if (SizeOf(block_a) != 0) pending.push_back({block_a, block_b, tag == ValueTag::kObject});
        return true;
      }
    }
    return false;
  };
  if (!equal(first_a, first_b)) return false;
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const char* a = next.a->elements();
    const char* b = next.b->elements();
    size_t stride = kValueType.size;
    if (next.is_map) {
      stride = EntrySize(kValueType);
      if (!EqualElements(a, b, next.a->size, stride, kStringType)) return false;
      a += sizeof(StringRep);
      b += sizeof(StringRep);
    }
    for (size_t left = next.a->size; left != 0; --left, a += stride, b += stride) {
      if (!equal(a, b)) return false;
    }
  }
  return true;
}

// Visits the values in an order of its own, which is the same for equal values.
uint64_t HashJsonValue(const char* first, uint64_t seed) {
  struct Pending {
    const ListBlock* block;
    bool is_map;
  };
  absl::InlinedVector<Pending, 16> pending;
  const auto mix = [&](const char* value) {
    const ValueTag tag = ValueTagOf(value);
    seed = Mix(seed, static_cast<uint64_t>(tag));
    switch (tag) {
      case ValueTag::kNull:
        return;
      case ValueTag::kString:
        seed = Mix(seed, HashText(ViewAt(value)));
        return;
      case ValueTag::kBool:
      case ValueTag::kInt:
        seed = Mix(seed, Load<uint64_t>(value));
        return;
      case ValueTag::kDouble:
        seed = Mix(seed, absl::Hash<double>()(Load<double>(value)));  // 0 and -0 have the same hash
        return;
      case ValueTag::kList:
      case ValueTag::kObject: {
        const auto* block = Load<const ListBlock*>(value);
        seed = Mix(seed, SizeOf(block));
        if (SizeOf(block) != 0) pending.push_back({block, tag == ValueTag::kObject});
        return;
      }
    }
  };
  mix(first);
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const char* at = next.block->elements();
    size_t stride = kValueType.size;
    if (next.is_map) {
      stride = EntrySize(kValueType);
      seed = HashElements(at, next.block->size, stride, kStringType, seed);
      at += sizeof(StringRep);
    }
    for (size_t left = next.block->size; left != 0; --left, at += stride) mix(at);
  }
  return seed;
}

}  // namespace

bool EqualValues(const char* a, const char* b, Type type) {
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      return ViewAt(a) == ViewAt(b);
    case Kind::kQuantity:
      return EqualQuantities(ViewAt(a), ViewAt(b));
    case Kind::kBool:
      return *a == *b;
    case Kind::kInt32:
      return Load<int32_t>(a) == Load<int32_t>(b);
    case Kind::kInt64:
    case Kind::kTime:
    case Kind::kDuration:
      return Load<int64_t>(a) == Load<int64_t>(b);
    case Kind::kDouble:
      return Load<double>(a) == Load<double>(b);
    case Kind::kMicroTime:
      return Load<int64_t>(a) == Load<int64_t>(b) && Load<int32_t>(a + 8) == Load<int32_t>(b + 8);
    case Kind::kIntOrString:
      return ViewAt(a) == ViewAt(b) &&
             std::memcmp(a + sizeof(StringRep), b + sizeof(StringRep), kIntOrStringRest) == 0;
    case Kind::kStringList:
      return EqualLists(Load<const ListBlock*>(a), Load<const ListBlock*>(b), kStringType);
    case Kind::kMessage:
      return EqualMessages(a, b, *type.message);
    case Kind::kValue:
      return EqualJsonValues(a, b);
  }
  return false;
}

bool EqualLists(const ListBlock* a, const ListBlock* b, Type type) {
  if (a == b) return true;
  if (SizeOf(a) != SizeOf(b)) return false;
  return SizeOf(a) == 0 || EqualElements(a->elements(), b->elements(), SizeOf(a), type.size, type);
}

bool EqualMaps(const ListBlock* a, const ListBlock* b, Type type) {
  if (a == b) return true;
  if (SizeOf(a) != SizeOf(b)) return false;
  if (SizeOf(a) == 0) return true;
  const size_t stride = EntrySize(type);
  return EqualElements(a->elements(), b->elements(), SizeOf(a), stride, kStringType) &&
         EqualElements(a->elements() + sizeof(StringRep), b->elements() + sizeof(StringRep),
                       SizeOf(a), stride, type);
}

bool EqualBoxes(BoxRep a, BoxRep b, Type type) {
  if (!a || !b) return !a && !b;
  return a.value() == b.value() || EqualValues(a.value(), b.value(), type);
}

bool EqualMessages(const void* a, const void* b, const Message& message) {
  const Field* const end = message.fields + message.field_count;
  for (const Field* field = message.fields; field != end; ++field) {
    if (!EqualFields(static_cast<const char*>(a) + field->offset,
                     static_cast<const char*>(b) + field->offset, message, *field)) {
      return false;
    }
  }
  return true;
}

uint64_t HashValue(const char* value, Type type, uint64_t seed) {
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      return Mix(seed, HashText(ViewAt(value)));
    case Kind::kQuantity:
      return Mix(seed, HashQuantity(ViewAt(value)));
    case Kind::kBool:
      return Mix(seed, static_cast<uint8_t>(*value));
    case Kind::kInt32:
      return Mix(seed, Load<uint32_t>(value));
    case Kind::kInt64:
    case Kind::kTime:
    case Kind::kDuration:
      return Mix(seed, Load<uint64_t>(value));
    case Kind::kDouble:
      return Mix(seed, absl::Hash<double>()(Load<double>(value)));  // 0 and -0 have the same hash
    case Kind::kMicroTime:
      return Mix(Mix(seed, Load<uint64_t>(value)), Load<uint32_t>(value + 8));
    case Kind::kIntOrString:
      return Mix(Mix(seed, HashText(ViewAt(value))), Load<uint64_t>(value + sizeof(StringRep)));
    case Kind::kStringList:
      return HashList(Load<const ListBlock*>(value), kStringType, seed);
    case Kind::kMessage:
      return HashFields(value, *type.message, seed);
    case Kind::kValue:
      return HashJsonValue(value, seed);
  }
  return seed;
}

uint64_t HashList(const ListBlock* block, Type type, uint64_t seed) {
  seed = Mix(seed, SizeOf(block));
  return block == nullptr ? seed
                          : HashElements(block->elements(), block->size, type.size, type, seed);
}

uint64_t HashMap(const ListBlock* block, Type type, uint64_t seed) {
  seed = Mix(seed, SizeOf(block));
  if (block == nullptr) return seed;
  const size_t stride = EntrySize(type);
  seed = HashElements(block->elements(), block->size, stride, kStringType, seed);
  return HashElements(block->elements() + sizeof(StringRep), block->size, stride, type, seed);
}

uint64_t HashBox(BoxRep box, Type type, uint64_t seed) {
  seed = Mix(seed, box ? 1 : 0);
  return box ? HashValue(box.value(), type, seed) : seed;
}

uint64_t HashMessage(const void* value, const Message& message) {
  return HashFields(static_cast<const char*>(value), message, 0);
}

}  // namespace kube::table
