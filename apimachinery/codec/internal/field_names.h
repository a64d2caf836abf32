#ifndef APIMACHINERY_CODEC_INTERNAL_FIELD_NAMES_H_
#define APIMACHINERY_CODEC_INTERNAL_FIELD_NAMES_H_

// Which field of a struct a name in JSON text is. The text is padded, as in json_scan.h.

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

// The field with this name, or field_count.
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

// Whether the name that begins at `name`, of which `word` are the first eight bytes, and ends in a
// quote is that of the field. Words after the end of field names are readable too.
inline bool IsNamed(const kube::table::Message& message, const kube::table::Field& field,
                    uint64_t word, const char* name) {
  static constexpr std::array<uint64_t, 9> kMasks = {
      ~uint64_t{0}, 0xff,           0xffff,           0xffffff,    0xffffffff,
      0xffffffffff, 0xffffffffffff, 0xffffffffffffff, ~uint64_t{0}};
  // Fewer than what of the text's end is readable. Of a longer name no byte after the first that
  // differs may be.
  constexpr size_t kMostAtOnce = 48;
  const size_t size = field.name_size;
  const char* want = message.names + field.name;
  if (size > kMostAtOnce) [[unlikely]] {
    size_t same = 0;
    while (same < size && name[same] == want[same]) ++same;
    return same == size && name[size] == '"';
  }
  // Most names are of another length.
  if (name[size] != '"') return false;
  if (((word ^ LoadWord(want)) & kMasks[size < 8 ? size : 8]) != 0) return false;
  if (size <= 8) return true;
  if (size > 16) return std::memcmp(name + 8, want + 8, size - 8) == 0;
  return ((LoadWord(name + 8) ^ LoadWord(want + 8)) & kMasks[size - 8]) == 0;
}

// The index of the field that the quoted name at `name` is, as it stands there; or field_count.
// Fields mostly come in order: the search begins at `next`, behind the last one. Also finds fields
// that are not in JSON.
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
