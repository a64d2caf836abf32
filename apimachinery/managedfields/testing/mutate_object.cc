#include "apimachinery/managedfields/testing/mutate_object.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "tests/dice.h"

namespace kube::managedfields {
namespace {

using codec::internal::SampleObject;
using kube::table::BoxRep;
using kube::table::EntrySize;
using kube::table::Field;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::Store;
using kube::table::StringRep;
using kube::table::Type;

size_t SizeOf(const ListBlock* block) { return block == nullptr ? 0 : block->size; }

// Returns the number of bytes that a member has at least.
size_t SizeOf(const Message& message, const Field& field) {
  switch (field.shape) {
    case Shape::kValue:
      return kube::table::ValueType(message, field).size;
    case Shape::kOpt:
      return size_t{field.element_size} + 1;
    default:
      return sizeof(void*);
  }
}

// Walks an object together with a random one, the donor, and swaps members with it: values may be
// moved by moving their bytes.
class Mutator {
 public:
  explicit Mutator(oracle::Dice& dice) : dice_(dice) {}

  void MutateStruct(char* at, char* donor, const Message& message) {
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      MutateMember(at + field.offset, donor + field.offset, message, field);
    }
  }

 private:
  bool Chance(size_t percent) { return dice_.Below(100) < percent; }

  void MutateMember(char* at, char* donor, const Message& message, const Field& field) {
    if (Chance(6)) {
      std::swap_ranges(at, at + SizeOf(message, field), donor);
      return;
    }
    const Type type = kube::table::ElementType(message, field);
    const bool is_string_list = field.kind == Kind::kStringList && field.shape == Shape::kValue;
    if (field.shape == Shape::kList || is_string_list) return MutateList(at, donor, type);
    if (field.shape == Shape::kMap) return MutateMap(at, donor, type);
    if (field.kind != Kind::kMessage) return;
    if (field.shape == Shape::kValue) return MutateStruct(at, donor, *type.message);
    const auto box = Load<BoxRep>(at);
    const auto donor_box = Load<BoxRep>(donor);
    if (box && donor_box) MutateStruct(box.value(), donor_box.value(), *type.message);
  }

  void MutateList(char* at, char* donor, Type type) {
    auto* block = Load<ListBlock*>(at);
    if (SizeOf(block) != 0 && Chance(8)) {
      kube::table::EraseFromList(block, dice_.Below(block->size), 1, type);
    }
    if (SizeOf(block) != 0 && Chance(6)) Repeat(block, dice_.Below(block->size), type);
    if (SizeOf(block) > 1 && Chance(8)) {
      char* last = block->elements() + (block->size - 1) * type.size;
      std::swap_ranges(block->elements(), block->elements() + type.size, last);
    }
    Store(at, block);
    auto* other = Load<ListBlock*>(donor);
    for (size_t i = 0; i < std::min(SizeOf(block), SizeOf(other)); ++i) {
      MutateItem(block->elements() + i * type.size, other->elements() + i * type.size, type);
    }
  }

  // Appends a copy of the item at `i`.
  static void Repeat(ListBlock*& block, size_t i, Type type) {
    char* made = kube::table::AppendToList(block, type);
    const char* item = block->elements() + i * type.size;
    std::memcpy(made, item, type.size);
    kube::table::CopyValue(made, item, type);
  }

  void MutateMap(char* at, char* donor, Type type) {
    auto* block = Load<ListBlock*>(at);
    const size_t stride = EntrySize(type);
    if (SizeOf(block) != 0 && Chance(10)) {
      const auto view = kube::table::ViewAt(block->elements() + dice_.Below(block->size) * stride);
      kube::table::EraseFromMap(block, type, std::string(view));
    }
    if (Chance(10)) kube::table::FindOrInsertInMap(block, type, "mutated");
    Store(at, block);
    auto* other = Load<ListBlock*>(donor);
    for (size_t i = 0; i < std::min(SizeOf(block), SizeOf(other)); ++i) {
      MutateItem(block->elements() + i * stride + sizeof(StringRep),
                 other->elements() + i * stride + sizeof(StringRep), type);
    }
  }

  void MutateItem(char* item, char* donor, Type type) {
    if (type.message != nullptr) {
      if (Chance(40)) MutateStruct(item, donor, *type.message);
    } else if (Chance(10)) {
      std::swap_ranges(item, item + type.size, donor);
    }
  }

  oracle::Dice& dice_;
};

}  // namespace

void MutateRandomly(oracle::Dice& dice, SampleObject& object) {
  SampleObject donor(object.message());
  codec::internal::FillRandomly(dice, donor.get(), object.message());
  Mutator(dice).MutateStruct(object.get(), donor.get(), object.message());
}

}  // namespace kube::managedfields
