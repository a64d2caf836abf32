#ifndef APIMACHINERY_TYPES_TABLE_H_
#define APIMACHINERY_TYPES_TABLE_H_

// Builds the field tables that protoc-gen-kube writes. Kind, shape, storage and size of a Field are
// derived from the type of the member that it describes, so the two cannot disagree.

#include <cstddef>
#include <cstdint>

#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"

namespace kube::table {

// The fields of a message, followed by its Message::wire() if the message has its own.
template <size_t n, size_t m>
struct Fields {
  Field fields[n];
  uint16_t wire[m];
};
template <size_t n>
struct Fields<n, 0> {
  Field fields[n];
};

// The properties of a field that do not follow from its type.
struct FieldTraits {
  uint16_t name;
  uint8_t name_size;
  uint8_t flags;
  size_t offset;
  uint16_t number;
  uint16_t sub;
};

template <typename M>
struct MemberType {
  using Element = M;
  static constexpr Shape kShape = Shape::kValue;
};
template <typename T>
struct MemberType<Opt<T>> {
  using Element = T;
  static constexpr Shape kShape = Shape::kOpt;
};
template <typename T>
struct MemberType<Box<T>> {
  using Element = T;
  static constexpr Shape kShape = Shape::kBox;
};
template <typename T>
struct MemberType<List<T>> {
  using Element = T;
  static constexpr Shape kShape = Shape::kList;
};
template <typename T>
struct MemberType<Map<T>> {
  using Element = T;
  static constexpr Shape kShape = Shape::kMap;
};

// Returns the storage of a field; for an Opt that of its value.
constexpr Storage StorageOf(Kind kind, Shape shape) {
  switch (shape) {
    case Shape::kBox:
      return Storage::kBox;
    case Shape::kList:
      return Storage::kList;
    case Shape::kMap:
      return Storage::kMap;
    default:
      return StorageOf(kind);
  }
}

constexpr Field MakeField(const FieldTraits& traits, Type type, Shape shape) {
  const size_t size = shape == Shape::kMap ? EntrySize(type) : type.size;
  return {.name = traits.name,
          .name_size = traits.name_size,
          .flags = traits.flags,
          .offset = static_cast<uint16_t>(traits.offset),
          .element_size = static_cast<uint16_t>(size),
          .number = traits.number,
          .kind = type.kind,
          .shape = shape,
          .sub = traits.sub,
          .storage = StorageOf(type.kind, shape),
          .reserved = 0};
}

// Returns the Field for a member of type M.
template <typename M>
constexpr Field FieldOf(const FieldTraits& traits) {
  using Element = typename MemberType<M>::Element;
  constexpr Type kType = TypeOf<Element>();
  static_assert(sizeof(Element) == kType.size);
  static_assert(kType.size < 65536 - 16, "an entry of a map must have a size in 16 bits");
  static_assert(MemberType<M>::kShape != Shape::kOpt || sizeof(M) > sizeof(Element),
                "the byte of presence follows the value");
  return MakeField(traits, kType, MemberType<M>::kShape);
}

// Returns the Field for a member that is a List<String> because its message is a list
// (Kind::kStringList).
template <typename M>
constexpr Field StringListField(const FieldTraits& traits) {
  return MakeField(traits, TypeOf<M>(), Shape::kValue);
}

}  // namespace kube::table

#endif  // APIMACHINERY_TYPES_TABLE_H_
