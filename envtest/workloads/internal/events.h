#ifndef ENVTEST_WORKLOADS_INTERNAL_EVENTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_EVENTS_H_

#include <map>
#include <string>
#include <tuple>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"

namespace kube::envtest::internal {

// What a controller tells of an object.
struct EventText {
  bool warning = false;
  std::string reason = {};
  std::string message = {};
};

// Writes the events of a controller as its recorder does (controller/events/record has one, but
// envtest may not depend on controller): an event that is told again is counted
// on. Nothing is held back or put together, however many there are. Errors are logged at level 1,
// and the event is lost.
//
// Thread-compatible. (client-go's tools/record)
class Events {
 public:
  // `component`: "cronjob-controller".
  Events(const rest::Client& client, absl::string_view component);

  void Write(const Context& ctx, const api::core::v1::ObjectReference& about,
             const EventText& text);

 private:
  using Client = typed::TypedClient<api::core::v1::Event, api::core::v1::EventList>;
  // The UID of the object, reason and message.
  using Key = std::tuple<std::string, std::string, std::string>;

  api::core::v1::Event NewEvent(const api::core::v1::ObjectReference& about, const EventText& text);

  const Client client_;
  const std::string component_;
  // As they were written last; forgotten when there are many.
  std::map<Key, api::core::v1::Event> written_;
  // Names are made of times: no two events have the same one, even if the clock stands still.
  absl::Time last_ = absl::InfinitePast();
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_EVENTS_H_
