#ifndef CONTROLLER_RECONCILE_INTERNAL_MAKE_CORE_H_
#define CONTROLLER_RECONCILE_INTERNAL_MAKE_CORE_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/internal/controller_core.h"

namespace kube::controller::internal {

// Returns a core with these options, completed by the host's. If the options have no name, it is
// the kind in lower case.
std::shared_ptr<ControllerCore> MakeCore(const ControllerHost& host, KeyControllerOptions options,
                                         schema::GroupVersionKind kind,
                                         meta::ObjectName (*name_of)(absl::string_view key));

// Registers a core with a manager for as long as it lives. Without a manager it does nothing.
class Registration {
 public:
  // Both outlive the registration. A name that is in use makes Manager::Run fail.
  Registration(Manager* manager, ControllerCore& core);
  // Blocks until the manager does not run the controller.
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  Manager* manager_;  // null without a manager, and if it has refused the name
  ControllerCore& core_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_MAKE_CORE_H_
