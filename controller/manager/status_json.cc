#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/go_text.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/status_page.h"

// Each struct has a function Write that calls Json::Member for each of its members, in their order.

namespace kube::controller {

namespace {

// Writes one JSON object after another, without white space. Thread-compatible.
class Json {
 public:
  explicit Json(std::string& out) : out_(out) {}

  void Text(absl::string_view value) { text::AppendStandardJsonString(out_, value); }

  void Member(absl::string_view name, const std::string& value) {
    Name(name);
    Text(value);
  }
  void Member(absl::string_view name, bool value) {
    Name(name);
    out_ += value ? "true" : "false";
  }
  void Member(absl::string_view name, int64_t value) {
    Name(name);
    absl::StrAppend(&out_, value);
  }
  void Member(absl::string_view name, absl::Time value) {
    if (value == absl::InfinitePast() || value == absl::InfiniteFuture()) return Null(name);
    Name(name);
    Text(absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", value, absl::UTCTimeZone()));
  }
  // A number that JSON does not have, such as an infinite one, is null.
  void Number(absl::string_view name, std::optional<double> value) {
    if (!value.has_value() || !(*value - *value == 0)) return Null(name);
    Name(name);
    out_ += text::FormatJson(*value);
  }
  // Writes an object with the members that `write` writes.
  template <typename T>
  void Object(absl::string_view name, const T& value, void (*write)(Json&, const T&)) {
    Name(name);
    Braces(value, write);
  }
  template <typename T>
  void List(absl::string_view name, const std::vector<T>& values, void (*write)(Json&, const T&)) {
    Name(name);
    out_ += "[";
    for (const T& value : values) {
      if (out_.back() != '[') out_ += ",";
      Braces(value, write);
    }
    out_ += "]";
  }
  template <typename T>
  void Braces(const T& value, void (*write)(Json&, const T&)) {
    out_ += "{";
    write(*this, value);
    out_ += "}";
  }

 private:
  void Name(absl::string_view name) {
    if (out_.back() != '{') out_ += ",";
    Text(name);
    out_ += ":";
  }
  void Null(absl::string_view name) {
    Name(name);
    out_ += "null";
  }

  std::string& out_;
};

void WriteLeader(Json& json, const LeaderStatus& status) {
  json.Member("elected", status.elected);
  json.Member("leads", status.leads);
  json.Member("since", status.since);
  json.Member("lease", status.lease);
  json.Member("holder", status.holder);
  json.Member("identity", status.identity);
  json.Member("renewals", status.renewals);
  json.Member("lastRenewal", status.last_renewal);
}

void WritePhase(Json& json, const PhaseStatus& status) {
  json.Member("name", status.name);
  json.Member("state", status.state);
  json.Member("since", status.since);
  json.Member("waitsFor", status.waits_for);
}

void WriteRunnable(Json& json, const RunnableStatus& status) {
  json.Member("name", status.name);
  json.Member("phase", status.phase);
  json.Member("state", status.state);
  json.Member("since", status.since);
  json.Member("error", status.error);
}

void WriteInformer(Json& json, const InformerStatus& status) {
  json.Member("resource", status.resource);
  json.Member("selector", status.selector);
  json.Member("namespace", status.namespace_name);
  json.Member("synced", status.synced);
  json.Member("whyNotSynced", status.why_not_synced);
  json.Member("objects", status.objects);
  json.Member("cluster", status.cluster);
  json.Member("lastEvent", status.last_event);
}

void WriteQueuedKey(Json& json, const QueuedKey& key) {
  json.Member("key", key.key);
  json.Number("age", absl::ToDoubleSeconds(key.age));
}

void WriteQueue(Json& json, const QueueStatus& status) {
  json.Member("ready", status.ready);
  json.Member("delayed", status.delayed);
  json.Member("parked", status.parked);
  json.Member("inWork", status.in_work);
  json.Member("oldestKey", status.oldest_key);
  json.Number("oldestAge", absl::ToDoubleSeconds(status.oldest_age));
  json.List("oldestKeys", status.oldest_keys, WriteQueuedKey);
}

void WriteWorker(Json& json, const WorkerStatus& status) {
  json.Member("key", status.key);
  json.Member("since", status.since);
  json.Member("where", status.where);
}

void WriteError(Json& json, const ReconcileError& error) {
  json.Member("key", error.key);
  json.Member("time", error.time);
  json.Member("message", error.message);
  json.Member("failures", error.failures);
}

void WriteController(Json& json, const ControllerStatus& status) {
  json.Member("name", status.name);
  json.Member("kind", status.kind);
  json.Member("running", status.running);
  json.Member("waitsFor", status.waits_for);
  json.Object("queue", status.queue, WriteQueue);
  json.List("workers", status.workers, WriteWorker);
  json.List("lastErrors", status.last_errors, WriteError);
  json.Member("reconciles", status.reconciles);
  json.Member("failedReconciles", status.failed_reconciles);
}

void WriteRequestRate(Json& json, const RequestRateStatus& status) {
  json.Member("verb", status.verb);
  json.Member("resource", status.resource);
  json.Number("perSecond", status.per_second);
  json.Member("requests", status.requests);
}

void WriteMemory(Json& json, const MemoryStatus& status) {
  json.Member("what", status.what);
  json.Member("bytes", status.bytes);
}

void WriteManager(Json& json, const ManagerStatus& status) {
  json.Member("name", status.name);
  json.Member("version", status.version);
  json.Member("now", status.now);
  json.Member("started", status.started);
  json.Object("leader", status.leader, WriteLeader);
  json.List("phases", status.phases, WritePhase);
  json.List("runnables", status.runnables, WriteRunnable);
  json.List("informers", status.informers, WriteInformer);
  json.List("controllers", status.controllers, WriteController);
  json.Number("requestsPerSecond", status.requests_per_second);
  json.List("requestRates", status.request_rates, WriteRequestRate);
  json.List("memory", status.memory, WriteMemory);
}

}  // namespace

std::string RenderStatusJson(const ManagerStatus& status) {
  std::string out;
  Json(out).Braces(status, WriteManager);
  out += "\n";
  return out;
}

}  // namespace kube::controller
