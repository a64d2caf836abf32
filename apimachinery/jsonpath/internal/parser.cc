#include "apimachinery/jsonpath/internal/parser.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath::internal {

// The parser reads from left to right. Parse tells texts from actions "{...}"; within an action,
// ParseStep looks at the next character and calls the method that takes the step that begins there
// and appends its node. A filter "[?(left op right)]", each branch of a union and a quoted key are
// parsed recursively, each as a template of its own, of which only the first action counts. Like
// upstream's lexer, the parser finds the end of a bracket or filter by scanning for it before it
// looks at the contents, which explains most of the syntax's peculiarities (see CutFilter and
// ParseBracket), and bounds the depth of the recursion: no bracket contains another one.

namespace {

using unstructured::Value;

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status Unsupported(absl::string_view what) {
  return absl::UnimplementedError(absl::StrCat(what, " is not supported"));
}

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsLetter(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }

// Returns whether `c` ends a name.
bool IsTerminator(char c) {
  return absl::string_view(" \t\r\n.,[]$@{}").find(c) != absl::string_view::npos;
}

// Parses the part of an action as an action of its own. A brace within `inside` ends it, and what
// follows has no effect. (client-go: `parseAction`)
absl::StatusOr<Nodes> ParsePart(absl::string_view inside) {
  const std::string text = absl::StrCat("{", inside, "}");
  KUBE_ASSIGN_OR_RETURN(Actions actions, Parser(text).Parse());
  return std::move(actions.front());
}

// Returns whether `text` is '...' without a quote inside. (client-go: `jsonpath.dictKeyRex`)
bool IsKey(absl::string_view text) {
  return text.size() >= 2 && text[0] == '\'' && text.find('\'', 1) == text.size() - 1;
}

// Removes -?[0-9]* from the front of `text` and returns it.
absl::string_view CutBound(absl::string_view& text) {
  size_t size = !text.empty() && text[0] == '-' ? 1 : 0;
  while (size < text.size() && IsDigit(text[size])) ++size;
  const absl::string_view bound = text.substr(0, size);
  text.remove_prefix(size);
  return bound;
}

absl::Status ReadBound(absl::string_view text, SliceNode::Bound& bound) {
  if (text.empty()) return absl::OkStatus();
  const kube::text::GoInt<int64_t> number = kube::text::ParseGoInt(text);
  if (!number.ok()) return Invalid("array index ", text, " is not a number");
  bound = {.known = true, .value = number.value};
  return absl::OkStatus();
}

// The parts of "left op right".
struct Comparison {
  absl::string_view left;
  absl::string_view op;
  absl::string_view right;
};

std::optional<Comparison> SplitComparison(absl::string_view text) {
  constexpr absl::string_view kOperators = "!<>=";
  const size_t begin = text.find_first_of(kOperators);
  if (begin == 0 || begin == absl::string_view::npos) return std::nullopt;
  size_t end = text.find_first_not_of(kOperators, begin);
  // A right side is required: in "a==" it is the second "=".
  if (end == absl::string_view::npos) end = text.size() - 1;
  if (end == begin) return std::nullopt;
  return Comparison{text.substr(0, begin), text.substr(begin, end - begin), text.substr(end)};
}

}  // namespace

absl::StatusOr<Actions> Parser::Parse() && {
  Actions actions;
  while (pos_ < text_.size()) {
    if (StartsWith("{")) {
      KUBE_RETURN_IF_ERROR(ParseAction());
      actions.push_back(std::exchange(nodes_, {}));
      continue;
    }
    const absl::string_view rest = text_.substr(pos_);
    const absl::string_view text = rest.substr(0, rest.find('{'));
    actions.push_back(Nodes{{LiteralNode{Value(text)}}});
    pos_ += text.size();
  }
  return actions;
}

absl::Status Parser::ParseAction() {
  ++pos_;
  while (!StartsWith("}")) KUBE_RETURN_IF_ERROR(ParseStep());
  ++pos_;
  return absl::OkStatus();
}

