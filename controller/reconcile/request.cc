#include "controller/reconcile/request.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/view.h"
#include "controller/cache/watched_core.h"
#include "controller/events/event_object.h"
#include "controller/reconcile/internal/steps.h"

namespace kube::controller {

RequestStep::RequestStep(std::shared_ptr<internal::Steps> steps, std::string what)
    : steps_(std::move(steps)) {
  if (steps_ != nullptr) steps_->Enter(std::move(what));
}

RequestStep::~RequestStep() {
  if (steps_ != nullptr) steps_->Leave();
}

AnyRequest::AnyRequest(internal::RequestParts& parts)
    : View(parts.name.namespace_name, parts.watched), parts_(parts) {}

void AnyRequest::Event(absl::string_view type, absl::string_view reason,
                       absl::string_view message) {
  if (parts_.recorder == nullptr || parts_.kind.kind.empty()) {
    log::Info(context(), "Event without an object is not recorded",
              {{"type", type}, {"reason", reason}, {"message", message}});
    return;
  }
  parts_.recorder->Event(event_object(), type, reason, message);
}

void AnyRequest::NoteWrite(const std::shared_ptr<WatchedCore>& store,
                           absl::string_view namespace_name, absl::string_view resource_version) {
  if (store == nullptr || resource_version.empty()) return;
  parts_.writes.push_back({.store = store,
                           .namespace_name = std::string(namespace_name),
                           .resource_version = std::string(resource_version)});
}

RequestStep AnyRequest::Step(std::string what) const {
  return RequestStep(parts_.steps, std::move(what));
}

void AnyRequest::Refresh() {
  static_cast<View&>(*this) = View(parts_.name.namespace_name, parts_.watched);
}

namespace internal {

events::EventObject ReferenceTo(const RequestParts& parts, absl::string_view uid,
                                absl::string_view resource_version) {
  api::core::v1::ObjectReference reference;
  reference.api_version = schema::ApiVersionOf(parts.kind);
  reference.kind = parts.kind.kind;
  reference.namespace_ = parts.name.namespace_name;
  reference.name = parts.name.name;
  reference.uid = uid;
  reference.resource_version = resource_version;
  return reference;
}

}  // namespace internal

}  // namespace kube::controller
