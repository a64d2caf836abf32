#ifndef APISERVER_DEFAULTS_DEFAULTS_H_
#define APISERVER_DEFAULTS_DEFAULTS_H_

#include "apimachinery/codec/any_object.h"

namespace kube::apiserver::internal {

// Fills in what clients leave out, as kube-apiserver's SetDefaults functions do after decoding, for
// the kinds that docs/envtest.md lists. Other kinds are not changed. Thread-safe for different
// objects.
void SetDefaults(codec::AnyObject& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_DEFAULTS_H_
