// Rules act in three ways. Delay, Error, Drop and BreakConnection are decided once, when a request
// arrives: PlanOf evaluates the rules in order and stores the decision in the exchange, which
// carries it out.
// Faults of events are decided for each event that a watch is about to send (OfEvent). Partition,
// Lag and Bookmarks last: Chosen decides them once for each pair of rule and exchange
// (`Open::chosen`), on first use, and they are in force as long as the rule exists.
//
// A request passes Handle, Partition, Go and Proceed. In a partition it is held, and parked if it
// has just arrived; each change of the rules calls Apply, which moves all open exchanges into or
// out of partitions, and serves the parked ones that come out. Go waits for the delay; Proceed
// answers with the planned error or drop, or calls the host.
//
// The layer refers to exchanges weakly (`open_`) and to its host weakly. An exchange that nobody
// else holds, because it waits, holds itself (FaultyExchange::KeepAlive).

#include "apiserver/faults/fault_layer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/request_info.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

bool IsEither(absl::string_view wanted, absl::string_view actual) {
  return wanted.empty() || wanted == actual;
}

bool MatchesResource(absl::string_view wanted, const RequestInfo& info) {
  if (wanted.empty()) return true;
  const size_t slash = wanted.find('/');
  if (wanted.substr(0, slash) != info.resource) return false;
  if (slash == absl::string_view::npos) return info.subresource.empty();
  const absl::string_view subresource = wanted.substr(slash + 1);
  return subresource == "*" ? !info.subresource.empty() : subresource == info.subresource;
}

// Does not look at the namespace and the name.
bool Matches(const FaultRule& rule, const FaultSubject& subject) {
  const RequestInfo& info = subject.info;
  const bool verb = rule.verbs.empty() ||
                    std::find(rule.verbs.begin(), rule.verbs.end(), info.verb) != rule.verbs.end();
  return verb && (!rule.group.has_value() || *rule.group == info.group) &&
         MatchesResource(rule.resource, info) && IsEither(rule.user, subject.user) &&
         absl::StartsWith(subject.user_agent, rule.user_agent);
}

bool MatchesObject(const FaultRule& rule, absl::string_view namespace_name,
                   absl::string_view name) {
  return IsEither(rule.namespace_name, namespace_name) && IsEither(rule.name, name);
}

bool MatchesRequest(const FaultRule& rule, const FaultSubject& subject) {
  return Matches(rule, subject) &&
         MatchesObject(rule, subject.info.namespace_name, subject.info.name);
}

bool IsOfEvents(const Fault& fault) {
  return std::holds_alternative<fault::DropEvent>(fault) ||
         std::holds_alternative<fault::DuplicateEvent>(fault) ||
         std::holds_alternative<fault::StallWatch>(fault) ||
         std::holds_alternative<fault::CloseWatch>(fault) ||
         std::holds_alternative<fault::BreakWatch>(fault) ||
         std::holds_alternative<fault::ExpireWatch>(fault);
}

// Returns whether the fault lasts as long as the request is open.
bool IsState(const Fault& fault) {
  return std::holds_alternative<fault::Partition>(fault) ||
         std::holds_alternative<fault::Lag>(fault) ||
         std::holds_alternative<fault::Bookmarks>(fault);
}

// Returns the next random number in [0, 1) of a rule, which depends on its seed alone (splitmix64).
double Uniform(uint64_t& dice) {
  dice += 0x9e37'79b9'7f4a'7c15;
  uint64_t z = dice;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void AddName(FaultPlan& plan, absl::string_view name) {
  absl::StrAppend(&plan.names, plan.names.empty() ? "" : ",", name);
}

}  // namespace

bool FaultLayer::Fires(Rule& rule) {
  const FaultRule& asked = rule.rule;
  const int64_t n = ++rule.count.matched - asked.from;
  if (n < 0 || n % std::max<int64_t>(asked.every, 1) != 0) return false;
  if (asked.times > 0 && rule.count.fired >= asked.times) return false;
  if (asked.probability < 1 && Uniform(rule.dice) >= asked.probability) return false;
  ++rule.count.fired;
  return true;
}