absl::Status Parser::ParseStep() {
  if (StartsWith("[?(")) return ParseFilter();
  if (StartsWith("..")) return ParseRecursive();
  if (pos_ >= text_.size()) return Invalid("unclosed action");
  const char c = text_[pos_];
  switch (c) {
    case '\r':
    case '\n':
      return Invalid("unclosed action");
    case ' ':
    case '@':
    case '$':
      ++pos_;
      return absl::OkStatus();
    case '[':
      return ParseBracket();
    case '.':
      return ParseField();
    case '"':
    case '\'':
      return ParseQuote(c);
    case '+':
    case '-':
      return ParseNumber();
    default:
      break;
  }
  if (IsDigit(c)) return ParseNumber();
  if (IsLetter(c)) return ParseWord();
  if (static_cast<unsigned char>(c) >= 0x80) {
    if (text::DecodeRune(text_.substr(pos_)).invalid()) {
      return Invalid("unrecognized character in action: U+FFFD '\uFFFD'");
    }
    return Unsupported("a non-ASCII identifier");
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("unrecognized character in action: U+%04X%s", c,
                      absl::ascii_isprint(static_cast<unsigned char>(c))
                          ? absl::StrCat(" '", std::string(1, c), "'")
                          : ""));
}

absl::Status Parser::ParseField() {
  ++pos_;
  return ParseName();
}

absl::Status Parser::ParseRecursive() {
  if (!nodes_.empty() && std::holds_alternative<RecursiveNode>(nodes_.back().node)) {
    return Invalid("invalid multiple recursive descent");
  }
  pos_ += 2;
  nodes_.push_back({RecursiveNode()});
  if (pos_ >= text_.size()) return absl::OkStatus();
  const char c = text_[pos_];
  if (static_cast<unsigned char>(c) >= 0x80) return Unsupported("a non-ASCII identifier");
  return IsLetter(c) || IsDigit(c) ? ParseName() : absl::OkStatus();
}

absl::Status Parser::ParseName() {
  const size_t begin = pos_;
  while (pos_ < text_.size() && !IsTerminator(text_[pos_])) {
    pos_ += text_[pos_] == '\\' && pos_ + 1 < text_.size() ? 2 : 1;
  }
  const absl::string_view name = text_.substr(begin, pos_ - begin);
  if (name == "*") {
    nodes_.push_back({WildcardNode()});
  } else {
    // Upstream removes every backslash, even one that is itself escaped.
    nodes_.push_back({FieldNode{absl::StrReplaceAll(name, {{"\\", ""}})}});
  }
  return absl::OkStatus();
}

// As upstream, searches for the closing bracket first: a quoted key cannot contain a bracket.
absl::Status Parser::ParseBracket() {
  const size_t end = text_.find_first_of("]\n", pos_);
  if (end == absl::string_view::npos || text_[end] == '\n') return Invalid("unterminated array");
  const absl::string_view text = text_.substr(pos_ + 1, end - pos_ - 1);
  pos_ = end + 1;
  if (text.find(',') != absl::string_view::npos) return ParseUnion(text);
  if (!IsKey(text)) return ParseSlice(text == "*" ? ":" : text);
  // A key is parsed as a path: 'a.b' is member b of member a, unless the dot is escaped.
  KUBE_ASSIGN_OR_RETURN(Nodes nodes, ParsePart(absl::StrCat(".", text.substr(1, text.size() - 2))));
  for (Node& node : nodes) nodes_.push_back(std::move(node));
  return absl::OkStatus();
}

// A comma always separates: a quoted key cannot contain one, either.
absl::Status Parser::ParseUnion(absl::string_view text) {
  UnionNode result;
  for (absl::string_view branch : absl::StrSplit(text, ',')) {
    while (absl::ConsumePrefix(&branch, " ")) continue;
    while (absl::ConsumeSuffix(&branch, " ")) continue;
    KUBE_ASSIGN_OR_RETURN(Nodes nodes, ParsePart(absl::StrCat("[", branch, "]")));
    result.branches.push_back(std::move(nodes));
  }
  nodes_.push_back({std::move(result)});
  return absl::OkStatus();
}

