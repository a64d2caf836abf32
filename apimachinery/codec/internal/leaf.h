#ifndef APIMACHINERY_CODEC_INTERNAL_LEAF_H_
#define APIMACHINERY_CODEC_INTERNAL_LEAF_H_

// Functions with which the engine reads values through pointers to their bytes. Pure: thread-safe.

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

// Return the StringRep, or the text, of a String, Bytes, Quantity, RawExtension, FieldsV1 or
// RawJson.
inline const StringRep& AsString(const char* value) {
  return *reinterpret_cast<const StringRep*>(value);
}
inline absl::string_view TextOf(const StringRep& text) { return {text.data(), text.size()}; }
inline absl::string_view TextOf(const char* value) { return TextOf(AsString(value)); }

// Returns the block of a list or a map, or null if the list or map is null.
inline const ListBlock* AsBlock(const char* value) { return Load<const ListBlock*>(value); }
inline size_t SizeOf(const ListBlock* block) { return block == nullptr ? 0 : block->size; }

inline const char* AsBox(const char* value) { return Load<BoxRep>(value).value(); }

// Offset of the value in a map's entry, after its key.
constexpr size_t kEntryValue = sizeof(StringRep);

// The layout of a MicroTime.
struct MicroTimeBits {
  int64_t seconds;
  int32_t micros;
  int32_t padding;
};

// The layout of an IntOrString.
struct IntOrStringBits {
  StringRep text;
  int32_t number;
  int32_t type;  // kInt or kString

  static constexpr int32_t kInt = 0;
  static constexpr int32_t kString = 1;
};
inline const IntOrStringBits& AsIntOrString(const char* value) {
  return *reinterpret_cast<const IntOrStringBits*>(value);
}

// Sets `canonical` to the canonical form of the quantity `text`: a view of `text` if it is
// canonical already, otherwise of `scratch`. Returns false if `text` is not a quantity.
bool CanonicalQuantity(absl::string_view text, std::string& scratch, absl::string_view& canonical);

// Returns whether Go's omitempty omits the value: false, 0, "", and bytes and lists without
// elements. Structs, and values that are structs in Go, are never empty.
bool IsEmpty(const char* value, Kind kind);

// Returns whether Go's omitzero omits the value: a time or quantity that equals zero, or another
// value in its initial state.
bool IsZero(const char* value, Kind kind, const Message* message);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_LEAF_H_
