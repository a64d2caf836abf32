#include "envtest/workloads/internal/events.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/types/time.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr typed::Resource kEvents = {
    .version = "v1", .plural = "events", .kind = "Event", .built_in = true};
// (client-go: `maxLruCacheEntries`)
constexpr size_t kMostRemembered = 4096;

}  // namespace

Events::Events(const rest::Client& client, absl::string_view component)
    : client_(client, kEvents), component_(component) {}

corev1::Event Events::NewEvent(const corev1::ObjectReference& about, const EventText& text) {
  const absl::Time now = base::WallNow();
  last_ = std::max(now, last_ + absl::Nanoseconds(1));
  corev1::Event event;
  event.metadata.name = absl::StrCat(about.name.view(), ".", absl::Hex(absl::ToUnixNanos(last_)));
  event.metadata.namespace_ = about.namespace_;
  event.involved_object = about;
  event.reason = text.reason;
  event.message = text.message;
  event.source.component = component_;
  event.first_timestamp = event.last_timestamp = Time(now);
  event.count = 1;
  event.type = text.warning ? "Warning" : "Normal";
  event.reporting_component = component_;
  return event;
}

void Events::Write(const Context& ctx, const corev1::ObjectReference& about,
                   const EventText& text) {
  const Client client = client_.Namespace(about.namespace_.view());
  const Key key(std::string(about.uid), text.reason, text.message);
  const auto found = written_.find(key);
  absl::StatusOr<corev1::Event> written;
  if (found == written_.end()) {
    written = client.Create(ctx, NewEvent(about, text));
  } else {
    corev1::Event event = found->second;
    ++event.count;
    event.last_timestamp = Time(base::WallNow());
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

}  // namespace kube::envtest::internal
