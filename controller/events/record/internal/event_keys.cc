#include "controller/events/record/internal/event_keys.h"

#include <initializer_list>
#include <string>

#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "controller/events/record/correlator_options.h"

namespace kube::record::internal {
namespace {

namespace corev1 = api::core::v1;

std::string Join(std::initializer_list<absl::string_view> parts) {
  return absl::StrJoin(parts, absl::string_view("\0", 1));
}

}  // namespace

std::string EventKey(const corev1::Event& event) {
  const corev1::ObjectReference& object = event.involved_object;
  return Join({event.source.component.view(), event.source.host.view(), object.kind.view(),
               object.namespace_.view(), object.name.view(), object.field_path.view(),
               object.uid.view(), object.api_version.view(), event.type.view(), event.reason.view(),
               event.message.view()});
}

std::string SpamKey(const corev1::Event& event) {
  const corev1::ObjectReference& object = event.involved_object;
  return Join({event.source.component.view(), event.source.host.view(), object.kind.view(),
               object.namespace_.view(), object.name.view(), object.uid.view(),
               object.api_version.view(), event.type.view()});
}

AggregateKey AggregateByReason(const corev1::Event& event) {
  return {.group = Join({SpamKey(event), event.reason.view(), event.reporting_component.view(),
                         event.reporting_instance.view()}),
          .local = std::string(event.message.view())};
}

}  // namespace kube::record::internal
