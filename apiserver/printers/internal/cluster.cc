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
    {"Holder", "string", "Who has the lease."},
    kAge,
};

constexpr Column kFlowSchemaColumns[] = {
    kName,
    {"PriorityLevel", "string", "The priority level of the requests that match."},
    {"MatchingPrecedence", "string", "The place in the order of trial: the lowest is first."},
    {"DistinguisherMethod", "string", "What tells one flow of requests from another."},
    kAge,
    {"MissingPL", "string", "Whether the priority level does not exist."},
};

constexpr Column kPriorityLevelColumns[] = {
    kName,
    {"Type", "string", "Whether its requests are limited."},
    {"NominalConcurrencyShares", "string", "Its part of what the server does at a time."},
    {"Queues", "string", "How many queues it has."},
    {"HandSize", "string", "How many of them a flow of requests may use."},
    {"QueueLengthLimit", "string", "How many requests may wait in one."},
    kAge,
};

constexpr Column kRuntimeClassColumns[] = {
    kName,
    {"Handler", "string", "What runs the containers, as the node knows it."},
    kAge,
};

constexpr Column kDisruptionBudgetColumns[] = {
    kName,
    {"Min Available", "string", "How many pods must stay available."},
    {"Max Unavailable", "string", "How many pods may be unavailable."},
    {"Allowed Disruptions", "integer", "How many pods may be evicted now."},
    kAge,
};

constexpr Column kNameAndAgeColumns[] = {kName, kAge};

constexpr Column kResourceClaimColumns[] = {
    kName,
    {"State", "string", "Whether it has devices, and somebody uses them."},
    kAge,
};

constexpr Column kResourceSliceColumns[] = {
    kName,
    {"Node", "string", "The node that has the devices."},
    {"Driver", "string", "The driver that speaks for them."},
    {"Pool", "string", "The pool that they belong to."},
    kAge,
};

// Upstream fills in the last column, of priority 0, only for wide output, which a server always
// makes.
constexpr Column kPriorityClassColumns[] = {
    kName,
    {"Value", "integer", "The priority of pods of this class."},
    {"Global-Default", "boolean", "Whether pods are of it that name none."},
    kAge,
    {"PreemptionPolicy", "string", "Whether they may push out others."},
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
