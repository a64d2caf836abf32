#ifndef CONTROLLER_EVENTS_RECORD_EVENT_SINK_H_
#define CONTROLLER_EVENTS_RECORD_EVENT_SINK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::record {

// The destination of events. (client-go: `record.EventSink`, without `Update`, which recorders
// never call)
//
// Both calls block until `ctx` is done at the latest. An error that carries a server's Status, and
// INVALID_ARGUMENT, are final for the event; after any other error it is retried. A broadcaster
// calls from one thread; a sink used by several broadcasters must be thread-safe.
class EventSink {
 public:
  virtual ~EventSink() = default;

  // Creates the event in its namespace and returns it as stored.
  virtual absl::StatusOr<api::core::v1::Event> Create(const Context& ctx,
                                                      const api::core::v1::Event& event) = 0;

  // Applies a strategic merge patch to the event with this name and namespace. If this returns a
  // Status with code 404, the recorder creates the event instead.
  virtual absl::StatusOr<api::core::v1::Event> Patch(const Context& ctx,
                                                     const api::core::v1::Event& event,
                                                     absl::string_view data) = 0;
};

// Returns a sink that writes to the API server, in all namespaces. Needs the verbs create and patch
// for the resource "events" in the core group. Thread-safe.
// (client-go: `typedv1core.EventSinkImpl`)
std::shared_ptr<EventSink> NewEventSink(rest::Client client);

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_EVENT_SINK_H_
