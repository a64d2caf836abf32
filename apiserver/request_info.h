#ifndef APISERVER_REQUEST_INFO_H_
#define APISERVER_REQUEST_INFO_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/queryparams/values.h"

namespace kube::apiserver {

// What a request is about, as its method and URL say (kube-apiserver: `request.RequestInfo`).
struct RequestInfo {
  // Whether the request is about a resource. If not, only `path`, `verb` and `query` are set.
  bool is_resource_request = false;
  // The unescaped path: "/api/v1/namespaces/default/pods".
  std::string path = {};
  // For resources: get, list, watch, create, update, patch, delete or deletecollection. For other
  // paths: the method in lower case.
  std::string verb = {};
  queryparams::Values query = {};

  std::string group = {};
  std::string version = {};
  std::string namespace_name = {};
  std::string resource = {};
  // Also set for a list or watch whose field selector requires one metadata.name.
  std::string name = {};
  std::string subresource = {};
  // The path from the resource on: resource, name, subresource, and anything behind them.
  std::vector<std::string> parts = {};
  // Whether the path names an object, so that a GET is not a list.
  bool names_one() const { return parts.size() >= 2; }
};

// Parses the method and the target of a request. Returns INVALID_ARGUMENT if an escape in the path
// is malformed, or if the path ends after "watch" or "proxy". Pure and thread-safe (kube-apiserver:
// `request.RequestInfoFactory.NewRequestInfo`).
absl::StatusOr<RequestInfo> ParseRequestInfo(absl::string_view method, absl::string_view target);

}  // namespace kube::apiserver

#endif  // APISERVER_REQUEST_INFO_H_
