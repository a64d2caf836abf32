#ifndef APIMACHINERY_CODEC_INTERNAL_LEAF_H_
#define APIMACHINERY_CODEC_INTERNAL_LEAF_H_

// How the engine reads values through pointers to their bytes. Pure functions: thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {

using kube::table::BoxRep;
using kube::table::Field;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::StringRep;
using kube::table::Type;

// String, Bytes, Quantity, RawExtension, FieldsV1 and RawJson are a StringRep.
inline const StringRep& AsString(const char* value) {
  return *reinterpret_cast<const StringRep*>(value);
}
inline absl::string_view TextOf(const StringRep& text) { return {text.data(), text.size()}; }
inline absl::string_view TextOf(const char* value) { return TextOf(AsString(value)); }

// Of a list or a map; null where it is.
inline const ListBlock* AsBlock(const char* value) { return Load<const ListBlock*>(value); }
inline size_t SizeOf(const ListBlock* block) { return block == nullptr ? 0 : block->size; }

inline const char* AsBox(const char* value) { return Load<BoxRep>(value).value(); }

// Where the value of a map's entry is, after its key.
constexpr size_t kEntryValue = sizeof(StringRep);

// How a MicroTime is laid out.
struct MicroTimeBits {
  int64_t seconds;
  int32_t micros;
  int32_t padding;
};

// How an IntOrString is laid out.
struct IntOrStringBits {
  StringRep text;
  int32_t number;
  int32_t type;  // 0: the number, 1: the text

  static constexpr int32_t kInt = 0;
  static constexpr int32_t kString = 1;
};
inline const IntOrStringBits& AsIntOrString(const char* value) {
  return *reinterpret_cast<const IntOrStringBits*>(value);
}

// The canonical text of a Quantity whose text is `text`: a view of it where it is canonical, or of
// `scratch`. False: it is no quantity.
bool CanonicalQuantity(absl::string_view text, std::string& scratch, absl::string_view& canonical);

// What Go's omitempty leaves out of a value: false, 0, "", bytes and lists of no elements. Structs,
// and what Go has as structs, are never empty.
bool IsEmpty(const char* value, Kind kind);

// What Go's omitzero leaves out: times and quantities that are zero, whatever their bits; else
// values as they are made.
bool IsZero(const char* value, Kind kind, const Message* message);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_LEAF_H_
