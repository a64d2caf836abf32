#include "controller/testing/internal/logged_requests.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"

namespace kube::controller::internal {

unstructured::Value Json(absl::string_view text) {
  absl::StatusOr<unstructured::Value> value = unstructured::ParseJson(text);
  return value.ok() ? *value : unstructured::Value();
}

apiserver::LoggedRequest Logged(absl::string_view verb, absl::string_view name,
                                absl::Duration after) {
  apiserver::LoggedRequest request;
  request.verb = std::string(verb);
  request.resource = "configmaps";
  request.version = "v1";
  request.namespace_name = "default";
  request.user = "op";
  request.decision = "allow";
  request.code = verb == "create" ? 201 : 200;
  request.time = absl::UnixEpoch() + after;
  const bool reads = verb == "get" || verb == "list" || verb == "watch";
  if (verb != "create") request.name = std::string(name);
  if (reads) return request;
  request.object_name = std::string(name);
  request.changed = true;
  if (verb == "update") request.sent_version = "1";
  return request;
}

void SetObject(apiserver::LoggedRequest& request, absl::string_view json) {
  request.object = std::make_shared<const unstructured::Value>(Json(json));
}

}  // namespace kube::controller::internal
