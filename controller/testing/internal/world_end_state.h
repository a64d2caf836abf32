#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_END_STATE_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_END_STATE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/testing/audits.h"

namespace kube::controller::internal {

// Returns the object without what differs between two runs that do the same: UIDs, versions, times,
// managed fields, and what the server has added to generated names.
std::string NormalText(const unstructured::Value& object);

// Returns all objects of the resources that somebody has written, by the log of the server, but for
// leases, events, definitions, and what the simulated controllers of the cluster write. A resource
// that exists no more has no objects. Blocks. Returns the errors of lists.
absl::StatusOr<AuditedState> ReadEndState(const rest::Client& client,
                                          const std::vector<apiserver::LoggedRequest>& log);

// Returns the normal texts of the objects, sorted, one on each line.
std::string TextOf(const AuditedState& state);

// Returns the first lines in which two end states differ; "" if they are equal.
std::string DifferenceOf(const std::string& one, const std::string& other);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_END_STATE_H_
