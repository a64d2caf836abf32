#include "apiserver/crd_schema/internal/mail_address.h"

#include <cstddef>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apiserver/crd_schema/internal/ip_formats.h"

namespace kube::crd_schema::internal {
namespace {

using text::DecodeRune;
using text::Rune;

bool IsVisible(char32_t c) { return (c >= '!' && c <= '~') || c >= 0x80; }

bool IsBlank(char32_t c) { return c == ' ' || c == '\t'; }

bool IsAtomCharacter(char32_t c) {
  return IsVisible(c) && (c >= 0x80 || !absl::StrContains("()<>[]:;@\\,\"", static_cast<char>(c)));
}

// RFC 5322, as net/mail reads it: each function takes what it is named for from the front, and
// tells whether that was there.
class Parser {
 public:
  explicit Parser(absl::string_view text) : rest_(text) {}

  // (parseSingleAddress)
  bool TakeSingle() {
    const std::optional<int> count = TakeAddress(/*group=*/true);
    return count == 1 && SkipComments() && rest_.empty();
  }

 private:
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void SkipSpace() {
    while (!rest_.empty() && IsBlank(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
  }

  // How many addresses: a group may have none.
  std::optional<int> TakeAddress(bool group) {
    SkipSpace();
    if (rest_.empty()) return std::nullopt;
    if (TakeSpec()) {
      SkipSpace();
      if (Take('(') && !TakeComment()) return std::nullopt;
      return 1;
    }
    if (rest_[0] != '<' && !TakePhrase()) return std::nullopt;
    SkipSpace();
    if (group && Take(':')) return TakeGroup();
    if (Take('<') && TakeSpec() && Take('>')) return 1;
    return std::nullopt;
  }

  std::optional<int> TakeGroup() {
    SkipSpace();
    int count = 0;
    if (Take(';')) return SkipComments() ? std::optional<int>(0) : std::nullopt;
    while (true) {
      const std::optional<int> more = TakeAddress(/*group=*/false);
      if (!more.has_value() || !SkipComments()) return std::nullopt;
      count += *more;
      if (Take(';')) return SkipComments() ? std::optional<int>(count) : std::nullopt;
      if (!Take(',')) return std::nullopt;
    }
  }

  // local@domain. Leaves everything where it was if there is none.
  bool TakeSpec() {
    const absl::string_view start = rest_;
    SkipSpace();
    bool taken = false;
    if (!rest_.empty() && rest_[0] == '"') {
      const size_t before = rest_.size();
      // Not "".
      taken = TakeQuoted() && before - rest_.size() > 2;
    } else {
      taken = TakeAtom(/*permissive=*/false);
    }
    if (taken && Take('@')) {
      SkipSpace();
      if (!rest_.empty() &&
          (rest_[0] == '[' ? TakeDomainLiteral() : TakeAtom(/*permissive=*/false))) {
        return true;
      }
    }
    rest_ = start;
    return false;
  }

  // What stops after a word is no error here, but later.
  bool TakePhrase() {
    bool any = false;
    while (true) {
      if (any && !SkipComments()) return false;
      SkipSpace();
      if (rest_.empty()) return true;
      if (!(rest_[0] == '"' ? TakeQuoted() : TakeAtom(/*permissive=*/true))) return any;
      any = true;
    }
  }

  bool TakeQuoted() {
    bool escaped = false;
    for (size_t i = 1; i < rest_.size();) {
      const Rune rune = DecodeRune(rest_.substr(i));
      if (rune.invalid() || !(IsVisible(rune.value) || IsBlank(rune.value))) return false;
      i += rune.size;
      if (!escaped && rune.value == '"') {
        rest_.remove_prefix(i);
        return true;
      }
      escaped = !escaped && rune.value == '\\';
    }
    return false;
  }

  bool TakeAtom(bool permissive) {
    size_t size = 0;
    while (size < rest_.size()) {
      const Rune rune = DecodeRune(rest_.substr(size));
      if (rune.invalid()) return false;
      if (!IsAtomCharacter(rune.value)) break;
      size += rune.size;
    }
    if (size == 0) return false;
    const absl::string_view atom = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return permissive || !(atom[0] == '.' || absl::StrContains(atom, "..") || atom.back() == '.');
  }

  bool TakeDomainLiteral() {
    const size_t end = rest_.find(']');
    if (end == absl::string_view::npos) return false;
    const absl::string_view address = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return IsStrictIp(address);
  }

  bool SkipComments() {
    SkipSpace();
    while (Take('(')) {
      if (!TakeComment()) return false;
      SkipSpace();
    }
    return true;
  }

  // After its first parenthesis.
  bool TakeComment() {
    int depth = 1;
    for (; depth > 0 && !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_[0] == '\\' && rest_.size() > 1) {
        rest_.remove_prefix(1);
      } else if (rest_[0] == '(') {
        ++depth;
      } else if (rest_[0] == ')') {
        --depth;
      }
    }
    return depth == 0;
  }

  absl::string_view rest_;
};

}  // namespace

bool IsMailAddress(absl::string_view text) { return Parser(text).TakeSingle(); }

}  // namespace kube::crd_schema::internal
