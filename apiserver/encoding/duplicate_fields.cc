#include "apiserver/encoding/duplicate_fields.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver::internal {
namespace {

constexpr size_t kMaxReported = 100;

// An object or list whose end has not been reached.
struct Open {
  bool is_object = false;
  std::set<std::string> members = {};
  std::string member = {};  // the last one read
  size_t index = 0;
};

// Returns the position behind the string that begins at `begin`.
size_t EndOfString(absl::string_view json, size_t begin) {
  size_t at = begin + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

std::string Unquoted(absl::string_view quoted) {
  const absl::StatusOr<unstructured::Value> value = unstructured::ParseJson(quoted);
  return value.ok() ? std::string(value->text().value_or("")) : std::string();
}

std::string PathOf(const std::vector<Open>& open) {
  std::string path;
  for (const Open& each : open) {
    if (each.is_object) {
      absl::StrAppend(&path, path.empty() ? "" : ".", each.member);
    } else {
      absl::StrAppend(&path, "[", each.index, "]");
    }
  }
  return path;
}

}  // namespace

std::vector<std::string> DuplicateFields(absl::string_view json) {
  std::vector<std::string> found;
  std::vector<Open> open;
  bool wants_member = false;
  for (size_t at = 0; at < json.size() && found.size() < kMaxReported;) {
    const char c = json[at];
    if (c == '"') {
      const size_t end = EndOfString(json, at);
      if (wants_member) {
        open.back().member = Unquoted(json.substr(at, end - at));
        if (!open.back().members.insert(open.back().member).second) {
          std::string text = absl::StrCat("duplicate field \"", PathOf(open), "\"");
          if (std::find(found.begin(), found.end(), text) == found.end()) {
            found.push_back(std::move(text));
          }
        }
        wants_member = false;
      }
      at = end;
      continue;
    }
    if (c == '{' || c == '[') {
      open.push_back({.is_object = c == '{'});
      wants_member = c == '{';
    } else if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
      wants_member = false;
    } else if (c == ',' && !open.empty()) {
      ++open.back().index;
      wants_member = open.back().is_object;
    }
    ++at;
  }
  return found;
}

}  // namespace kube::apiserver::internal
