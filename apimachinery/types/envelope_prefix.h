#ifndef APIMACHINERY_TYPES_ENVELOPE_PREFIX_H_
#define APIMACHINERY_TYPES_ENVELOPE_PREFIX_H_

#include "absl/strings/string_view.h"

namespace kube {

// The first bytes of every protobuf body of Kubernetes, by which it is told from JSON and YAML; a
// runtime.Unknown follows them. codec/envelope.h reads the whole.
inline constexpr absl::string_view kEnvelopePrefix("k8s\0", 4);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_ENVELOPE_PREFIX_H_
