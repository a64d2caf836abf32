#ifndef APISERVER_DEFAULTS_DEFAULTS_H_
#define APISERVER_DEFAULTS_DEFAULTS_H_

#include "apimachinery/codec/any_object.h"

namespace kube::apiserver::internal {

// Fills in what clients leave out, as the servers' SetDefaults functions do when they decode; of
// the kinds that docs/envtest.md lists. Others stay as they are. Thread-safe for different objects.
void SetDefaults(codec::AnyObject& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_DEFAULTS_H_
