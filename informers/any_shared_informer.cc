#include "informers/any_shared_informer.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "informers/handler_options.h"
#include "informers/internal/listener.h"
#include "informers/internal/notification.h"
#include "informers/internal/shared_informer_core.h"
#include "informers/internal/store_callbacks.h"
#include "informers/reflector_status.h"
#include "informers/store_advanced_registration.h"

namespace kube::informers {

using internal::Listener;
using internal::SharedInformerCore;

// ---- HandlerRegistration

HandlerRegistration::HandlerRegistration(std::shared_ptr<Listener> listener, std::string informer)
    : listener_(std::move(listener)), informer_(std::move(informer)) {}

const base::Event& HandlerRegistration::synced() const { return listener_->synced(); }

bool HandlerRegistration::IsStopped() const { return listener_->closed(); }

HandlerStatus HandlerRegistration::status() const { return listener_->status(); }

absl::Status HandlerRegistration::WhyNotSynced() const {
  if (HasSynced()) return absl::OkStatus();
  const std::string name = absl::StrCat(informer_, ", ", listener_->options().name);
  if (IsStopped()) {
    return absl::FailedPreconditionError(
        absl::StrCat(name, ": handler was removed or informer has stopped"));
  }
  const HandlerStatus now = status();
  return absl::UnavailableError(absl::StrCat(
      name, ": ", now.pending, " pending events",
      now.running > absl::ZeroDuration() ? absl::StrCat("; the current call has been running for ",
                                                        absl::FormatDuration(now.running))
                                         : ""));
}

// ---- AnySharedInformer

AnySharedInformer::AnySharedInformer(std::unique_ptr<SharedInformerCore> core)
    : core_(std::move(core)) {}

AnySharedInformer::~AnySharedInformer() = default;

absl::Status AnySharedInformer::Run(const Context& ctx) { return core_->Run(ctx); }

bool AnySharedInformer::HasStarted() const { return core_->has_started(); }

bool AnySharedInformer::IsStopped() const { return core_->is_stopped(); }

const base::Event& AnySharedInformer::synced() const { return core_->synced(); }

const std::string& AnySharedInformer::name() const { return core_->name(); }

std::string AnySharedInformer::Caller() const { return core_->Caller(); }

absl::Status AnySharedInformer::WhyNotSynced() const {
  if (HasSynced()) return absl::OkStatus();
  if (!HasStarted()) {
    return absl::UnavailableError(absl::StrCat(name(), ": informer has not started"));
  }
  const ReflectorStatus reflector = core_->reflector_status();
  if (IsStopped()) {
    const absl::string_view separator = reflector.error.ok() ? "" : " after: ";
    return absl::FailedPreconditionError(
        absl::StrCat(name(), ": the informer has stopped", separator, reflector.error.message()));
  }
  if (!reflector.error.ok()) return base::Annotate(reflector.error, name());
  if (reflector.has_listed()) {
    return absl::UnavailableError(absl::StrCat(name(), ": initial list is being stored"));
  }
  const absl::Duration since = base::Now() - reflector.since;
  return absl::UnavailableError(
      absl::StrCat(name(), ": ", ToString(reflector.state), " for ", absl::FormatDuration(since)));
}

absl::Status AnySharedInformer::WaitForResourceVersion(const Context& ctx,
                                                       absl::string_view resource_version) const {
  return core_->WaitForResourceVersion(ctx, resource_version);
}

bool AnySharedInformer::HasResourceVersion(absl::string_view resource_version) const {
  return core_->HasResourceVersion(resource_version);
}

StoreAdvancedRegistration AnySharedInformer::OnStoreAdvanced(std::function<void()> callback) {
  if (callback == nullptr) return StoreAdvancedRegistration();
  const std::shared_ptr<internal::StoreCallbacks>& callbacks = core_->store_callbacks();
  return StoreAdvancedRegistration(callbacks, callbacks->Add(std::move(callback)));
}

std::string AnySharedInformer::LastSyncResourceVersion() const {
  return core_->store().snapshot().resource_version();
}

absl::StatusOr<HandlerRegistration> AnySharedInformer::AddHandler(internal::AnyHandler handler,
                                                                  HandlerOptions options) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<Listener> listener,
                        core_->AddHandler(std::move(handler), std::move(options)));
  return HandlerRegistration(std::move(listener), name());
}

void AnySharedInformer::RemoveEventHandler(const HandlerRegistration& registration) {
  core_->RemoveHandler(registration.listener_);
}

absl::Status AnySharedInformer::SetWatchErrorHandler(
    std::function<void(const absl::Status&)> handler) {
  return core_->SetErrorHandler(std::move(handler));
}

InformerStatus AnySharedInformer::status() const {
  InformerStatus status = {.reflector = core_->reflector_status(),
                           .synced = HasSynced(),
                           .stored = core_->store().snapshot().size(),
                           .queued = core_->queued(),
                           .handlers = core_->handlers()};
  if (status.reflector.last_heard.has_value()) {
    status.since_last_event = base::Now() - *status.reflector.last_heard;
  }
  return status;
}

}  // namespace kube::informers
