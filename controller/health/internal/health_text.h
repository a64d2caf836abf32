#ifndef CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_
#define CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/queryparams/values.h"
#include "net/httpserver/exchange.h"

// The texts of health endpoints, byte for byte as k8s.io/apiserver's healthz package writes them.
// Pure functions: thread-safe.
namespace kube::health::internal {

struct CheckResult {
  std::string name = {};
  // Empty if the check was excluded and not run.
  std::optional<absl::Status> status = {};
};

// Returns whether the query contains "exclude=NAME".
bool IsExcluded(const queryparams::Values& query, absl::string_view name);

// Returns the response of all checks of `endpoint`, such as "readyz": "ok", or a line per check if
// the query has "verbose" or a check has failed. Reasons are withheld. (apiserver:
// `handleRootHealth`)
httpserver::Response AnswerOfAll(absl::string_view endpoint,
                                 const std::vector<CheckResult>& results,
                                 const queryparams::Values& query);

// Returns the response of one check, including its error. (apiserver: `adaptCheckToHandler`)
httpserver::Response AnswerOfOne(const absl::Status& status);

// Returns an error response like Go's `http.Error`: the text and a line feed.
httpserver::Response ErrorText(int status, std::string text);

}  // namespace kube::health::internal

#endif  // CONTROLLER_HEALTH_INTERNAL_HEALTH_TEXT_H_
