#include "apimachinery/base/text/go_regexp.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "re2/re2.h"
#include "re2/stringpiece.h"

namespace kube::text {
namespace {

// Returns Go's text for an error of RE2 (Go: `regexp/syntax.ErrorCode`).
absl::string_view GoWords(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp/syntax: internal error";
  }
}

// Replaces \C, which Go does not have, by an escape that RE2 does not have either.
constexpr absl::string_view kNoEscape = "\\i";

// A pattern for RE2. `origins` has the position in the original pattern for each byte, and for the
// end.
struct Translated {
  std::string text;
  std::vector<size_t> origins;
};

// Translates (?<name>...), which Debian's RE2 does not know. Escapes, text between \Q and \E, and
// classes are not changed.
Translated Translate(absl::string_view pattern) {
  Translated result;
  bool in_class = false;
  size_t i = 0;
  // Appends `text` for the next `taken` bytes of the pattern.
  const auto append = [&](size_t taken, absl::string_view text) {
    for (size_t k = 0; k < text.size(); ++k) {
      result.origins.push_back(text.size() == taken || k == 0 ? i + k : i + taken);
    }
    absl::StrAppend(&result.text, text);
    i += taken;
  };
  while (i < pattern.size()) {
    const absl::string_view rest = pattern.substr(i);
    size_t taken = 1;
    if (rest[0] == '\\' && rest.size() > 1) {
      taken = 2;
      if (rest[1] == 'C') {
        append(2, kNoEscape);
        continue;
      }
      if (rest[1] == 'Q' && !in_class) {
        const size_t end = rest.find("\\E", 2);
        taken = end == absl::string_view::npos ? rest.size() : end + 2;
      }
    } else if (rest[0] == '[' && !in_class) {
      in_class = true;
      // A bracket at the start belongs to the class.
      if (rest.size() > 1 && rest[1] == '^') taken = 2;
      if (rest.size() > taken && rest[taken] == ']') ++taken;
    } else if (rest[0] == ']') {
      in_class = false;
    } else if (!in_class && rest.size() > 3 && rest.substr(0, 3) == "(?<" && rest[3] != '=' &&
               rest[3] != '!') {
      append(3, "(?P<");
      continue;
    }
    append(taken, rest.substr(0, taken));
  }
  result.origins.push_back(pattern.size());
  return result;
}

// Returns the part of `pattern` that corresponds to a part of the translated text.
absl::string_view OriginalPart(absl::string_view pattern, const Translated& translated,
                               absl::string_view part) {
  if (absl::StrContains(pattern, part)) return part;
  const size_t begin = absl::string_view(translated.text).find(part);
  if (begin == absl::string_view::npos) return pattern;
  const size_t from = translated.origins[begin];
  return pattern.substr(from, translated.origins[begin + part.size()] - from);
}

// Returns the first invalid count in `operators`, such as "{1001}" or "{3,2}", or "" if there is
// none.
absl::string_view WrongCount(absl::string_view operators) {
  const size_t brace = operators.find('{');
  const size_t end = operators.find('}', brace);
  if (brace == absl::string_view::npos || end == absl::string_view::npos) return {};
  const absl::string_view count = operators.substr(brace, end + 1 - brace);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(count.substr(1, count.size() - 2), absl::MaxSplits(',', 1));
  constexpr int kMax = 1000;
  int least = 0;
  int most = kMax;
  const bool wrong = !absl::SimpleAtoi(parts.first, &least) || least > kMax ||
                     (!parts.second.empty() &&
                      (!absl::SimpleAtoi(parts.second, &most) || most > kMax || least > most));
  return wrong ? count : WrongCount(operators.substr(end + 1));
}

std::string ErrorOf(const re2::RE2& regexp, absl::string_view pattern,
                    const Translated& translated) {
  constexpr absl::string_view kPrefix = "error parsing regexp: ";
  const re2::RE2::ErrorCode code = regexp.error_code();
  // If several operators follow each other and a count is invalid, Go names only the count.
  if (code == re2::RE2::ErrorRepeatOp || code == re2::RE2::ErrorRepeatSize) {
    if (const absl::string_view count = WrongCount(regexp.error_arg()); !count.empty()) {
      return absl::StrCat(kPrefix, GoWords(re2::RE2::ErrorRepeatSize), ": `", count, "`");
    }
  }
  const bool whole = code == re2::RE2::ErrorMissingParen || code == re2::RE2::ErrorUnexpectedParen;
  return absl::StrCat(kPrefix, GoWords(code), ": `",
                      whole ? pattern : OriginalPart(pattern, translated, regexp.error_arg()), "`");
}

}  // namespace

GoRegexp::GoRegexp(absl::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  // Go does not limit the memory. Its limits of size and nesting are also RE2's.
  options.set_max_mem(int64_t{64} << 20);
  const Translated translated = Translate(pattern);
  auto regexp = std::make_unique<const re2::RE2>(
      re2::StringPiece(translated.text.data(), translated.text.size()), options);
  if (!regexp->ok()) {
    error_ = ErrorOf(*regexp, pattern, translated);
    return;
  }
  regexp_ = std::move(regexp);
}

bool GoRegexp::Matches(absl::string_view text) const {
  return regexp_ != nullptr &&
         re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regexp_);
}

}  // namespace kube::text
