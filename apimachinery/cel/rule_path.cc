#include "apimachinery/cel/rule_path.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"

namespace kube::cel {
namespace {

using validation::field::Path;

absl::Status Wrong(absl::string_view message) { return absl::InvalidArgumentError(message); }

absl::Status NoField() { return Wrong("does not refer to a valid field"); }

// Returns the character that an escape with this character stands for.
std::optional<char> Escaped(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\'':
    case '\\':
      return c;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<std::string> Unescape(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size() || text[i + 1] == '\n') {
      out += text[i];
      continue;
    }
    const std::optional<char> escaped = Escaped(text[i + 1]);
    if (!escaped.has_value()) {
      return Wrong(absl::StrCat("invalid string literal: invalid escape char ", text.substr(i, 2)));
    }
    out += *escaped;
    ++i;
  }
  return out;
}

// Removes a token from the front: a delimiter, a string with its quotes, or other text up to a
// delimiter.
absl::string_view TakeToken(absl::string_view& rest) {
  size_t end = 1;
  if (rest[0] == '\'') {
    while (end < rest.size() && (rest[end] != '\'' || rest[end - 1] == '\\')) ++end;
    ++end;
  } else if (!absl::StrContains(".[]", rest[0])) {
    end = rest.find_first_of(".[]");
  }
  const absl::string_view token = rest.substr(0, end);
  rest.remove_prefix(token.size());
  return token;
}

// Moves to a member or to the values of a map.
absl::Status Enter(absl::string_view name, Path& path, const Schema*& schema) {
  if (schema->kind == SchemaKind::kMap && schema->element != nullptr) {
    path = path.Key(name);
    schema = schema->element.get();
    return absl::OkStatus();
  }
  const auto member = schema->properties.find(name);
  if (member == schema->properties.end() || member->second == nullptr) return NoField();
  path = std::move(path).Child(name);
  schema = member->second.get();
  return absl::OkStatus();
}

// Reads what stands between brackets.
absl::StatusOr<std::string> TakeQuoted(absl::string_view& rest) {
  if (rest.empty()) return Wrong("unexpected end of JSON path");
  const absl::string_view token = TakeToken(rest);
  if (token.size() < 2 || token.front() != '\'' || token.back() != '\'') {
    return Wrong(absl::StrCat("expected single quoted string but got ", token));
  }
  return Unescape(token.substr(1, token.size() - 2));
}

absl::Status TakeClosingBracket(absl::string_view& rest) {
  if (rest.empty()) return Wrong("unexpected end of JSON path");
  const absl::string_view token = TakeToken(rest);
  return token == "]" ? absl::OkStatus() : Wrong(absl::StrCat("expected ] but got ", token));
}

}  // namespace

absl::StatusOr<Path> ParseRulePath(absl::string_view path, const Schema& schema) {
  Path parsed;
  const Schema* node = &schema;
  while (!path.empty()) {
    const absl::string_view token = TakeToken(path);
    if (token == "[") {
      KUBE_ASSIGN_OR_RETURN(const std::string name, TakeQuoted(path));
      KUBE_RETURN_IF_ERROR(Enter(name, parsed, node));
      KUBE_RETURN_IF_ERROR(TakeClosingBracket(path));
    } else if (token == ".") {
      if (path.empty()) return Wrong("unexpected end of JSON path");
      KUBE_RETURN_IF_ERROR(Enter(TakeToken(path), parsed, node));
    } else {
      return Wrong(absl::StrCat("expected [ or . but got: ", token));
    }
  }
  return parsed;
}

}  // namespace kube::cel
