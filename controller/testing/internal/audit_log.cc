#include "controller/testing/internal/audit_log.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"

namespace kube::controller::internal {
namespace {

using unstructured::Value;

std::string TextOf(const Value& value) { return std::string(value.text().value_or("")); }

apiserver::LoggedRequest RequestOf(const Value& event) {
  const Value& object = event["objectRef"];
  const Value& annotations = event["annotations"];
  apiserver::LoggedRequest request;
  request.target = TextOf(event["requestURI"]);
  request.verb = TextOf(event["verb"]);
  request.group = TextOf(object["apiGroup"]);
  request.version = TextOf(object["apiVersion"]);
  request.resource = TextOf(object["resource"]);
  request.subresource = TextOf(object["subresource"]);
  request.namespace_name = TextOf(object["namespace"]);
  request.name = TextOf(object["name"]);
  request.user = TextOf(event["user"]["username"]);
  request.user_agent = TextOf(event["userAgent"]);
  request.code = static_cast<int>(event["responseStatus"]["code"].integer().value_or(0));
  request.decision = TextOf(annotations["authorization.k8s.io/decision"]);
  request.reason = TextOf(annotations["authorization.k8s.io/reason"]);
  return request;
}

}  // namespace

absl::StatusOr<std::vector<apiserver::LoggedRequest>> ParseAuditLog(absl::string_view log) {
  std::vector<apiserver::LoggedRequest> requests;
  const std::vector<absl::string_view> lines = absl::StrSplit(log, '\n');
  // What follows the last line break is nothing, or a line that was not written to its end.
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    KUBE_ASSIGN_OR_RETURN(const Value event, unstructured::ParseJson(lines[i]),
                          "read audit log, line ", i + 1);
    requests.push_back(RequestOf(event));
  }
  return requests;
}

}  // namespace kube::controller::internal