FaultPlan FaultLayer::PlanOf(const FaultSubject& subject, bool wants_upgrade) {
  FaultPlan plan;
  for (Rule& rule : rules_) {
    const Fault& fault = rule.rule.fault;
    if (IsOfEvents(fault) || IsState(fault) || !MatchesRequest(rule.rule, subject)) continue;
    const auto* cut = std::get_if<fault::BreakConnection>(&fault);
    if (cut != nullptr && !wants_upgrade) continue;
    if (!Fires(rule)) continue;
    if (cut != nullptr) {
      const int64_t before = plan.break_after_bytes.value_or(cut->after_bytes);
      plan.break_after_bytes = std::min(before, cut->after_bytes);
      AddName(plan, "break connection");
    }
    if (const auto* delay = std::get_if<fault::Delay>(&fault)) {
      const absl::Duration more = delay->jitter > 0
                                      ? delay->time * delay->jitter * Uniform(rule.dice)
                                      : absl::ZeroDuration();
      (delay->after_commit ? plan.answer_delay : plan.delay) += delay->time + more;
      AddName(plan, "delay");
    } else if (const auto* error = std::get_if<fault::Error>(&fault)) {
      plan.error = *error;
      AddName(plan, "error");
      break;
    } else if (const auto* drop = std::get_if<fault::Drop>(&fault)) {
      plan.drop = *drop;
      AddName(plan, "drop");
      break;
    }
  }
  return plan;
}

template <typename F>
std::optional<F> FaultLayer::Chosen(Open& open, const FaultSubject& subject) {
  for (Rule& rule : rules_) {
    const F* fault = std::get_if<F>(&rule.rule.fault);
    if (fault == nullptr || !MatchesRequest(rule.rule, subject)) continue;
    const auto [chosen, is_new] = open.chosen.try_emplace(rule.id, false);
    if (is_new) chosen->second = Fires(rule);
    if (chosen->second) return *fault;
  }
  return std::nullopt;
}

template <typename F>
std::optional<F> FaultLayer::InForce(FaultyExchange& exchange) {
  if (!has_rules_) return std::nullopt;
  const FaultSubject& subject = exchange.Subject();
  base::MutexLock lock(mutex_);
  auto open = open_.find(exchange.id());
  if (open == open_.end()) return std::nullopt;
  return Chosen<F>(open->second, subject);
}

FaultId FaultLayer::Add(FaultRule rule) {
  FaultId id = 0;
  {
    base::MutexLock lock(mutex_);
    id = next_id_++;
    // Rules with the same seed decide differently.
    uint64_t dice = rule.seed + (uint64_t{rules_.size()} << 32);
    rules_.push_back({.id = id, .rule = std::move(rule), .count = {}, .dice = dice});
    has_rules_ = true;
  }
  Apply();
  return id;
}

void FaultLayer::Remove(FaultId id) {
  {
    base::MutexLock lock(mutex_);
    rules_.erase(std::remove_if(rules_.begin(), rules_.end(),
                                [id](const Rule& rule) { return rule.id == id; }),
                 rules_.end());
    has_rules_ = !rules_.empty();
  }
  Apply();
}

void FaultLayer::Clear() {
  {
    base::MutexLock lock(mutex_);
    rules_.clear();
    has_rules_ = false;
  }
  Apply();
}

FaultCount FaultLayer::Count(FaultId id) const {
  base::MutexLock lock(mutex_);
  for (const Rule& rule : rules_) {
    if (rule.id == id) return rule.count;
  }
  return {};
}

std::vector<FaultCount> FaultLayer::Counts() const {
  base::MutexLock lock(mutex_);
  std::vector<FaultCount> counts;
  for (const Rule& rule : rules_) counts.push_back(rule.count);
  return counts;
}

std::vector<std::shared_ptr<FaultyExchange>> FaultLayer::Exchanges(
    absl::string_view user_agent) const {
  std::vector<std::shared_ptr<FaultyExchange>> exchanges;
  {
    base::MutexLock lock(mutex_);
    for (const auto& [id, open] : open_) {
      if (auto exchange = open.exchange.lock()) exchanges.push_back(std::move(exchange));
    }
  }
  if (user_agent.empty()) return exchanges;
  // Without the lock, because the host may be asked.
  std::vector<std::shared_ptr<FaultyExchange>> of_client;
  for (auto& exchange : exchanges) {
    if (!absl::StartsWith(exchange->Subject().user_agent, user_agent)) continue;
    of_client.push_back(std::move(exchange));
  }
  return of_client;
}

void FaultLayer::CloseWatches(absl::string_view user_agent) {
  for (const auto& exchange : Exchanges(user_agent)) {
    if (exchange->started()) exchange->Finish({});
  }
}

void FaultLayer::BreakConnections(absl::string_view user_agent) {
  for (const auto& exchange : Exchanges(user_agent)) exchange->Break();
}

void FaultLayer::Close() {
  for (const auto& exchange : Exchanges()) exchange->Forget();
}

void FaultLayer::Apply() {
  for (const auto& exchange : Exchanges()) Partition(exchange, /*arrives=*/false);
  if (const auto host = host_.lock()) host->WakeWatches();
}

void FaultLayer::Leave(int64_t id) {
  base::MutexLock lock(mutex_);
  open_.erase(id);
}

