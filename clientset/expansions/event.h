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

// What the core group's EventClient has besides the verbs. (client-go's EventExpansion) A client of
// all namespaces writes to each event's own; one of a namespace refuses others with
// INVALID_ARGUMENT. Thread-safe.
class EventExpansion {
 public:
  EventExpansion(rest::Client client, absl::string_view namespace_name)
      : client_(std::move(client)), namespace_name_(namespace_name) {}

  // Create, Update and Patch (a strategic merge patch of the event of that name and namespace) in
  // the event's namespace. (CreateWithEventNamespaceWithContext and its siblings)
  absl::StatusOr<api::core::v1::Event> CreateWithEventNamespace(
      const Context& ctx, const api::core::v1::Event& event) const;
  absl::StatusOr<api::core::v1::Event> UpdateWithEventNamespace(
      const Context& ctx, const api::core::v1::Event& event) const;
  absl::StatusOr<api::core::v1::Event> PatchWithEventNamespace(const Context& ctx,
                                                               const api::core::v1::Event& event,
                                                               absl::string_view data) const;

  // The events about an object. (SearchWithContext)
  absl::StatusOr<api::core::v1::EventList> Search(
      const Context& ctx, const api::core::v1::ObjectReference& object) const;

  // Selects those of an object's name and namespace; also of its kind and uid, where they are set.
  static fields::Selector GetFieldSelector(const api::core::v1::ObjectReference& object);

 private:
  absl::Status CheckNamespace(absl::string_view verb, absl::string_view namespace_name) const;

  rest::Client client_;
  std::string namespace_name_;
};

}  // namespace kube::expansions

#endif  // CLIENTSET_EXPANSIONS_EVENT_H_
