#include "controller/events/record/event_sink.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/expansions/event.h"
#include "clientset/rest/client.h"

namespace kube::record {
namespace {

namespace corev1 = api::core::v1;

class ApiEventSink final : public EventSink {
 public:
  explicit ApiEventSink(rest::Client client) : events_(std::move(client), "") {}

  absl::StatusOr<corev1::Event> Create(const Context& ctx, const corev1::Event& event) override {
    return events_.CreateWithEventNamespace(ctx, event);
  }
  absl::StatusOr<corev1::Event> Patch(const Context& ctx, const corev1::Event& event,
                                      absl::string_view data) override {
    return events_.PatchWithEventNamespace(ctx, event, data);
  }

 private:
  const expansions::EventExpansion events_;
};

}  // namespace

std::shared_ptr<EventSink> NewEventSink(rest::Client client) {
  return std::make_shared<ApiEventSink>(std::move(client));
}

}  // namespace kube::record
