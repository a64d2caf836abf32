#ifndef APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
#define APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_

#include "apimachinery/codec/any_object.h"

namespace kube::apiserver::internal {

// The defaults of admissionregistration.k8s.io; objects of other groups stay as they are. Pure:
// thread-safe. (pkg/apis/admissionregistration/v1)
void SetAdmissionDefaults(codec::AnyObject& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
