#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_AUDITS_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_AUDITS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/rbac/v1/types.kube.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/world_cluster.h"
#include "controller/testing/internal/world_settlement.h"
#include "controller/testing/operator_world_options.h"

// The audits of an OperatorWorld. They read the server's log of requests and the objects at the
// end, and nothing of the operator's code.
namespace kube::controller::internal {

// Audits the requests of a log. What counts requests is looked for from the index `quiet` on, at
// which the faults have ended.
std::vector<AuditFinding> AuditLog(const std::vector<apiserver::LoggedRequest>& log, size_t quiet,
                                   const AuditOptions& audits);

// Returns what a settlement that is not good is a finding of, by the requests of the log. `audits`
// may allow it, and then there is no finding; only a run that never ends always is one, because it
// cannot go on. `audits.settled` is the time after which writes are a finding, if objects change.
std::vector<AuditFinding> FindingsOf(const Settlement& settlement,
                                     const std::vector<apiserver::LoggedRequest>& log, size_t quiet,
                                     AuditOptions audits);

// Does the same with the requests of a cluster.
std::vector<AuditFinding> AuditSettlement(const Settlement& settlement, WorldCluster& cluster,
                                          const OperatorWorldOptions& options);

// Audits a world that has settled and was watched since. Blocks for reads, and returns their
// errors.
absl::StatusOr<std::vector<AuditFinding>> AuditEnd(WorldCluster& cluster,
                                                   const OperatorWorldOptions& options);

// Removes the objects of which the audits allow that runs end with others.
void RemoveAllowed(const AuditOptions& audits, AuditedState& state);

// Returns the objects at the end, without those that may differ, as text that is equal for equal
// runs. Blocks for reads.
absl::StatusOr<std::string> EndOf(WorldCluster& cluster, const AuditOptions& audits);

// Returns a finding if the ends of two runs differ and `audits` do not allow that.
std::vector<AuditFinding> CompareEnds(const std::string& first, const std::string& other,
                                      const AuditOptions& audits);

// Returns what a simulation that has not ended is a finding of: a deadlock or a livelock.
AuditFinding FindingOfStuckRun(const absl::Status& end);

// Returns the rules of all roles that are bound to the user of a service account. Blocks.
absl::StatusOr<std::vector<api::rbac::v1::PolicyRule>> RulesOf(const rest::Client& client,
                                                               const std::string& user);

// Returns what led to the finding.
std::string StoryOf(const AuditFinding& finding, const WorldCluster& cluster);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_AUDITS_H_
