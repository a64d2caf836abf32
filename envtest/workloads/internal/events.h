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

// An event about an object.
struct EventText {
  bool warning = false;
  std::string reason = {};
  std::string message = {};
};

// Writes the events of a controller as its recorder does: repeated events are counted.
// (controller/events/record has a recorder, but envtest may not depend on controller.) Events are
// neither combined nor limited. Errors are logged at level 1, and the event is lost.
//
// Thread-compatible. (client-go: tools/record)
class Events {
 public:
  // `component` is the source of the events, such as "cronjob-controller".
  Events(const rest::Client& client, absl::string_view component);

  void Write(const Context& ctx, const api::core::v1::ObjectReference& about,
             const EventText& text);

 private:
  using Client = typed::TypedClient<api::core::v1::Event, api::core::v1::EventList>;
  // UID of the object, reason and message.
  using Key = std::tuple<std::string, std::string, std::string>;

  api::core::v1::Event NewEvent(const api::core::v1::ObjectReference& about, const EventText& text);

  const Client client_;
  const std::string component_;
  // The last state of each event; cleared when there are too many.
  std::map<Key, api::core::v1::Event> written_;
  // The last time used for a name. Names contain the time, so it is increased if the clock has not
  // advanced.
  absl::Time last_ = absl::InfinitePast();
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_EVENTS_H_
