#ifndef CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_
#define CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/queryparams/values.h"
#include "net/httpserver/exchange.h"

// What health endpoints answer, byte for byte as k8s.io/apiserver's healthz does. Pure functions:
// thread-safe.
namespace kube::health::internal {

struct CheckResult {
  std::string name = {};
  // Nothing: it was excluded, and not asked.
  std::optional<absl::Status> status = {};
};

// Whether the query says "exclude=NAME".
bool IsExcluded(const queryparams::Values& query, absl::string_view name);

// Of all checks of `endpoint`, "readyz": "ok", or each of them if the query has "verbose" or one
// has failed; reasons are withheld. (handleRootHealth)
httpserver::Response AnswerOfAll(absl::string_view endpoint,
                                 const std::vector<CheckResult>& results,
                                 const queryparams::Values& query);

// Of one check, with its reason. (adaptCheckToHandler)
httpserver::Response AnswerOfOne(const absl::Status& status);

// As Go's http.Error: text, and a line's end.
httpserver::Response ErrorText(int status, std::string text);

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_
