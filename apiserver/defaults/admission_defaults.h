#ifndef APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
#define APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_

#include "apimachinery/codec/any_object.h"

namespace kube::apiserver::internal {

// Sets the defaults of admissionregistration.k8s.io. Objects of other groups are not changed
// (kube-apiserver: `pkg/apis/admissionregistration/v1`). Pure and thread-safe.
void SetAdmissionDefaults(codec::AnyObject& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
