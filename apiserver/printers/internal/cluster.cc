#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/coordination/v1/types.kube.h"
#include "api/flowcontrol/v1/types.kube.h"
#include "api/node/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "api/resource/v1/types.kube.h"
#include "api/scheduling/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/opt.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Small groups: coordination, flowcontrol, node, policy, resource, scheduling.
namespace kube::printers::internal {
namespace {

namespace coordinationv1 = api::coordination::v1;
namespace flowcontrolv1 = api::flowcontrol::v1;
namespace nodev1 = api::node::v1;
namespace policyv1 = api::policy::v1;
namespace resourcev1 = api::resource::v1;
namespace schedulingv1 = api::scheduling::v1;

constexpr Column kLeaseColumns[] = {
    kName,
    {"Holder", "string", "The identity of the holder of the lease."},
    kAge,
};

constexpr Column kFlowSchemaColumns[] = {
    kName,
    {"PriorityLevel", "string", "The priority level of matching requests."},
    {"MatchingPrecedence", "string",
     "The precedence of the schema: schemas with lower values are tried first."},
    {"DistinguisherMethod", "string", "The property of requests that distinguishes flows."},
    kAge,
    {"MissingPL", "string", "Whether the referenced priority level is missing."},
};

constexpr Column kPriorityLevelColumns[] = {
    kName,
    {"Type", "string", "Whether the requests of the priority level are limited or exempt."},
    {"NominalConcurrencyShares", "string",
     "The share of the server's concurrency that the priority level gets."},
    {"Queues", "string", "The number of queues of the priority level."},
    {"HandSize", "string", "The number of queues that a flow of requests may use."},
    {"QueueLengthLimit", "string", "The maximum number of waiting requests in a queue."},
    kAge,
};

constexpr Column kRuntimeClassColumns[] = {
    kName,
    {"Handler", "string", "The name of the container runtime handler."},
    kAge,
};

constexpr Column kDisruptionBudgetColumns[] = {
    kName,
    {"Min Available", "string", "The minimum number of available pods."},
    {"Max Unavailable", "string", "The maximum number of unavailable pods."},
    {"Allowed Disruptions", "integer", "The number of pods that may be evicted at present."},
    kAge,
};

constexpr Column kNameAndAgeColumns[] = {kName, kAge};

constexpr Column kResourceClaimColumns[] = {
    kName,
    {"State", "string", "Whether devices are allocated and reserved for the claim."},
    kAge,
};

constexpr Column kResourceSliceColumns[] = {
    kName,
    {"Node", "string", "The node with the devices."},
    {"Driver", "string", "The driver that manages the devices."},
    {"Pool", "string", "The pool that the devices belong to."},
    kAge,
};

// Upstream fills in the last column, of priority 0, only for wide output, which a server always
// makes.
constexpr Column kPriorityClassColumns[] = {
    kName,
    {"Value", "integer", "The priority of the pods of this class."},
    {"Global-Default", "boolean", "Whether this class is the default for pods that name no class."},
    kAge,
    {"PreemptionPolicy", "string", "Whether pods of this class may preempt others."},
};

void PrintLease(const coordinationv1::Lease& lease, Row& row) {
  row.Text(lease.metadata.name);
  row.Text(*lease.spec.holder_identity);
  row.Age(lease.metadata.creation_timestamp);
}

absl::string_view DanglingOf(const flowcontrolv1::FlowSchema& flow) {
  for (const flowcontrolv1::FlowSchemaCondition& condition : flow.status.conditions) {
    if (condition.type == "Dangling") return condition.status;
  }
  return "?";
}

void PrintFlowSchema(const flowcontrolv1::FlowSchema& flow, Row& row) {
  row.Text(flow.metadata.name);
  row.Text(flow.spec.priority_level_configuration.name);
  row.Number(flow.spec.matching_precedence);
  row.Text(flow.spec.distinguisher_method ? flow.spec.distinguisher_method->type.view() : kNone);
  row.Age(flow.metadata.creation_timestamp);
  row.Text(DanglingOf(flow));
}

// Shows "<none>" for missing numbers.
void PrintPriorityLevel(const flowcontrolv1::PriorityLevelConfiguration& level, Row& row) {
  row.Text(level.metadata.name);
  row.Text(level.spec.type);
  if (level.spec.limited) {
    row.Number(*level.spec.limited->nominal_concurrency_shares);
  } else {
    row.Text(kNone);
  }
  if (level.spec.limited && level.spec.limited->limit_response.queuing) {
    const flowcontrolv1::QueuingConfiguration& queuing =
        *level.spec.limited->limit_response.queuing;
    row.Number(queuing.queues);
    row.Number(queuing.hand_size);
    row.Number(queuing.queue_length_limit);
  } else {
    for (int i = 0; i < 3; ++i) row.Text(kNone);
  }
  row.Age(level.metadata.creation_timestamp);
}

void PrintRuntimeClass(const nodev1::RuntimeClass& runtime, Row& row) {
  row.Text(runtime.metadata.name);
  row.Text(runtime.handler);
  row.Age(runtime.metadata.creation_timestamp);
}

std::string AmountOf(const Opt<IntOrString>& amount) {
  return amount.has_value() ? amount->ToString() : "N/A";
}

void PrintDisruptionBudget(const policyv1::PodDisruptionBudget& budget, Row& row) {
  row.Text(budget.metadata.name);
  row.Text(AmountOf(budget.spec.min_available));
  row.Text(AmountOf(budget.spec.max_unavailable));
  row.Number(budget.status.disruptions_allowed);
  row.Age(budget.metadata.creation_timestamp);
}

template <typename T>
void PrintNameAndAge(const T& object, Row& row) {
  row.Text(object.metadata.name);
  row.Age(object.metadata.creation_timestamp);
}

std::string StateOf(const resourcev1::ResourceClaim& claim) {
  std::vector<absl::string_view> states;
  const bool deleted = claim.metadata.deletion_timestamp.has_value();
  if (deleted) states.push_back("deleted");
  if (claim.status.allocation) {
    states.push_back("allocated");
    if (!claim.status.reserved_for.empty()) states.push_back("reserved");
  } else if (!deleted) {
    states.push_back("pending");
  }
  return absl::StrJoin(states, ",");
}

void PrintResourceClaim(const resourcev1::ResourceClaim& claim, Row& row) {
  row.Text(claim.metadata.name);
  row.Text(StateOf(claim));
  row.Age(claim.metadata.creation_timestamp);
}

void PrintResourceSlice(const resourcev1::ResourceSlice& slice, Row& row) {
  row.Text(slice.metadata.name);
  row.Text(*slice.spec.node_name);
  row.Text(slice.spec.driver);
  row.Text(slice.spec.pool.name);
  row.Age(slice.metadata.creation_timestamp);
}

void PrintPriorityClass(const schedulingv1::PriorityClass& priority, Row& row) {
  row.Text(priority.metadata.name);
  row.Number(priority.value);
  row.Bool(priority.global_default);
  row.Age(priority.metadata.creation_timestamp);
  row.Text(*priority.preemption_policy);
}

}  // namespace

std::vector<Printer> ClusterPrinters() {
  return {
      PrinterOf<PrintLease>(kLeaseColumns),
      PrinterOf<PrintFlowSchema>(kFlowSchemaColumns),
      PrinterOf<PrintPriorityLevel>(kPriorityLevelColumns),
      PrinterOf<PrintRuntimeClass>(kRuntimeClassColumns),
      PrinterOf<PrintDisruptionBudget>(kDisruptionBudgetColumns),
      PrinterOf<PrintNameAndAge<resourcev1::DeviceClass>>(kNameAndAgeColumns),
      PrinterOf<PrintNameAndAge<resourcev1::ResourceClaimTemplate>>(kNameAndAgeColumns),
      PrinterOf<PrintResourceClaim>(kResourceClaimColumns),
      PrinterOf<PrintResourceSlice>(kResourceSliceColumns),
      PrinterOf<PrintPriorityClass>(kPriorityClassColumns),
  };
}

}  // namespace kube::printers::internal
