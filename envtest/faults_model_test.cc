// Random writers against a server in which everything goes wrong that can, in a simulation. What
// they were told must agree with the server's own history, and that with its state. Of a seed that
// fails every run is the same: KUBE_SIM_SEED=N. FAULT_MODEL_SEEDS=1000 tries so many.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/string.h"
#include "apimachinery/watch/event.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "envtest/in_process_transport.h"
#include "envtest/testing/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
using base::SimRuntime;
using base::ThreadGroup;
using base::UniformInt;

constexpr int kWriters = 3;
constexpr int kOperations = 15;
constexpr int kObjects = 2;
constexpr int kTroubles = 8;

// What a client knows of its write.
enum class Outcome { kDone, kNotDone, kUnknown };

struct Operation {
  std::string id = {};
  bool deletes = false;
  Outcome outcome = Outcome::kUnknown;
  std::string version = {};  // of what was done
};

// What happened at one version, as the server's history tells it.
struct Happened {
  watch::EventType type = watch::EventType::kAdded;
  std::shared_ptr<const corev1::ConfigMap> object = {};
};

// So that many things happen at once.
absl::Duration Pause() { return absl::Milliseconds(50 * UniformInt(0, 4)); }

// A number that a map counts in.
int64_t NumberOf(const corev1::ConfigMap& map, absl::string_view key) {
  int64_t number = 0;
  const String* const text = map.data.find(key);
  return text != nullptr && absl::SimpleAtoi(text->view(), &number) ? number : -1;
}

int64_t VersionOf(const corev1::ConfigMap& map) {
  int64_t version = 0;
  return absl::SimpleAtoi(map.metadata.resource_version.view(), &version) ? version : -1;
}

// Of an injected error the code says when it came; the server's own come before the commit.
Outcome OutcomeOf(const absl::Status& status) {
  if (status.ok()) return Outcome::kDone;
  if (!errors::StatusOf(status).has_value() || errors::IsTimeout(status)) return Outcome::kUnknown;
  return Outcome::kNotDone;
}

// How likely things are, differently in each run.
std::vector<apiserver::FaultRule> RandomRules() {
  const std::vector<apiserver::Fault> requests = {
      apiserver::fault::Delay{.time = absl::Milliseconds(300), .jitter = 2},
      apiserver::fault::Delay{.time = absl::Seconds(3), .after_commit = true},
      apiserver::fault::Error{errors::ServiceUnavailable("busy")},
      apiserver::fault::Error{errors::TooManyRequests("slowly", absl::Seconds(1))},
      apiserver::fault::Error{.status = errors::Timeout("late", absl::ZeroDuration()),
                              .after_commit = true},
      apiserver::fault::Drop{},
      apiserver::fault::Drop{.after_commit = true},
  };
  const std::vector<apiserver::Fault> reads = {
      apiserver::fault::Lag{.revisions = UniformInt(1, 10)},
      apiserver::fault::Bookmarks{},
      apiserver::fault::DropEvent{},
      apiserver::fault::DuplicateEvent{},
      apiserver::fault::StallWatch{},
      apiserver::fault::CloseWatch{},
      apiserver::fault::BreakWatch{},
      apiserver::fault::ExpireWatch{}};
  std::vector<apiserver::FaultRule> rules;
  for (const auto& [faults, user] : {std::pair(&requests, "writer"), std::pair(&reads, "reader")}) {
    for (const apiserver::Fault& fault : *faults) {
      rules.push_back({.user = user,
                       .probability = 0.01 * static_cast<double>(UniformInt(0, 10)),
                       .seed = static_cast<uint64_t>(UniformInt(0, 1 << 30)),
                       .fault = fault});
    }
  }
  return rules;
}

class Model {
 public:
  Model() : server_({.faults = RandomRules()}), start_(absl::StrCat(server_.revision())) {}

  // All of it, until the writers have done their work.
  absl::Status Run() {
    CancelScope rest = WithCancel(Context());
    ThreadGroup others{rest.context()};
    others.Go("reader", [this](const Context& ctx) { return Read(ctx); });
    others.Go("troublemaker", [this](const Context& ctx) { return MakeTrouble(ctx); });
    ThreadGroup writers{Context()};
    for (int i = 0; i < kWriters; ++i) {
      writers.Go("writer", [this, i](const Context& ctx) { return Write(ctx, i); });
    }
    const absl::Status written = writers.Wait();
    rest.Cancel();
    const absl::Status read = others.Wait();
    KUBE_RETURN_IF_ERROR(written);
    if (!read.ok() && !absl::IsCancelled(read)) return read;
    server_.faults().Clear();
    return Audit();
  }

  // What the server was asked, and answered.
  std::vector<std::string> Log() const {
    std::vector<std::string> lines;
    for (const apiserver::LoggedRequest& each : server_.Requests()) {
      lines.push_back(absl::StrCat(each.user, " ", each.method, " ", each.target, " ", each.code,
                                   " ", each.fault));
    }
    return lines;
  }

