#include "codegen/template.h"

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::codegen {
namespace {

[[noreturn]] void Stop(absl::string_view problem, absl::string_view line) {
  std::cerr << "expand template: " << problem << ": " << line << std::endl;
  std::abort();
}

// The innermost values come last.
using Scopes = std::vector<const Values*>;

const std::string* FindText(const Scopes& scopes, const std::string& name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto found = (*scope)->texts.find(name);
    if (found != (*scope)->texts.end()) return &found->second;
  }
  return nullptr;
}

const std::vector<Values>* FindList(const Scopes& scopes, const std::string& name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto found = (*scope)->lists.find(name);
    if (found != (*scope)->lists.end()) return &found->second;
  }
  return nullptr;
}

// Returns "each fields" for "  $each fields$", or "" if the line is not a directive.
absl::string_view DirectiveOf(absl::string_view line) {
  absl::string_view text = absl::StripAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&text, "$") || !absl::ConsumeSuffix(&text, "$")) return "";
  if (text.find('$') != text.npos) return "";
  const bool known =
      text == "end" || absl::StartsWith(text, "each ") || absl::StartsWith(text, "if ");
  return known ? text : "";
}

void AppendLine(std::string& out, absl::string_view line, const Scopes& scopes) {
  const std::vector<absl::string_view> parts = absl::StrSplit(line, '$');
  if (parts.size() % 2 == 0) Stop("odd $", line);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 0) {
      absl::StrAppend(&out, parts[i]);
      continue;
    }
    const std::string* text = FindText(scopes, std::string(parts[i]));
    if (text == nullptr) Stop("no such text", line);
    absl::StrAppend(&out, *text);
  }
  out += '\n';
}

// Returns the line of the $end$ that belongs to the directive at `begin`.
size_t FindEnd(const std::vector<absl::string_view>& lines, size_t begin) {
  size_t depth = 0;
  for (size_t i = begin; i < lines.size(); ++i) {
    const absl::string_view directive = DirectiveOf(lines[i]);
    if (directive.empty()) continue;
    if (directive != "end") {
      ++depth;
    } else if (--depth == 0) {
      return i;
    }
  }
  Stop("no $end$", lines[begin]);
}

void AppendLines(std::string& out, const std::vector<absl::string_view>& lines, size_t begin,
                 size_t end, Scopes& scopes) {
  for (size_t i = begin; i < end; ++i) {
    absl::string_view directive = DirectiveOf(lines[i]);
    if (directive.empty()) {
      AppendLine(out, lines[i], scopes);
      continue;
    }
    if (directive == "end") Stop("unexpected $end$", lines[i]);
    const size_t close = FindEnd(lines, i);
    const bool each = absl::ConsumePrefix(&directive, "each ");
    if (!each) absl::ConsumePrefix(&directive, "if ");
    const std::vector<Values>* list = FindList(scopes, std::string(directive));
    const std::string* text = each ? nullptr : FindText(scopes, std::string(directive));
    if (list == nullptr && text == nullptr) Stop("no such value", lines[i]);
    if (each) {
      for (const Values& values : *list) {
        scopes.push_back(&values);
        AppendLines(out, lines, i + 1, close, scopes);
        scopes.pop_back();
      }
    } else if (text != nullptr ? !text->empty() : !list->empty()) {
      AppendLines(out, lines, i + 1, close, scopes);
    }
    i = close;
  }
}

}  // namespace

std::string Expand(absl::string_view text, const Values& values) {
  const std::vector<absl::string_view> lines = absl::StrSplit(absl::StripSuffix(text, "\n"), '\n');
  std::string out;
  Scopes scopes = {&values};
  AppendLines(out, lines, 0, lines.size(), scopes);
  return out;
}

}  // namespace kube::codegen
