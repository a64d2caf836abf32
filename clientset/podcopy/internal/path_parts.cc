#include "clientset/podcopy/internal/path_parts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kube::podcopy::internal {
namespace {

// Returns the parts that mean something.
std::vector<std::string> Split(absl::string_view path) {
  std::vector<std::string> parts;
  for (const absl::string_view part : absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (part != ".") parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

std::string CleanPath::ToString() const {
  if (parts.empty()) return absolute ? "/" : ".";
  return absl::StrCat(absolute ? "/" : "", JoinParts(parts));
}

CleanPath ParsePath(absl::string_view path) {
  CleanPath clean = {.absolute = absl::StartsWith(path, "/")};
  for (std::string& part : Split(path)) {
    if (part != "..") {
      clean.parts.push_back(std::move(part));
    } else if (clean.has_name()) {
      clean.parts.pop_back();
    } else if (!clean.absolute) {
      clean.parts.push_back(std::move(part));
    }
  }
  return clean;
}

std::optional<std::vector<std::string>> EntryParts(absl::string_view name) {
  std::vector<std::string> parts = Split(name);
  if (std::find(parts.begin(), parts.end(), "..") != parts.end()) return std::nullopt;
  return parts;
}

std::vector<std::string> EntryPrefix(absl::string_view path) {
  std::vector<std::string> parts = ParsePath(path).parts;
  parts.erase(parts.begin(), std::find_if(parts.begin(), parts.end(),
                                          [](const std::string& part) { return part != ".."; }));
  return parts;
}

bool StaysInside(absl::string_view link_target, size_t depth) {
  if (absl::StartsWith(link_target, "/")) return false;
  const std::vector<std::string> parts = Split(link_target);
  const auto first_name = std::find_if(parts.begin(), parts.end(),
                                       [](const std::string& part) { return part != ".."; });
  if (static_cast<size_t>(first_name - parts.begin()) > depth) return false;
  return std::find(first_name, parts.end(), "..") == parts.end();
}

std::string JoinParts(absl::Span<const std::string> parts) { return absl::StrJoin(parts, "/"); }

}  // namespace kube::podcopy::internal
