#include "controller/manager/internal/request_name.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

// Paths of resources are /api/VERSION/… and /apis/GROUP/VERSION/…, where … is
// [namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE[/…]]]. A namespace is an object, too:
// namespaces/NAME and namespaces/NAME/status are not about objects in it.

namespace kube::controller::internal {

namespace {

using Segments = std::vector<absl::string_view>;

bool IsVersion(absl::string_view text) {
  return text.size() >= 2 && text[0] == 'v' &&
         absl::ascii_isdigit(static_cast<unsigned char>(text[1]));
}

// Where the group of a path is, and its resource. `resource` is 0 if the path has none.
struct Place {
  absl::string_view group = {};
  size_t resource = 0;
};

Place FindResource(const Segments& path) {
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == "api" && i + 2 < path.size() && IsVersion(path[i + 1])) {
      return {.resource = i + 2};
    }
    if (path[i] == "apis" && i + 3 < path.size() && IsVersion(path[i + 2])) {
      return {.group = path[i + 1], .resource = i + 3};
    }
  }
  return {};
}

bool AsksForWatch(absl::string_view query) {
  for (const absl::string_view parameter : absl::StrSplit(query, '&')) {
    if (parameter == "watch=true" || parameter == "watch=1") return true;
  }
  return false;
}

std::string VerbOf(absl::string_view method, bool has_name, absl::string_view query) {
  if (method == "GET" || method == "HEAD") {
    if (AsksForWatch(query)) return "watch";
    return has_name ? "get" : "list";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "DELETE") return has_name ? "delete" : "deletecollection";
  return absl::AsciiStrToLower(method);
}

}  // namespace

RequestName NameOf(absl::string_view method, absl::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme != absl::string_view::npos) {
    const size_t path_begin = url.find('/', scheme + 3);
    url = path_begin == absl::string_view::npos ? absl::string_view() : url.substr(path_begin);
  }
  const size_t query_begin = url.find('?');
  const absl::string_view query =
      query_begin == absl::string_view::npos ? absl::string_view() : url.substr(query_begin + 1);
  const Segments path = absl::StrSplit(url.substr(0, query_begin), '/', absl::SkipEmpty());
  const Place place = FindResource(path);
  if (place.resource == 0) {
    return {.verb = absl::AsciiStrToLower(method),
            .resource = absl::StrCat("/", path.empty() ? absl::string_view() : path[0])};
  }
  size_t at = place.resource;
  if (path[at] == "namespaces" && at + 2 < path.size() && path[at + 2] != "status" &&
      path[at + 2] != "finalize") {
    at += 2;
  }
  std::string resource(path[at]);
  if (!place.group.empty()) absl::StrAppend(&resource, ".", place.group);
  if (at + 2 < path.size()) absl::StrAppend(&resource, "/", path[at + 2]);
  return {.verb = VerbOf(method, /*has_name=*/at + 1 < path.size(), query),
          .resource = std::move(resource)};
}

}  // namespace kube::controller::internal