 private:
  ConfigMaps ClientOf(absl::string_view user) {
    return MapsOf(InProcessConfig(server_, {.name = std::string(user)}));
  }

  absl::Status Write(const Context& ctx, int writer) {
    const ConfigMaps maps = ClientOf("writer");
    for (int i = 0; i < kOperations; ++i) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, Pause()));
      Operation operation{.id = absl::StrCat(writer, "-", i)};
      if (WriteOnce(WithTimeout(ctx, absl::Seconds(5)), maps, operation)) {
        base::MutexLock lock(mutex_);
        operations_.push_back(std::move(operation));
      }
    }
    return absl::OkStatus();
  }

  // False if there was no write.
  static bool WriteOnce(const Context& ctx, const ConfigMaps& maps, Operation& operation) {
    const std::string name = absl::StrCat("m", UniformInt(0, kObjects));
    absl::StatusOr<corev1::ConfigMap> map = maps.Get(ctx, name);
    const bool is_new = errors::IsNotFound(map.status());
    if (!map.ok() && !is_new) return false;
    absl::StatusOr<corev1::ConfigMap> written;
    if (is_new) {
      corev1::ConfigMap made;
      made.metadata.name = name;
      made.data["n"] = "1";
      made.data["op"] = operation.id;
      written = maps.Create(ctx, made);
    } else if (UniformInt(0, 8) == 0) {
      operation.deletes = true;
      api::meta::v1::DeleteOptions options;
      options.preconditions.emplace().resource_version = map->metadata.resource_version;
      operation.outcome = OutcomeOf(maps.Delete(ctx, name, options));
      operation.id = std::string(map->metadata.resource_version);
      return true;
    } else {
      map->data["n"] = absl::StrCat(NumberOf(*map, "n") + 1);
      map->data["op"] = operation.id;
      written = maps.Update(ctx, *map);
    }
    operation.outcome = OutcomeOf(written.status());
    if (written.ok()) operation.version = std::string(written->metadata.resource_version);
    return true;
  }

  // Lists and watches as somebody who believes everything. Within a watch versions do not fall.
  absl::Status Read(const Context& ctx) {
    const ConfigMaps maps = ClientOf("reader");
    while (!ctx.done()) {
      const auto list = maps.List(ctx, {.resource_version = "0"});
      if (!list.ok()) continue;
      const auto watcher = maps.Watch(ctx, {.allow_watch_bookmarks = true,
                                            .resource_version = list->metadata.resource_version});
      if (!watcher.ok()) continue;
      int64_t last = 0;
      while (true) {
        const auto event = (*watcher)->Next(WithTimeout(ctx, absl::Seconds(2)));
        if (!event.ok() || !event->has_value() || (*event)->object == nullptr) break;
        const int64_t version = VersionOf(*(*event)->object);
        if (version < last) {
          return absl::DataLossError(absl::StrCat("a watch went back to ", version));
        }
        last = version;
      }
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, Pause()));
    }
    return absl::OkStatus();
  }

  absl::Status MakeTrouble(const Context& ctx) {
    apiserver::Faults faults = server_.faults();
    for (int i = 0; i < kTroubles; ++i) {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, 2 * Pause()));
      switch (UniformInt(0, 4)) {
        case 0: {
          const apiserver::FaultId partition =
              faults.Add({.user = UniformInt(0, 2) == 0 ? "writer" : "reader",
                          .fault = apiserver::fault::Partition{.refuse = UniformInt(0, 2) == 0}});
          const absl::Status slept = base::SleepFor(ctx, 2 * Pause());
          faults.Remove(partition);
          KUBE_RETURN_IF_ERROR(slept);
          break;
        }
        case 1:
          server_.Restart();
          break;
        case 2:
          faults.CloseWatches();
          break;
        default:
          faults.BreakConnections();
      }
    }
    return absl::OkStatus();
  }

  // All that happened since the start, by a client to whom nothing is done.
  absl::StatusOr<std::vector<Happened>> History(const ConfigMaps& maps) {
    KUBE_ASSIGN_OR_RETURN(const auto watcher, maps.Watch(Context(), {.resource_version = start_}));
    corev1::ConfigMap end;
    end.metadata.name = "end";
    KUBE_RETURN_IF_ERROR(maps.Create(Context(), end).status());
    std::vector<Happened> history;
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(Context()));
      if (!event.has_value() || event->object == nullptr) {
        return absl::DataLossError("the history ends too early");
      }
      if (event->object->metadata.name == "end") return history;
      history.push_back({event->type, event->object});
    }
  }

  absl::Status Audit() {
    const ConfigMaps maps = ClientOf("auditor");
    KUBE_ASSIGN_OR_RETURN(const auto list, maps.List(Context()));
    KUBE_ASSIGN_OR_RETURN(const std::vector<Happened> history, History(maps));
    KUBE_RETURN_IF_ERROR(CheckHistory(history, list));
    base::MutexLock lock(mutex_);
    return CheckOperations(history);
  }

  // Versions rise, each change counts on from the state before, and all of them make the state.
  static absl::Status CheckHistory(const std::vector<Happened>& history,
                                   const corev1::ConfigMapList& list) {
    std::map<std::string, std::shared_ptr<const corev1::ConfigMap>> state;
    int64_t last = 0;
    for (const Happened& each : history) {
      const corev1::ConfigMap& now = *each.object;
      if (VersionOf(now) <= last) return absl::DataLossError("versions do not rise");
      last = VersionOf(now);
      std::shared_ptr<const corev1::ConfigMap>& before = state[std::string(now.metadata.name)];
      if ((before == nullptr) != (each.type == watch::EventType::kAdded)) {
        return absl::DataLossError(absl::StrCat("an event of the wrong type at ", last));
      }
      const int64_t count = before == nullptr ? 0 : NumberOf(*before, "n");
      const bool deleted = each.type == watch::EventType::kDeleted;
      if (NumberOf(now, "n") != count + (deleted ? 0 : 1)) {
        return absl::DataLossError(absl::StrCat("an update was lost before ", last));
      }
      before = deleted ? nullptr : each.object;
    }
    size_t living = 0;
    for (const auto& [name, object] : state) living += object != nullptr ? 1 : 0;
    if (living != list.items.size()) return absl::DataLossError("the history makes another state");
    for (const corev1::ConfigMap& each : list.items) {
      const auto& object = state[std::string(each.metadata.name)];
      if (object == nullptr || *object != each) {
        return absl::DataLossError("the history makes another object");
      }
    }
    return absl::OkStatus();
  }

  // What clients were told is what happened.
  absl::Status CheckOperations(const std::vector<Happened>& history)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::map<std::string, std::vector<std::string>> versions;  // by operation
    std::set<std::string> deleted;                             // versions that were
    std::map<std::string, std::string> current;
    for (const Happened& each : history) {
      const std::string version(each.object->metadata.resource_version);
      std::string& before = current[std::string(each.object->metadata.name)];
      if (each.type == watch::EventType::kDeleted) {
        deleted.insert(before);
      } else {
        versions[std::string(*each.object->data.find("op"))].push_back(version);
      }
      before = version;
    }
    for (const Operation& each : operations_) {
      ++outcomes_[each.outcome];
      const std::vector<std::string>& found = versions[each.id];
      // Who deletes the same version as another one is told so.
      bool right = each.deletes ? each.outcome != Outcome::kDone || deleted.count(each.id) == 1
                                : found.size() <= 1;
      if (!each.deletes && each.outcome == Outcome::kDone) {
        right = found == std::vector<std::string>{each.version};
      }
      if (!each.deletes && each.outcome == Outcome::kNotDone) right = found.empty();
      if (!right) {
        return absl::DataLossError(absl::StrCat("operation ", each.id, " with outcome ",
                                                static_cast<int>(each.outcome), " happened ",
                                                found.size(), " times"));
      }
    }
    return absl::OkStatus();
  }

 public:
  // How many operations ended so. After Run.
  std::map<Outcome, int> outcomes_;

 private:
  apiserver::ApiHandler server_;
  const std::string start_;
  base::Mutex mutex_;
  std::vector<Operation> operations_ ABSL_GUARDED_BY(mutex_);
};

