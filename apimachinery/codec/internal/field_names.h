#ifndef APIMACHINERY_CODEC_INTERNAL_FIELD_NAMES_H_
#define APIMACHINERY_CODEC_INTERNAL_FIELD_NAMES_H_

// Finds the field of a struct that a name in JSON text means. The text is padded, as in
// json_scan.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

inline bool IsInJson(const kube::table::Field& field) {
  return (field.flags & kube::table::kNoJson) == 0 && field.name_size > 0;
}

// Returns the index of the field with this name, or field_count.
inline uint32_t FindField(const kube::table::Message& message, absl::string_view name) {
  for (uint32_t i = 0; i < message.field_count; ++i) {
    const kube::table::Field& field = message.fields[i];
    if (IsInJson(field) && message.field_name(field) == name) return i;
  }
  return message.field_count;
}

inline uint64_t LoadWord(const char* p) {
  uint64_t word = 0;
  std::memcpy(&word, p, sizeof(word));
  return word;
}

// Returns whether `name`, which points to text that ends in a quote, is the name of the field.
// `word` contains the first eight bytes at `name`. The tables may be read eight bytes beyond each
// field name.
inline bool IsNamed(const kube::table::Message& message, const kube::table::Field& field,
                    uint64_t word, const char* name) {
  static constexpr std::array<uint64_t, 9> kMasks = {
      ~uint64_t{0}, 0xff,           0xffff,           0xffffff,    0xffffffff,
      0xffffffffff, 0xffffffffffff, 0xffffffffffffff, ~uint64_t{0}};
  // Less than the padding after the text, so that a name of this length may be read from any
  // position. In a longer name, no byte after the first difference may be read.
  constexpr size_t kMostAtOnce = 48;
  const size_t size = field.name_size;
  const char* want = message.names + field.name;
  if (size > kMostAtOnce) [[unlikely]] {
    size_t same = 0;
    while (same < size && name[same] == want[same]) ++same;
    return same == size && name[size] == '"';
  }
  // Most names differ in length already.
  if (name[size] != '"') return false;
  if (((word ^ LoadWord(want)) & kMasks[size < 8 ? size : 8]) != 0) return false;
  if (size <= 8) return true;
  if (size > 16) return std::memcmp(name + 8, want + 8, size - 8) == 0;
  return ((LoadWord(name + 8) ^ LoadWord(want + 8)) & kMasks[size - 8]) == 0;
}

// Returns the index of the field whose name stands, without escapes, before a quote at `name`, or
// field_count. Fields mostly come in the order of the table, so the search begins at `next`, the
// index after the last field found. May return a field that is not in JSON: see IsInJson.
inline uint32_t FindQuotedField(const kube::table::Message& message, uint32_t next,
                                const char* name) {
  const uint64_t word = LoadWord(name);
  const uint32_t count = message.field_count;
  for (uint32_t i = next; i < count; ++i) {
    if (IsNamed(message, message.fields[i], word, name)) return i;
  }
  for (uint32_t i = 0; i < next; ++i) {
    if (IsNamed(message, message.fields[i], word, name)) return i;
  }
  return count;
}

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_FIELD_NAMES_H_
