#include "net/websocket/internal/utf8_stream.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::websocket::internal {
namespace {

unsigned char ByteAt(absl::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Returns the number of bytes of a character that begins with `lead`; zero if none does.
size_t SizeOfCharacter(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Returns whether a character may have this second byte: the shortest form is required, surrogates
// are not characters, and U+10FFFF is the last one.
bool MayFollow(unsigned char lead, unsigned char second) {
  const unsigned char min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= min && second <= max;
}

// Returns whether `bytes`, which is not empty, is the beginning of a character, but not all of it.
bool IsCutCharacter(absl::string_view bytes) {
  const unsigned char lead = ByteAt(bytes, 0);
  if (bytes.size() >= SizeOfCharacter(lead)) return false;
  if (bytes.size() > 1 && !MayFollow(lead, ByteAt(bytes, 1))) return false;
  const absl::string_view rest = bytes.substr(std::min<size_t>(2, bytes.size()));
  return std::all_of(rest.begin(), rest.end(),
                     [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; });
}

}  // namespace

bool Utf8Stream::Append(absl::string_view piece) {
  while (!cut_.empty() && !piece.empty()) {
    cut_.push_back(piece.front());
    piece.remove_prefix(1);
    if (text::IsValidUtf8(cut_)) {
      cut_.clear();
    } else if (!IsCutCharacter(cut_)) {
      return false;
    }
  }
  if (piece.empty()) return true;
  const absl::string_view rest = piece.substr(text::ValidUtf8Prefix(piece));
  if (rest.empty()) return true;
  if (!IsCutCharacter(rest)) return false;
  cut_.assign(rest.data(), rest.size());
  return true;
}

}  // namespace kube::websocket::internal
