#ifndef ENVTEST_SERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
#define ENVTEST_SERVER_DEFAULTS_ADMISSION_DEFAULTS_H_

#include "apimachinery/codec/any_object.h"

namespace kube::envtest::internal {

// The defaults of admissionregistration.k8s.io; objects of other groups stay as they are. Pure:
// thread-safe. (pkg/apis/admissionregistration/v1)
void SetAdmissionDefaults(codec::AnyObject& object);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_DEFAULTS_ADMISSION_DEFAULTS_H_
