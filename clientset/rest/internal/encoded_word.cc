#include "clientset/rest/internal/encoded_word.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/base64.h"

// An encoded word is "=?charset?encoding?text?=". The encoding is B (base64) or Q
// (quoted-printable, with "_" for a blank). The text is scanned from left to right: what is between
// two words is copied, except blanks between two decoded words; a word that is malformed is copied
// as it is.
namespace kube::rest::internal {

namespace {

int HexValue(char c) {
  if (!absl::ascii_isxdigit(static_cast<unsigned char>(c))) return -1;
  return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

std::optional<std::string> DecodeQ(absl::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '=') {
      if (text.size() - i < 3) return std::nullopt;
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      bytes += static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '_') {
      bytes += ' ';
    } else if ((c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t') {
      bytes += c;
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::optional<std::string> DecodeB(absl::string_view text) {
  std::string bytes(kube::text::MaxBase64DecodedSize(text.size()), '\0');
  const std::optional<size_t> size = kube::text::DecodeBase64(text, bytes.data());
  if (!size.has_value()) return std::nullopt;
  bytes.resize(*size);
  return bytes;
}

std::optional<std::string> Decode(char encoding, absl::string_view text) {
  switch (encoding) {
    case 'B':
    case 'b':
      return DecodeB(text);
    case 'Q':
    case 'q':
      return DecodeQ(text);
    default:
      return std::nullopt;
  }
}

// Returns nullopt if the charset is not supported.
std::optional<std::string> ToUtf8(absl::string_view charset, absl::string_view bytes) {
  if (absl::EqualsIgnoreCase(charset, "utf-8")) return std::string(bytes);
  const bool latin1 = absl::EqualsIgnoreCase(charset, "iso-8859-1");
  if (!latin1 && !absl::EqualsIgnoreCase(charset, "us-ascii")) return std::nullopt;
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else if (latin1) {
      text += static_cast<char>(0xc0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3f));
    } else {
      text += "\xef\xbf\xbd";  // U+FFFD
    }
  }
  return text;
}

struct EncodedWord {
  size_t begin = 0;  // of "=?"
  size_t end = 0;
  absl::string_view charset = {};
  char encoding = 0;
  absl::string_view text = {};
};

// Finds the first text that has the form of an encoded word, whatever its content is.
std::optional<EncodedWord> Find(absl::string_view text) {
  EncodedWord word;
  word.begin = text.find("=?");
  if (word.begin == absl::string_view::npos) return std::nullopt;
  const size_t charset = word.begin + 2;
  const size_t mark = text.find('?', charset);
  // At least "Q??=" must follow.
  if (mark == absl::string_view::npos || text.size() < mark + 5) return std::nullopt;
  if (text[mark + 2] != '?') return std::nullopt;
  word.charset = text.substr(charset, mark - charset);
  word.encoding = text[mark + 1];
  const size_t end = text.find("?=", mark + 3);
  if (end == absl::string_view::npos) return std::nullopt;
  word.text = text.substr(mark + 3, end - mark - 3);
  word.end = end + 2;
  return word;
}

bool IsBlank(absl::string_view text) {
  return text.find_first_not_of(" \t\n\r") == absl::string_view::npos;
}

}  // namespace

std::string DecodeEncodedWords(absl::string_view text) {
  std::string out;
  absl::string_view rest = text;
  bool after_word = false;
  while (const std::optional<EncodedWord> word = Find(rest)) {
    const std::optional<std::string> bytes = Decode(word->encoding, word->text);
    if (!bytes.has_value()) {
      after_word = false;
      out.append(rest.data(), word->end);
      rest.remove_prefix(word->end);
      continue;
    }
    const std::optional<std::string> decoded = ToUtf8(word->charset, *bytes);
    if (!decoded.has_value()) return std::string(text);
    // Blanks between two encoded words only separate them and are dropped.
    const absl::string_view before = rest.substr(0, word->begin);
    if (!after_word || !IsBlank(before)) out.append(before.data(), before.size());
    out += *decoded;
    rest.remove_prefix(word->end);
    after_word = true;
  }
  out.append(rest.data(), rest.size());
  return out;
}

}  // namespace kube::rest::internal
