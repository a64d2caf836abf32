#include "apimachinery/crd_schema/internal/simple_path.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/internal/node.h"

namespace kube::crd_schema::internal {
namespace {

// Splits a path into tokens: '.', '[', ']', the text between them, and text in single quotes.
std::vector<absl::string_view> Tokens(absl::string_view path) {
  std::vector<absl::string_view> tokens;
  while (!path.empty()) {
    size_t end = 1;
    if (path[0] == '\'') {
      while (end < path.size() && !(path[end] == '\'' && path[end - 1] != '\\')) ++end;
      end = end < path.size() ? end + 1 : end;
    } else if (!absl::StrContains(".[]", path[0])) {
      while (end < path.size() && !absl::StrContains(".[]", path[end])) ++end;
    }
    tokens.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return tokens;
}

// kube-apiserver: `unescapeSingleQuote`.
std::string Unescape(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\'' || text[i + 1] == '\\')) ++i;
    out += text[i];
  }
  return out;
}

class Walk {
 public:
  explicit Walk(const Node& schema) { found_.node = &schema; }

  absl::Status Step(absl::string_view name) {
    if (found_.node == nullptr ||
        (found_.node->properties.empty() && found_.node->additional == Additional::kAbsent)) {
      return absl::InvalidArgumentError("does not refer to a valid field");
    }
    if (found_.text.empty()) found_.first = std::string(name);
    if (found_.node->properties.empty()) {
      absl::StrAppend(&found_.text, "[", name, "]");
      found_.node = found_.node->additional_schema.get();
      return absl::OkStatus();
    }
    absl::StrAppend(&found_.text, found_.text.empty() ? "" : ".", name);
    found_.node = found_.node->FindProperty(name);
    return found_.node != nullptr ? absl::OkStatus()
                                  : absl::InvalidArgumentError("does not refer to a valid field");
  }

  const FoundPath& found() const { return found_; }

 private:
  FoundPath found_;
};

}  // namespace

absl::StatusOr<FoundPath> FindPath(absl::string_view path, const Node& schema, bool brackets) {
  constexpr absl::string_view kEnd = "unexpected end of JSON path";
  Walk walk(schema);
  const std::vector<absl::string_view> tokens = Tokens(path);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == ".") {
      if (++i == tokens.size()) return absl::InvalidArgumentError(kEnd);
      KUBE_RETURN_IF_ERROR(walk.Step(tokens[i]));
    } else if (tokens[i] == "[") {
      if (!brackets) return absl::InvalidArgumentError("array notation is not allowed");
      if (++i == tokens.size()) return absl::InvalidArgumentError(kEnd);
      const absl::string_view quoted = tokens[i];
      if (quoted.size() < 2 || quoted.front() != '\'' || quoted.back() != '\'') {
        return absl::InvalidArgumentError(
            absl::StrCat("expected single quoted string but got ", quoted));
      }
      const std::string name = Unescape(quoted.substr(1, quoted.size() - 2));
      KUBE_RETURN_IF_ERROR(walk.Step(name));
      if (++i == tokens.size()) return absl::InvalidArgumentError(kEnd);
      if (tokens[i] != "]") {
        return absl::InvalidArgumentError(absl::StrCat("expected ] but got ", tokens[i]));
      }
    } else {
      return absl::InvalidArgumentError(absl::StrCat("expected [ or . but got: ", tokens[i]));
    }
  }
  return walk.found();
}

}  // namespace kube::crd_schema::internal
