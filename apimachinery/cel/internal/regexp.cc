#include "apimachinery/cel/internal/regexp.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/utf8.h"
#include "re2/stringpiece.h"

namespace kube::cel::internal {
namespace {

// Returns Go's text for an error of RE2. (Go: `regexp/syntax.ErrorCode`)
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

// Writes (?<name>...) as RE2 knows it, and \C, which Go does not have, as an escape that RE2 does
// not have either. Escapes, text between \Q and \E, and classes are not changed.
std::string Translate(absl::string_view pattern) {
  std::string out;
  bool in_class = false;
  while (!pattern.empty()) {
    size_t taken = 1;
    absl::string_view written = pattern.substr(0, 1);
    if (pattern[0] == '\\' && pattern.size() > 1) {
      taken = 2;
      if (pattern[1] == 'Q' && !in_class) {
        const size_t end = pattern.find("\\E", 2);
        taken = end == absl::string_view::npos ? pattern.size() : end + 2;
      }
      written = pattern[1] == 'C' ? "\\i" : pattern.substr(0, taken);
    } else if (pattern[0] == '[' && !in_class) {
      in_class = true;
      // A bracket at the start belongs to the class.
      if (pattern.size() > 1 && pattern[1] == '^') taken = 2;
      if (pattern.size() > taken && pattern[taken] == ']') ++taken;
      written = pattern.substr(0, taken);
    } else if (pattern[0] == ']') {
      in_class = false;
    } else if (!in_class && pattern.size() > 3 && pattern.substr(0, 3) == "(?<" &&
               pattern[3] != '=' && pattern[3] != '!') {
      taken = 3;
      written = "(?P<";
    }
    absl::StrAppend(&out, written);
    pattern.remove_prefix(taken);
  }
  return out;
}

std::string ErrorOf(const re2::RE2& regexp, absl::string_view pattern) {
  const re2::RE2::ErrorCode code = regexp.error_code();
  const bool whole = code == re2::RE2::ErrorMissingParen || code == re2::RE2::ErrorUnexpectedParen;
  return absl::StrCat("error parsing regexp: ", GoWords(code), ": `",
                      whole ? pattern : absl::string_view(regexp.error_arg()), "`");
}

re2::StringPiece Piece(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace

absl::StatusOr<std::shared_ptr<const Regexp>> Regexp::Compile(absl::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  // Go does not limit the memory. Its limits of size and nesting are also RE2's.
  options.set_max_mem(int64_t{64} << 20);
  auto regexp = std::make_unique<const re2::RE2>(Piece(Translate(pattern)), options);
  if (!regexp->ok()) return absl::InvalidArgumentError(ErrorOf(*regexp, pattern));
  // The constructor is private.
  struct Public : Regexp {
    explicit Public(std::unique_ptr<const re2::RE2> compiled) : Regexp(std::move(compiled)) {}
  };
  return std::make_shared<const Public>(std::move(regexp));
}

bool Regexp::Matches(absl::string_view text) const {
  return re2::RE2::PartialMatch(Piece(text), *regexp_);
}

std::string Regexp::Find(absl::string_view text) const {
  re2::StringPiece match;
  if (!regexp_->Match(Piece(text), 0, text.size(), re2::RE2::UNANCHORED, &match, 1)) return "";
  return std::string(match.data(), match.size());
}

std::vector<std::string> Regexp::FindAll(absl::string_view text, int64_t limit,
                                         Budget& budget) const {
  std::vector<std::string> matches;
  constexpr size_t kNowhere = absl::string_view::npos;
  size_t position = 0;
  size_t previous_end = kNowhere;
  while (position <= text.size() && budget.Work() &&
         (limit < 0 || matches.size() < static_cast<uint64_t>(limit))) {
    re2::StringPiece match;
    if (!regexp_->Match(Piece(text), position, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
      break;
    }
    const auto begin = static_cast<size_t>(match.data() - text.data());
    const size_t end = begin + match.size();
    // An empty match directly behind another match does not count.
    const bool accepted = end != position || begin != previous_end;
    if (end == position) {
      position += position < text.size() ? text::DecodeRune(text.substr(position)).size : 1;
    } else {
      position = end;
    }
    previous_end = end;
    if (accepted) matches.emplace_back(match.data(), match.size());
  }
  return matches;
}

uint64_t Regexp::program_size() const { return static_cast<uint64_t>(regexp_->ProgramSize()); }

absl::StatusOr<std::shared_ptr<const Regexp>> RegexpCache::Get(absl::string_view pattern,
                                                               Budget& budget) {
  constexpr size_t kMaxKept = 64;
  // What compiling an instruction takes, in steps of other work.
  constexpr uint64_t kStepsPerInstruction = 16;
  const auto found = compiled_.find(pattern);
  if (found != compiled_.end()) return found->second;
  absl::StatusOr<std::shared_ptr<const Regexp>> regexp = Regexp::Compile(pattern);
  if (!regexp.ok()) {
    budget.Work(pattern.size() * kStepsPerInstruction);
    return regexp;
  }
  budget.Work((*regexp)->program_size() * kStepsPerInstruction);
  if (compiled_.size() >= kMaxKept) compiled_.clear();
  compiled_.emplace(std::string(pattern), *regexp);
  return regexp;
}

}  // namespace kube::cel::internal