absl::Status Parser::ParseSlice(absl::string_view text) {
  absl::string_view rest = text;
  SliceNode slice;
  const absl::string_view begin = CutBound(rest);
  slice.single = rest.empty();
  const absl::string_view end = absl::ConsumePrefix(&rest, ":") ? CutBound(rest) : "";
  const absl::string_view step = absl::ConsumePrefix(&rest, ":") ? CutBound(rest) : "";
  if (!rest.empty()) return Invalid("invalid array index ", text);
  KUBE_RETURN_IF_ERROR(ReadBound(begin, slice.begin));
  KUBE_RETURN_IF_ERROR(ReadBound(end, slice.end));
  KUBE_RETURN_IF_ERROR(ReadBound(step, slice.step));
  if (slice.single) {
    const uint64_t next = static_cast<uint64_t>(slice.begin.value) + 1;
    slice.end = {.known = true, .value = static_cast<int64_t>(next)};
  }
  nodes_.push_back({slice});
  return absl::OkStatus();
}

// A closing parenthesis ends the filter only before the first quote, or after a matching second
// one.
absl::StatusOr<absl::string_view> Parser::CutFilter() {
  const size_t begin = pos_ + 3;
  bool opened = false;
  bool closed = false;
  char quote = 0;
  for (pos_ = begin; pos_ < text_.size() && text_[pos_] != '\n'; ++pos_) {
    const char c = text_[pos_];
    if (c == '"' || c == '\'') {
      if (!opened) {
        opened = true;
        quote = c;
      } else if (text_[pos_ - 1] != '\\' && c == quote) {
        closed = true;
      }
    } else if (c == ')' && opened == closed) {
      const absl::string_view text = text_.substr(begin, pos_ - begin);
      ++pos_;
      if (!StartsWith("]")) return Invalid("unclosed array expect ]");
      ++pos_;
      return text;
    }
  }
  return Invalid("unterminated filter");
}

absl::Status Parser::ParseFilter() {
  KUBE_ASSIGN_OR_RETURN(const absl::string_view text, CutFilter());
  FilterNode filter{.left = {}, .right = {}, .op = "exists"};
  const std::optional<Comparison> comparison = SplitComparison(text);
  KUBE_ASSIGN_OR_RETURN(filter.left, ParsePart(comparison ? comparison->left : text));
  if (comparison) {
    KUBE_ASSIGN_OR_RETURN(filter.right, ParsePart(comparison->right));
    filter.op = std::string(comparison->op);
  }
  nodes_.push_back({std::move(filter)});
  return absl::OkStatus();
}

absl::Status Parser::ParseQuote(char quote) {
  const size_t begin = pos_++;
  for (;; ++pos_) {
    if (pos_ >= text_.size() || text_[pos_] == '\n') return Invalid("unterminated quoted string");
    if (text_[pos_] == quote && text_[pos_ - 1] != '\\') break;
  }
  const absl::string_view quoted = text_.substr(begin, ++pos_ - begin);
  absl::StatusOr<std::string> text = Unquote(quoted);
  if (!text.ok()) return Invalid("unquote string ", quoted, " error ", text.status().message());
  nodes_.push_back({LiteralNode{Value(*text)}});
  return absl::OkStatus();
}

absl::Status Parser::ParseNumber() {
  const size_t begin = pos_;
  if (text_[pos_] == '+' || text_[pos_] == '-') ++pos_;
  while (pos_ < text_.size() && (text_[pos_] == '.' || IsDigit(text_[pos_]))) ++pos_;
  const absl::string_view text = text_.substr(begin, pos_ - begin);
  if (const auto number = kube::text::ParseGoInt(text); number.ok()) {
    nodes_.push_back({LiteralNode{Value(number.value)}});
    return absl::OkStatus();
  }
  const absl::string_view digits = text.substr(text[0] == '+' ? 1 : 0);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return Invalid("cannot parse number ", text);
  }
  nodes_.push_back({LiteralNode{Value(number)}});
  return absl::OkStatus();
}

absl::Status Parser::ParseWord() {
  const size_t begin = pos_;
  while (pos_ < text_.size() && !IsTerminator(text_[pos_])) ++pos_;
  const absl::string_view word = text_.substr(begin, pos_ - begin);
  if (word == "true" || word == "false") {
    nodes_.push_back({LiteralNode{Value(word == "true")}});
  } else {
    nodes_.push_back({IdentifierNode{std::string(word)}});
  }
  return absl::OkStatus();
}

}  // namespace kube::jsonpath::internal
