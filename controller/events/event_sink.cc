#include "controller/events/event_sink.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"

namespace kube::events {
namespace {

namespace eventsv1 = api::events::v1;

constexpr typed::Resource kEvents = {.group = "events.k8s.io",
                                     .version = "v1",
                                     .plural = "events",
                                     .kind = "Event",
                                     .built_in = true};

class ApiEventSink final : public EventSink {
 public:
  explicit ApiEventSink(rest::Client client) : events_(std::move(client), kEvents) {}

  absl::StatusOr<eventsv1::Event> Create(const Context& ctx,
                                         const eventsv1::Event& event) override {
    return events_.Namespace(event.metadata.namespace_.view()).Create(ctx, event);
  }
  absl::StatusOr<eventsv1::Event> Patch(const Context& ctx, const eventsv1::Event& event,
                                        absl::string_view data) override {
    return events_.Namespace(event.metadata.namespace_.view())
        .Patch(ctx, event.metadata.name.view(), patch::PatchType::kStrategicMerge, data);
  }

 private:
  const typed::TypedClient<eventsv1::Event, eventsv1::EventList> events_;
};

}  // namespace

std::shared_ptr<EventSink> NewEventSink(rest::Client client) {
  return std::make_shared<ApiEventSink>(std::move(client));
}

}  // namespace kube::events
