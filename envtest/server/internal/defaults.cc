#include "envtest/server/internal/defaults.h"

#include "apimachinery/codec/any_object.h"

namespace kube::envtest::internal {

void SetDefaults(codec::AnyObject&) {}

}  // namespace kube::envtest::internal
