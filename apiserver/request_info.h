#ifndef APISERVER_REQUEST_INFO_H_
#define APISERVER_REQUEST_INFO_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/queryparams/values.h"

namespace kube::apiserver {

// What a request is about, by its method and URL alone. (apiserver's request.RequestInfo)
struct RequestInfo {
  // Whether it is about a resource; else only `path`, `verb` and `query` are set.
  bool is_resource_request = false;
  // Unescaped: "/api/v1/namespaces/default/pods".
  std::string path = {};
  // Of resources: get, list, watch, create, update, patch, delete, deletecollection; of others the
  // method in lower case.
  std::string verb = {};
  queryparams::Values query = {};

  std::string group = {};
  std::string version = {};
  std::string namespace_name = {};
  std::string resource = {};
  // Also that of a list or watch whose field selector asks for one metadata.name.
  std::string name = {};
  std::string subresource = {};
  // resource, name, subresource, and what is behind them.
  std::vector<std::string> parts = {};
  // Whether the name stands in the path: a GET is then no list.
  bool names_one() const { return parts.size() >= 2; }
};

// INVALID_ARGUMENT: escapes in the path are malformed, or it ends after "watch" or "proxy".
// Pure: thread-safe. (request.RequestInfoFactory.NewRequestInfo)
absl::StatusOr<RequestInfo> ParseRequestInfo(absl::string_view method, absl::string_view target);

}  // namespace kube::apiserver

#endif  // APISERVER_REQUEST_INFO_H_
