#include "apimachinery/sharding/parse_selector.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/sharding/selector.h"

namespace kube::sharding {
namespace {

using cel::Expr;
using cel::ExprKind;

constexpr char kFunction[] = "shardRange";
constexpr char kOr[] = "_||_";
// 2^64 in the text of a selector.
constexpr char kTop[] = "0x10000000000000000";
constexpr size_t kDigits = 16;

absl::Status Wrong(absl::string_view message) { return absl::InvalidArgumentError(message); }

// Returns whether the expression is the macro `has`, which our parser has expanded, and which
// upstream takes for a function, as it does with all macros.
bool IsHas(const Expr& expr) { return expr.kind == ExprKind::kSelect && expr.test_only; }

// Returns the number that upstream's messages have for a kind of expression, which is cel-go's.
int NumberOf(const Expr& expr) {
  if (IsHas(expr)) return 1;
  switch (expr.kind) {
    case ExprKind::kUnspecified:
      return 0;
    case ExprKind::kCall:
    case ExprKind::kComprehension:  // from a macro
      return 1;
    case ExprKind::kIdent:
      return 3;
    case ExprKind::kList:
      return 4;
    case ExprKind::kLiteral:
      return 5;
    case ExprKind::kMap:
      return 6;
    case ExprKind::kSelect:
      return 7;
    case ExprKind::kStruct:
      return 8;
  }
  return 0;
}

// Returns the name of a literal's type in Go.
absl::string_view GoTypeOf(const cel::Literal& literal) {
  if (std::holds_alternative<bool>(literal)) return "bool";
  if (std::holds_alternative<int64_t>(literal)) return "int64";
  if (std::holds_alternative<uint64_t>(literal)) return "uint64";
  if (std::holds_alternative<double>(literal)) return "float64";
  if (std::holds_alternative<cel::BytesLiteral>(literal)) return "[]uint8";
  return "structpb.NullValue";
}

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Returns the character of UTF-8 text that begins at `at`.
absl::string_view CharacterAt(absl::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(at, end - at);
}

// Parses a bound such as "0x8000000000000000"; nullopt is 2^64. `name` is for messages.
absl::StatusOr<std::optional<uint64_t>> BoundOf(const Expr& expr, absl::string_view name) {
  if (expr.kind != ExprKind::kLiteral) {
    return Wrong(absl::StrCat(name, " must be a string literal (e.g. '0xff'), got expression kind ",
                              NumberOf(expr)));
  }
  const std::string* const text = std::get_if<std::string>(&expr.literal);
  if (text == nullptr) {
    return Wrong(absl::StrCat(name, " must be a string literal, got ", GoTypeOf(expr.literal)));
  }
  absl::string_view digits = *text;
  if (!absl::ConsumePrefix(&digits, "0x")) {
    return Wrong(absl::StrCat(name, " must have '0x' prefix, got ", text::Quoted(*text)));
  }
  if (digits.empty()) return Wrong(absl::StrCat(name, ": hex value is required after '0x'"));
  if (digits.size() > kDigits + 1) {
    return Wrong(absl::StrCat(name, ": hex value too long (", digits.size(),
                              " chars, max 17): ", text::Quoted(digits)));
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    if (IsHexDigit(digits[i])) continue;
    return Wrong(absl::StrCat(name, ": invalid hex character ",
                              text::Quoted(CharacterAt(digits, i)), " in ", text::Quoted(*text)));
  }
  if (*text == kTop) return std::optional<uint64_t>();
  if (digits.size() == kDigits + 1) {
    return Wrong(absl::StrCat(name, ": 17-digit hex value must be '", kTop, "' (2^64), got ",
                              text::Quoted(*text)));
  }
  if (digits.size() != kDigits) {
    const std::string padded =
        absl::StrCat("0x", std::string(kDigits - digits.size(), '0'), digits);
    return Wrong(absl::StrCat(name, " must be a 0x-prefixed 16-digit hex value, got ",
                              text::Quoted(*text), " (did you mean ", text::Quoted(padded), "?)"));
  }
  uint64_t bound = 0;
  if (!absl::SimpleHexAtoi(digits, &bound)) return Wrong(absl::StrCat(name, " is not a number"));
  return std::optional<uint64_t>(bound);
}

// Returns the path of an identifier with fields: "object.metadata.uid".
absl::StatusOr<std::string> PathOf(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) return expr.name;
  if (expr.kind == ExprKind::kSelect && !expr.test_only) {
    KUBE_ASSIGN_OR_RETURN(const std::string operand, PathOf(*expr.operand));
    return absl::StrCat(operand, ".", expr.name);
  }
  return Wrong(absl::StrCat("expected field path (e.g. object.metadata.uid), got expression kind ",
                            NumberOf(expr)));
}

// A call of shardRange.
struct ShardRange {
  ShardField field = ShardField::kUid;
  HashRange range = {};
};

absl::StatusOr<ShardRange> RangeOf(const Expr& call) {
  if (call.arguments.size() != 3) {
    return Wrong(
        absl::StrCat("shardRange() requires exactly 3 arguments, got ", call.arguments.size()));
  }
  const absl::StatusOr<std::string> path = PathOf(*call.arguments[0]);
  if (!path.ok()) {
    return Wrong(absl::StrCat("shardRange() first argument: ", path.status().message()));
  }
  ShardRange result;
  if (*path == ToString(ShardField::kNamespace)) {
    result.field = ShardField::kNamespace;
  } else if (*path != ToString(ShardField::kUid)) {
    return Wrong(absl::StrCat("unsupported field path ", text::Quoted(*path),
                              "; supported: object.metadata.uid, object.metadata.namespace"));
  }
  KUBE_ASSIGN_OR_RETURN(const std::optional<uint64_t> start,
                        BoundOf(*call.arguments[1], "hexStart"));
  KUBE_ASSIGN_OR_RETURN(result.range.end, BoundOf(*call.arguments[2], "hexEnd"));
  if (!start.has_value()) {
    const std::string end = result.range.end.has_value()
                                ? absl::StrCat("0x", absl::Hex(*result.range.end, absl::kZeroPad16))
                                : std::string(kTop);
    return Wrong(absl::StrCat("shard range start ", kTop, " must be less than end ", end));
  }
  result.range.start = *start;
  // The message for an empty range is that of Make.
  KUBE_RETURN_IF_ERROR(Selector::Make(result.field, {result.range}).status());
  return result;
}

// Appends the ranges of a call of shardRange, or of such calls joined by "||".
absl::Status AppendRanges(const Expr& expr, std::vector<ShardRange>& ranges) {
  const bool is_has = IsHas(expr);
  if (expr.kind != ExprKind::kCall && !is_has) {
    return Wrong(absl::StrCat("unexpected expression kind ", NumberOf(expr),
                              "; expected shardRange() call or || operator"));
  }
  const absl::string_view function = is_has ? "has" : absl::string_view(expr.name);
  if (function == kOr) {
    for (const cel::ExprPtr& part : expr.arguments) {
      KUBE_RETURN_IF_ERROR(AppendRanges(*part, ranges));
    }
    return absl::OkStatus();
  }
  if (function != kFunction) {
    return Wrong(absl::StrCat("unsupported function ", text::Quoted(function),
                              "; only shardRange() and || are allowed"));
  }
  KUBE_ASSIGN_OR_RETURN(ShardRange range, RangeOf(expr));
  ranges.push_back(std::move(range));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Selector> ParseSelector(absl::string_view text) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  if (trimmed.empty()) {
    return Wrong("empty shard selector is not allowed; omit the parameter for unfiltered lists");
  }
  const cel::ParseResult parsed = cel::ParseWithIssues(trimmed);
  if (!parsed.issues.empty()) {
    return Wrong(absl::StrCat("CEL parse error: ", parsed.issues[0].message));
  }
  std::vector<ShardRange> calls;
  KUBE_RETURN_IF_ERROR(AppendRanges(*parsed.ast.root, calls));
  std::vector<HashRange> ranges;
  for (const ShardRange& call : calls) {
    if (call.field != calls[0].field) {
      return Wrong(absl::StrCat("all shard ranges must use the same field, got ",
                                text::Quoted(ToString(calls[0].field)), " and ",
                                text::Quoted(ToString(call.field))));
    }
    ranges.push_back(call.range);
  }
  return Selector::Make(calls[0].field, std::move(ranges));
}

}  // namespace kube::sharding
