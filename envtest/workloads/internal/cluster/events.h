#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_EVENTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_EVENTS_H_

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/flowcontrol/token_bucket.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"

namespace kube::envtest::internal {

// An event about an object.
struct EventText {
  bool warning = false;
  std::string reason = {};
  std::string message = {};
  // What the controller was doing. Set for components that use the events of events.k8s.io, such as
  // kube-scheduler; empty for the others.
  std::string action = {};
};

// Returns a reference to an object, for events about it.
api::core::v1::ObjectReference ReferenceTo(absl::string_view api_version, absl::string_view kind,
                                           const api::meta::v1::ObjectMeta& metadata);

// Writes the events of controllers as their recorders do: repeated events are counted. Those with
// an action are repeated if all but their message is the same; their series is written each time,
// while Kubernetes writes it at the first repetition and then every six minutes.
// Events without an action that differ in their message only are combined from the tenth within ten
// minutes on, and of one type about one object, 25 may come at once and one each five minutes after
// that; others are dropped. (controller/events/record has a recorder, but envtest may not depend on
// controller.) Errors are logged at level 1, and the event is lost.
//
// Thread-compatible. (client-go: tools/record, tools/events)
class Events {
 public:
  explicit Events(const rest::Client& client);

  // Writes an event of `component`, such as "cronjob-controller".
  void Write(const Context& ctx, absl::string_view component,
             const api::core::v1::ObjectReference& about, const EventText& text);

 private:
  using Client = typed::TypedClient<api::core::v1::Event, api::core::v1::EventList>;
  // Component, UID of the object, reason, action, and message of an event that is not combined.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  // Component, UID of the object, type, and in `similar_` the reason.
  using Source = std::tuple<std::string, std::string, std::string, std::string>;
  // The messages of similar events.
  struct Similar {
    std::set<std::string> messages = {};
    absl::Time last = absl::InfinitePast();
  };

  bool IsCombined(absl::string_view component, absl::string_view uid, const EventText& text);
  bool IsSpam(absl::string_view component, absl::string_view uid, const EventText& text);
  api::core::v1::Event NewEvent(absl::string_view component,
                                const api::core::v1::ObjectReference& about, const EventText& text);

  const Client client_;
  // The last state of each event. All three maps are cleared when they become too large.
  std::map<Key, api::core::v1::Event> written_;
  std::map<Source, Similar> similar_;
  std::map<Source, flowcontrol::TokenBucket> buckets_;
  // The last time used for a name. Names contain the time, so it is increased if the clock has not
  // advanced.
  absl::Time last_ = absl::InfinitePast();
};

// Writes the events of one component about one object. Thread-compatible.
class ObjectEvents {
 public:
  // `events` must outlive this.
  ObjectEvents(Events& events, absl::string_view component, api::core::v1::ObjectReference about)
      : events_(events), component_(component), about_(std::move(about)) {}

  void Write(const Context& ctx, const EventText& text) const;
  void Normal(const Context& ctx, absl::string_view reason, absl::string_view message) const;
  void Warning(const Context& ctx, absl::string_view reason, absl::string_view message) const;

 private:
  Events& events_;
  const std::string component_;
  const api::core::v1::ObjectReference about_;
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_EVENTS_H_
