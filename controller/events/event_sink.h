#ifndef CONTROLLER_EVENTS_EVENT_SINK_H_
#define CONTROLLER_EVENTS_EVENT_SINK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::events {

// Where events are written to. (events.EventSink, without Update, which no recorder calls)
//
// Both calls block, until `ctx` is done at the latest. Errors decide what becomes of the event:
// one that carries a server's Status is final, whatever it says, and so is INVALID_ARGUMENT; with
// any other one, it is tried again. Each broadcaster calls from one thread; a sink of several is
// thread-safe.
class EventSink {
 public:
  virtual ~EventSink() = default;

  // A new event, in the namespace that it says. Answers it as it is stored.
  virtual absl::StatusOr<api::events::v1::Event> Create(const Context& ctx,
                                                        const api::events::v1::Event& event) = 0;

  // Changes the event of that name and namespace by a strategic merge patch. A Status of code 404
  // makes the recorder create the event instead.
  virtual absl::StatusOr<api::events::v1::Event> Patch(const Context& ctx,
                                                       const api::events::v1::Event& event,
                                                       absl::string_view data) = 0;
};

// Writes to the API server, into every namespace. It needs the verbs create and patch of the
// resource "events" in the group "events.k8s.io". Thread-safe. (events.EventSinkImpl)
std::shared_ptr<EventSink> NewEventSink(rest::Client client);

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_SINK_H_
