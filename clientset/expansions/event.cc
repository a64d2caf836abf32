#include "clientset/expansions/event.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"

namespace kube::expansions {

namespace corev1 = api::core::v1;

namespace {

using Events = typed::TypedClient<corev1::Event, corev1::EventList>;

Events EventsOf(const rest::Client& client, absl::string_view namespace_name) {
  return Events(client, {.version = "v1", .plural = "events", .kind = "Event", .built_in = true})
      .Namespace(namespace_name);
}

}  // namespace

absl::Status EventExpansion::CheckNamespace(absl::string_view verb,
                                            absl::string_view namespace_name) const {
  if (namespace_name_.empty() || namespace_name_ == namespace_name) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("can't ", verb, " an event with namespace '",
                                                 namespace_name, "' in namespace '",
                                                 namespace_name_, "'"));
}

absl::StatusOr<corev1::Event> EventExpansion::CreateWithEventNamespace(
    const Context& ctx, const corev1::Event& event) const {
  KUBE_RETURN_IF_ERROR(CheckNamespace("create", event.metadata.namespace_.view()));
  return EventsOf(client_, event.metadata.namespace_.view()).Create(ctx, event);
}

absl::StatusOr<corev1::Event> EventExpansion::UpdateWithEventNamespace(
    const Context& ctx, const corev1::Event& event) const {
  KUBE_RETURN_IF_ERROR(CheckNamespace("update", event.metadata.namespace_.view()));
  return EventsOf(client_, event.metadata.namespace_.view()).Update(ctx, event);
}

absl::StatusOr<corev1::Event> EventExpansion::PatchWithEventNamespace(
    const Context& ctx, const corev1::Event& event, absl::string_view data) const {
  KUBE_RETURN_IF_ERROR(CheckNamespace("patch", event.metadata.namespace_.view()));
  return EventsOf(client_, event.metadata.namespace_.view())
      .Patch(ctx, event.metadata.name.view(), patch::PatchType::kStrategicMerge, data);
}

absl::StatusOr<corev1::EventList> EventExpansion::Search(
    const Context& ctx, const corev1::ObjectReference& object) const {
  KUBE_RETURN_IF_ERROR(CheckNamespace("search for", object.namespace_.view()));
  return EventsOf(client_, namespace_name_)
      .List(ctx, {.field_selector = GetFieldSelector(object).ToString()});
}

fields::Selector EventExpansion::GetFieldSelector(const corev1::ObjectReference& object) {
  Map<String> fields;
  fields["involvedObject.name"] = object.name;
  fields["involvedObject.namespace"] = object.namespace_;
  if (!object.kind.empty()) fields["involvedObject.kind"] = object.kind;
  if (!object.uid.empty()) fields["involvedObject.uid"] = object.uid;
  return fields::SelectorFromSet(fields);
}

}  // namespace kube::expansions
