#include "controller/reconcile/internal/make_core.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/internal/controller_core.h"

namespace kube::controller::internal {

std::shared_ptr<ControllerCore> MakeCore(const ControllerHost& host, KeyControllerOptions options,
                                         schema::GroupVersionKind kind,
                                         meta::ObjectName (*name_of)(absl::string_view key)) {
  CoreOptions core;
  core.name = options.name.empty() ? absl::AsciiStrToLower(kind.kind) : std::move(options.name);
  core.kind = std::move(kind);
  core.name_of = name_of;
  core.workers = std::max(1, options.workers > 0 ? options.workers : host.workers);
  core.queue = std::move(options.queue);
  core.reconcile_timeout = options.reconcile_timeout.value_or(host.reconcile_timeout);
  // As in controller-runtime: with this timeout, no reconcile could succeed.
  if (core.reconcile_timeout <= absl::ZeroDuration()) {
    core.reconcile_timeout = absl::InfiniteDuration();
  }
  core.own_writes_timeout = options.own_writes_timeout.value_or(host.own_writes_timeout);
  core.always_runs = options.always_runs;
  core.warm = options.warm;
  core.max_retries = options.max_retries;
  core.metrics = host.metrics;
  core.recorder = host.recorder;
  return std::make_shared<ControllerCore>(std::move(core));
}

Registration::Registration(Manager* manager, ControllerCore& core)
    : manager_(manager), core_(core) {
  if (manager_ == nullptr) return;
  if (const absl::Status registered = manager_->Register(core_); !registered.ok()) {
    core_.NoteSetupError(registered);
    manager_ = nullptr;
  }
}

Registration::~Registration() {
  if (manager_ != nullptr) manager_->Unregister(core_);
}

}  // namespace kube::controller::internal
