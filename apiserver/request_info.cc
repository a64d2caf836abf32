#include "apiserver/request_info.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/validation/value.h"
#include "net/url/path.h"

namespace kube::apiserver {
namespace {

std::vector<std::string> SplitPath(absl::string_view path) {
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  if (path.empty()) return {};
  return absl::StrSplit(path, '/');
}

std::string VerbOf(absl::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

bool AsksForWatch(const queryparams::Values& query) {
  auto it = query.find("watch");
  if (it == query.end() || it->second.empty()) return false;
  const std::string value = absl::AsciiStrToLower(it->second.front());
  return value != "false" && value != "0";
}

// A path without a name addresses many objects.
void SetVerbOfMany(RequestInfo& info) {
  if (info.verb == "delete") info.verb = "deletecollection";
  if (info.verb != "get") return;
  info.verb = AsksForWatch(info.query) ? "watch" : "list";
  auto it = info.query.find("fieldSelector");
  if (it == info.query.end() || it->second.empty()) return;
  const absl::StatusOr<fields::Selector> selector = fields::ParseSelector(it->second.front());
  if (!selector.ok()) return;
  const std::optional<absl::string_view> name = selector->RequiresExactMatch("metadata.name");
  if (name.has_value() && validation::IsValidPathSegmentName(*name).empty()) {
    info.name = std::string(*name);
  }
}

void SetParts(RequestInfo& info, std::vector<std::string> parts) {
  if (parts[0] == "namespaces" && parts.size() > 1) {
    info.namespace_name = parts[1];
    if (parts.size() > 2 && parts[2] != "status" && parts[2] != "finalize") {
      parts.erase(parts.begin(), parts.begin() + 2);
    }
  }
  info.parts = std::move(parts);
  info.resource = info.parts[0];
  if (info.parts.size() >= 2) info.name = info.parts[1];
  if (info.parts.size() >= 3 && info.verb != "proxy") info.subresource = info.parts[2];
}

}  // namespace

absl::StatusOr<RequestInfo> ParseRequestInfo(absl::string_view method, absl::string_view target) {
  RequestInfo info;
  const size_t question = target.find('?');
  absl::StatusOr<std::string> path = url::UnescapePath(target.substr(0, question));
  if (!path.ok()) return path.status();
  info.path = *std::move(path);
  if (question != absl::string_view::npos) {
    info.query = queryparams::ParseQuery(target.substr(question + 1));
  }
  info.verb = absl::AsciiStrToLower(method);

  std::vector<std::string> parts = SplitPath(info.path);
  if (parts.size() < 3 || (parts[0] != "api" && parts[0] != "apis")) return info;
  const bool has_group = parts[0] == "apis";
  if (has_group && parts.size() < 4) return info;
  size_t next = 1;
  if (has_group) info.group = parts[next++];
  info.is_resource_request = true;
  info.version = parts[next++];
  info.verb = VerbOf(method);
  if (parts[next] == "watch" || parts[next] == "proxy") {
    if (next + 1 >= parts.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unable to determine kind and namespace from url, ", target));
    }
    info.verb = parts[next++];
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(next));
  SetParts(info, std::move(parts));
  if (info.name.empty()) SetVerbOfMany(info);
  return info;
}

}  // namespace kube::apiserver