FaultSubject FaultLayer::Describe(const httpserver::Request& request) const {
  const auto host = host_.lock();
  return host == nullptr ? FaultSubject() : host->Describe(request);
}

httpserver::Response FaultLayer::ErrorAnswer(const FaultyExchange& exchange) const {
  const auto host = host_.lock();
  if (host == nullptr) return {.status = 500};
  const fault::Error& error = *exchange.plan().error;
  httpserver::Response response = host->ErrorAnswer(exchange.request(), error.status);
  if (error.retry_after.has_value()) {
    response.headers.Set("retry-after", absl::StrCat(absl::ToInt64Seconds(*error.retry_after)));
  }
  return response;
}

int64_t FaultLayer::Lag(FaultyExchange& exchange) {
  const std::optional<fault::Lag> lag = InForce<fault::Lag>(exchange);
  return lag.has_value() ? std::max<int64_t>(lag->revisions, 0) : 0;
}

std::optional<fault::Bookmarks> FaultLayer::Bookmarks(FaultyExchange& exchange) {
  return InForce<fault::Bookmarks>(exchange);
}

Fault FaultLayer::OfEvent(FaultyExchange& exchange, absl::string_view namespace_name,
                          absl::string_view name) {
  if (!has_rules_) return {};
  const FaultSubject& subject = exchange.Subject();
  base::MutexLock lock(mutex_);
  for (Rule& rule : rules_) {
    if (!IsOfEvents(rule.rule.fault) || !Matches(rule.rule, subject)) continue;
    if (MatchesObject(rule.rule, namespace_name, name) && Fires(rule)) return rule.rule.fault;
  }
  return {};
}

void FaultLayer::Handle(std::shared_ptr<httpserver::Exchange> inner) {
  std::shared_ptr<FaultyExchange> exchange;
  {
    base::MutexLock lock(mutex_);
    const int64_t id = next_id_++;
    exchange = std::make_shared<FaultyExchange>(weak_from_this(), id, std::move(inner));
    open_[id].exchange = exchange;
  }
  if (has_rules_) {
    const FaultSubject& subject = exchange->Subject();
    FaultPlan plan;
    {
      base::MutexLock lock(mutex_);
      plan = PlanOf(subject, exchange->request().wants_upgrade);
    }
    exchange->set_plan(std::move(plan));
  }
  Partition(exchange, /*arrives=*/true);
}

void FaultLayer::Partition(const std::shared_ptr<FaultyExchange>& exchange, bool arrives) {
  const FaultSubject* const subject = has_rules_ ? &exchange->Subject() : nullptr;
  std::optional<fault::Partition> partition;
  bool was = false;
  bool goes = arrives;
  {
    base::MutexLock lock(mutex_);
    auto entry = open_.find(exchange->id());
    if (entry == open_.end()) return;
    Open& open = entry->second;
    if (subject != nullptr) partition = Chosen<fault::Partition>(open, *subject);
    was = std::exchange(open.partitioned, partition.has_value());
    goes |= open.parked;
    open.parked = goes && partition.has_value();
  }
  if (partition.has_value() && partition->refuse) {
    if (const auto host = host_.lock(); arrives && host != nullptr) {
      host->LogUnserved(*exchange, "partition", 0);
    }
    return exchange->Break();
  }
  if (partition.has_value()) {
    if (!was) exchange->Hold();
    if (arrives) exchange->KeepAlive();
    return;
  }
  if (goes) Go(exchange);
  if (was) exchange->Release();
}

void FaultLayer::Go(const std::shared_ptr<FaultyExchange>& exchange) {
  const absl::Duration delay = exchange->plan().delay;
  if (delay <= absl::ZeroDuration()) return Proceed(exchange);
  exchange->After(delay, [weak = weak_from_this(), id = exchange->id()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::shared_ptr<FaultyExchange> late;
    {
      base::MutexLock lock(self->mutex_);
      auto open = self->open_.find(id);
      if (open != self->open_.end()) late = open->second.exchange.lock();
    }
    if (late != nullptr) self->Proceed(late);
  });
}

void FaultLayer::Proceed(const std::shared_ptr<FaultyExchange>& exchange) {
  const auto host = host_.lock();
  // If the client has given up meanwhile, the request is not carried out.
  if (host == nullptr || exchange->over()) return;
  const FaultPlan& plan = exchange->plan();
  if (plan.drop.has_value() && !plan.drop->after_commit) {
    host->LogUnserved(*exchange, plan.names, 0);
    return exchange->Break();
  }
  if (plan.error.has_value() && !plan.error->after_commit) {
    httpserver::Response response = ErrorAnswer(*exchange);
    host->LogUnserved(*exchange, plan.names, response.status);
    return exchange->Respond(std::move(response));
  }
  host->Serve(exchange);
}

}  // namespace kube::apiserver::internal
