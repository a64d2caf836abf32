#ifndef APISERVER_CALL_CONTROLLER_ADMISSION_H_
#define APISERVER_CALL_CONTROLLER_ADMISSION_H_

#include <memory>

#include "apimachinery/base/context.h"
#include "apiserver/call/core.h"
#include "apiserver/registry/collector.h"
#include "apiserver/registry/write_admission.h"

namespace kube::apiserver::internal {

// Returns what asks webhooks and policies about a deletion by a controller, as about a request of
// its user (ControllerDeletion::account); null if none is to be asked. Both must outlive the
// result. `ctx` ends the calls. Thread-safe.
std::unique_ptr<WriteAdmission> AdmissionOf(Core& core, const ControllerDeletion& deletion,
                                            const Context& ctx);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CONTROLLER_ADMISSION_H_
