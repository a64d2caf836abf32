#ifndef CLIENTSET_EXPANSIONS_EVENT_H_
#define CLIENTSET_EXPANSIONS_EVENT_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/fields/selector.h"
#include "clientset/rest/client.h"

namespace kube::expansions {

// Methods of the core group's EventClient in addition to the verbs. A client for all namespaces
// uses the namespace of each event; a client for one namespace returns INVALID_ARGUMENT for events
// of other namespaces. All calls block, and return the errors of typed::TypedClient. Thread-safe.
// (client-go: `EventExpansion`)
class EventExpansion {
 public:
  EventExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // Create, update, or patch (with a strategic merge patch) an event in its own namespace.
  // (client-go: `CreateWithEventNamespaceWithContext` and its siblings)
  absl::StatusOr<api::core::v1::Event> CreateWithEventNamespace(
      const Context& ctx, const api::core::v1::Event& event) const;
  absl::StatusOr<api::core::v1::Event> UpdateWithEventNamespace(
      const Context& ctx, const api::core::v1::Event& event) const;
  absl::StatusOr<api::core::v1::Event> PatchWithEventNamespace(const Context& ctx,
                                                               const api::core::v1::Event& event,
                                                               absl::string_view data) const;

  // Lists the events about an object. (client-go: `SearchWithContext`)
  absl::StatusOr<api::core::v1::EventList> Search(
      const Context& ctx, const api::core::v1::ObjectReference& object) const;

  // Returns a selector for events about an object: by its name and namespace, and by its kind and
  // uid if they are set.
  static fields::Selector GetFieldSelector(const api::core::v1::ObjectReference& object);

 private:
  absl::Status CheckNamespace(absl::string_view verb, absl::string_view namespace_name) const;

  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_EVENT_H_