struct Totals {
  std::map<Outcome, int> outcomes = {};
  std::vector<std::string> log = {};
};

absl::Status RunModel(SimRuntime& sim, Totals& totals) {
  absl::Status result;
  KUBE_RETURN_IF_ERROR(sim.Run([&] {
    Model model;
    result = model.Run();
    for (const auto& [outcome, n] : model.outcomes_) totals.outcomes[outcome] += n;
    totals.log = model.Log();
  }));
  return result;
}

int64_t Seeds() {
  int64_t seeds = 60;
  const char* const text = std::getenv("FAULT_MODEL_SEEDS");
  if (text != nullptr && !absl::SimpleAtoi(text, &seeds)) ADD_FAILURE() << text;
  return seeds;
}

TEST(FaultsModel, WhatClientsAreToldIsWhatHappened) {
  Totals totals;
  EXPECT_THAT(
      base::SearchSeeds([&](SimRuntime& sim) { return RunModel(sim, totals); }, {.seeds = Seeds()}),
      base::IsOk());
  if (std::getenv("KUBE_SIM_SEED") != nullptr) return;
  // It tried everything.
  for (const Outcome outcome : {Outcome::kDone, Outcome::kNotDone, Outcome::kUnknown}) {
    EXPECT_GT(totals.outcomes[outcome], Seeds()) << static_cast<int>(outcome);
  }
}

TEST(FaultsModel, ASeedReplays) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Totals first;
    Totals second;
    SimRuntime one({.seed = seed});
    SimRuntime two({.seed = seed});
    ASSERT_THAT(RunModel(one, first), base::IsOk());
    ASSERT_THAT(RunModel(two, second), base::IsOk());
    EXPECT_EQ(first.log, second.log);
    EXPECT_EQ(one.fingerprint(), two.fingerprint());
    EXPECT_GT(first.log.size(), 50u);
  }
}

}  // namespace
}  // namespace kube::envtest
