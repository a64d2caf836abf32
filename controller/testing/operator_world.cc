#include "controller/testing/operator_world.h"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/internal/world_audits.h"
#include "controller/testing/internal/world_cluster.h"
#include "controller/testing/internal/world_report.h"
#include "controller/testing/internal/world_settlement.h"
#include "controller/testing/operator_world_options.h"

namespace kube::controller {

using internal::Settled;
using internal::Settlement;
using internal::WorldCluster;
using internal::WorldReport;

namespace {

// The end of all runs is compared with that of this one.
constexpr uint64_t kFirstSeed = 1;
// A run that takes more switches of threads works on without end.
constexpr int64_t kMaxSteps = 20'000'000;

bool IsReplay() { return std::getenv("KUBE_SIM_SEED") != nullptr; }

base::SimOptions SimOptionsOf(uint64_t seed) { return {.seed = seed, .max_steps = kMaxSteps}; }

WorldFault FaultOf(const OperatorWorldOptions& options, uint64_t seed) {
  if (options.faults.empty()) return WorldFault::kNone;
  return options.faults[seed % options.faults.size()];
}

// Ends the simulation although a thread goes on without end: time stands still as long as this
// thread could run, which the runtime reports. None of its threads runs again.
[[noreturn]] void EndSimulation(base::SimRuntime& sim) {
  while (true) sim.Yield();
}

void NoteFindings(std::vector<AuditFinding> findings, const WorldCluster& cluster,
                  WorldReport& report) {
  report.findings = std::move(findings);
  if (report.findings.empty()) return;
  report.story = internal::StoryOf(report.findings.front(), cluster);
}

// Notes what has become of the world, if that is bad. Does not return if something never ends.
absl::Status Note(const Settlement& settlement, const OperatorWorldOptions& options,
                  base::SimRuntime& sim, WorldCluster& cluster, WorldReport& report) {
  if (settlement.settled == Settled::kYes) return absl::OkStatus();
  NoteFindings(internal::AuditSettlement(settlement, cluster, options), cluster, report);
  if (settlement.settled == Settled::kNeverEnds) EndSimulation(sim);
  // The options allow it.
  if (report.findings.empty()) return absl::OkStatus();
  return absl::AbortedError(settlement.message);
}

// Audits what has happened until the operator has settled, and that it rests then.
absl::Status AuditTheEnd(const OperatorWorldOptions& options, base::SimRuntime& sim,
                         WorldCluster& cluster, WorldReport& report) {
  KUBE_RETURN_IF_ERROR(Note(cluster.Settle(), options, sim, cluster, report));
  KUBE_RETURN_IF_ERROR(Note(cluster.Watch(), options, sim, cluster, report));
  KUBE_ASSIGN_OR_RETURN(std::vector<AuditFinding> findings, internal::AuditEnd(cluster, options),
                        "audit");
  NoteFindings(std::move(findings), cluster, report);
  KUBE_ASSIGN_OR_RETURN(report.end_state, internal::EndOf(cluster, options.audits),
                        "read end state");
  return absl::OkStatus();
}

}  // namespace

const rest::Client& OperatorWorld::Play::client() const { return cluster_.client(); }

const rest::Config& OperatorWorld::Play::admin_config() const { return cluster_.admin_config(); }

apiserver::ApiHandler& OperatorWorld::Play::server() { return cluster_.server(); }

absl::Status OperatorWorld::Play::Pause(absl::Duration most) {
  return base::SleepFor(Context(), most * base::UniformDouble());
}

absl::Status OperatorWorld::Play::Settle() {
  KUBE_RETURN_IF_ERROR(Note(cluster_.Settle(), options_, sim_, cluster_, report_));
  return cluster_.Trouble();
}

OperatorWorld::OperatorWorld(OperatorWorldOptions options) : options_(std::move(options)) {}

void OperatorWorld::AddOperator(std::function<std::shared_ptr<void>(Manager&)> make) {
  operators_.push_back(std::move(make));
}

absl::Status OperatorWorld::Run(Scenario scenario) {
  findings_.clear();
  std::optional<std::string> first_end;
  const auto program = [&](base::SimRuntime& sim) -> absl::Status {
    if (!first_end.has_value() && sim.seed() != kFirstSeed) {
      // A seed that runs alone is compared with the first one, too.
      base::SimRuntime first(SimOptionsOf(kFirstSeed));
      KUBE_RETURN_IF_ERROR(RunSeed(first, scenario, first_end), "the first seed");
    }
    return RunSeed(sim, scenario, first_end);
  };
  const base::SeedSearchOptions search = {.seeds = base::SimulationSeeds(options_.seeds),
                                          .sim = SimOptionsOf(kFirstSeed)};
  return base::SearchSeeds(program, search);
}

absl::Status OperatorWorld::RunSeed(base::SimRuntime& sim, Scenario scenario,
                                    std::optional<std::string>& first_end) {
  std::optional<log::LogCapture> quiet;
  if (!IsReplay()) quiet.emplace();
  // The threads of a run that is stuck keep the report.
  const auto report = std::make_shared<WorldReport>();
  const absl::Status end =
      sim.Run([this, &sim, scenario, report] { RunInside(sim, scenario, *report); });
  std::vector<AuditFinding> findings = report->findings;
  if (findings.empty() && !end.ok()) findings.push_back(internal::FindingOfStuckRun(end));
  if (findings.empty() && report->error.ok()) {
    if (!first_end.has_value()) first_end = report->end_state;
    findings = internal::CompareEnds(*first_end, report->end_state, options_.audits);
  }
  const absl::string_view fault = WorldFaultName(FaultOf(options_, sim.seed()));
  if (!findings.empty()) {
    findings_ = std::move(findings);
    return absl::DataLossError(absl::StrCat(fault, ": ", FindingsText(findings_), report->story));
  }
  if (report->error.ok()) return absl::OkStatus();
  return absl::Status(report->error.code(),
                      absl::StrCat(fault, ": ", report->error.message(), report->story));
}

void OperatorWorld::RunInside(base::SimRuntime& sim, Scenario scenario, WorldReport& report) const {
  base::SimWallClock clock(base::Runtime::Current());
  const base::RuntimeScope scope(clock);
  WorldCluster cluster(options_, operators_, FaultOf(options_, sim.seed()), clock);
  report.error = cluster.Start();
  if (absl::IsDeadlineExceeded(report.error)) {
    // The operator does not come to work, for want of a right, for example.
    const Settlement never = {.settled = Settled::kNotYet,
                              .message = std::string(report.error.message())};
    NoteFindings(internal::AuditSettlement(never, cluster, options_), cluster, report);
  }
  if (report.error.ok()) {
    Play play(sim, options_, cluster, report);
    report.error = scenario(play);
  }
  if (report.error.ok()) report.error = AuditTheEnd(options_, sim, cluster, report);
  if (!report.error.ok() && report.findings.empty()) {
    // A finding about nothing: all that has happened last.
    report.story = internal::StoryOf(AuditFinding(), cluster);
  }
  if (cluster.Stop()) return;
  if (report.findings.empty()) {
    const Settlement stuck = {.settled = Settled::kNeverEnds,
                              .message = "a program of the operator does not end"};
    NoteFindings(internal::AuditSettlement(stuck, cluster, options_), cluster, report);
  }
  EndSimulation(sim);
}

}  // namespace kube::controller
