#include "envtest/workloads/internal/cluster/events.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/time.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};
// (client-go: `maxLruCacheEntries`)
constexpr size_t kMostRemembered = 4096;

// (client-go: `defaultAggregateMaxEvents`, `defaultAggregateIntervalInSeconds`)
constexpr size_t kMaxSimilar = 10;
constexpr absl::Duration kSimilarFor = absl::Minutes(10);
// (client-go: `defaultSpamQPS`, `defaultSpamBurst`)
constexpr double kEventsPerSecond = 1.0 / 300;
constexpr int kEventsAtOnce = 25;
// (Go: `NoteLengthLimit`, `truncateMessage`)
constexpr size_t kMaxNote = 1024;
constexpr absl::string_view kCut = " ...";

std::string Truncated(absl::string_view message) {
  if (message.size() <= kMaxNote) return std::string(message);
  return absl::StrCat(message.substr(0, kMaxNote - kCut.size()), kCut);
}

std::string TypeOf(const EventText& text) { return text.warning ? "Warning" : "Normal"; }

// Counts one more occurrence of an event.
void Repeat(corev1::Event& event, absl::Time now) {
  if (event.action.empty()) {
    ++event.count;
    event.last_timestamp = Time(now);
    return;
  }
  if (!event.series) event.series.emplace().count = 1;
  ++event.series->count;
  event.series->last_observed_time = MicroTime(now);
}

}  // namespace

corev1::ObjectReference ReferenceTo(absl::string_view api_version, absl::string_view kind,
                                    const metav1::ObjectMeta& metadata) {
  corev1::ObjectReference reference;
  reference.api_version = api_version;
  reference.kind = kind;
  reference.name = metadata.name;
  reference.namespace_ = metadata.namespace_;
  reference.uid = metadata.uid;
  reference.resource_version = metadata.resource_version;
  return reference;
}

Events::Events(const rest::Client& client) : client_(client, kEvents) {}

corev1::Event Events::NewEvent(absl::string_view component, const corev1::ObjectReference& about,
                               const EventText& text) {
  const absl::Time now = base::WallNow();
  last_ = std::max(now, last_ + absl::Nanoseconds(1));
  corev1::Event event;
  event.metadata.name = absl::StrCat(about.name.view(), ".", absl::Hex(absl::ToUnixNanos(last_)));
  event.metadata.namespace_ = about.namespace_.empty() ? "default" : about.namespace_.view();
  event.involved_object = about;
  event.reason = text.reason;
  event.type = TypeOf(text);
  event.reporting_component = component;
  if (text.action.empty()) {
    event.message = text.message;
    event.source.component = component;
    event.first_timestamp = event.last_timestamp = Time(now);
    event.count = 1;
  } else {
    event.message = Truncated(text.message);
    event.event_time = MicroTime(now);
    event.action = text.action;
    // Without the name of a host, which Kubernetes adds.
    event.reporting_instance = component;
  }
  return event;
}

// Returns whether the event is one of many that differ in their message only.
// (client-go: `EventAggregate`)
bool Events::IsCombined(absl::string_view component, absl::string_view uid, const EventText& text) {
  if (similar_.size() >= kMostRemembered) similar_.clear();
  Similar& similar =
      similar_[Source(std::string(component), std::string(uid), TypeOf(text), text.reason)];
  const absl::Time now = base::WallNow();
  if (now - similar.last > kSimilarFor) similar.messages.clear();
  similar.last = now;
  similar.messages.insert(text.message);
  if (similar.messages.size() < kMaxSimilar) return false;
  similar.messages.erase(similar.messages.begin());
  return true;
}

// (client-go: `EventSourceObjectSpamFilter`)
bool Events::IsSpam(absl::string_view component, absl::string_view uid, const EventText& text) {
  if (buckets_.size() >= kMostRemembered) buckets_.clear();
  const auto bucket =
      buckets_.try_emplace(Source(std::string(component), std::string(uid), TypeOf(text), ""),
                           kEventsPerSecond, kEventsAtOnce);
  return !bucket.first->second.TryTake(base::Now());
}

void Events::Write(const Context& ctx, absl::string_view component,
                   const corev1::ObjectReference& about, const EventText& text) {
  EventText told = text;
  std::string distinction;
  if (text.action.empty()) {
    const bool combined = IsCombined(component, about.uid.view(), text);
    if (IsSpam(component, about.uid.view(), text)) return;
    if (combined) told.message = absl::StrCat("(combined from similar events): ", text.message);
    distinction = combined ? "(combined)" : text.message;
  }
  const Client client =
      client_.Namespace(about.namespace_.empty() ? "default" : about.namespace_.view());
  const Key key(std::string(component), std::string(about.uid), text.reason, text.action,
                distinction);
  const auto found = written_.find(key);
  absl::StatusOr<corev1::Event> written;
  if (found == written_.end()) {
    written = client.Create(ctx, NewEvent(component, about, told));
  } else {
    corev1::Event event = found->second;
    Repeat(event, base::WallNow());
    if (text.action.empty()) event.message = told.message;
    written = client.Update(ctx, event);
  }
  if (!written.ok()) {
    if (found != written_.end()) written_.erase(found);
    KUBE_VLOG(1, "unable to write event", {"reason", text.reason},
              {"err", written.status().message()});
    return;
  }
  if (written_.size() >= kMostRemembered) written_.clear();
  written_[key] = *std::move(written);
}

void ObjectEvents::Write(const Context& ctx, const EventText& text) const {
  events_.Write(ctx, component_, about_, text);
}

void ObjectEvents::Normal(const Context& ctx, absl::string_view reason,
                          absl::string_view message) const {
  Write(ctx, {.reason = std::string(reason), .message = std::string(message)});
}

void ObjectEvents::Warning(const Context& ctx, absl::string_view reason,
                           absl::string_view message) const {
  Write(ctx, {.warning = true, .reason = std::string(reason), .message = std::string(message)});
}

}  // namespace kube::envtest::internal
