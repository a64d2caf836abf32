#ifndef APISERVER_FAULT_FLAG_H_
#define APISERVER_FAULT_FLAG_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/fault_rule.h"

namespace kube::apiserver {

// Reads a rule from the command line, such as "error=503,verb=create,resource=pods,times=3". The
// fault is one of "error=CODE" (429, 500, 503 or 504), "delay=TIME" and "drop". The other keys are
// fields of FaultRule: verb, group, resource, namespace, name, user, from, every, times and
// probability. Several verbs are joined by "+". Returns INVALID_ARGUMENT with the pair that is
// wrong and what is allowed.
absl::StatusOr<FaultRule> ParseFaultFlag(absl::string_view text);

}  // namespace kube::apiserver

#endif  // APISERVER_FAULT_FLAG_H_
