#ifndef CLIENTSET_DYNAMIC_INTERNAL_CBOR_BODY_H_
#define CLIENTSET_DYNAMIC_INTERNAL_CBOR_BODY_H_

#include <memory>

#include "apimachinery/watch/byte_stream.h"

namespace kube::dynamic::internal {

// Returns a body that reads CBOR from `next` and gives JSON: of one data item, or, for a sequence,
// of one after the other, each with a line feed behind it, as soon as it has arrived. The errors of
// Read are those of `next`, those of unstructured::ParseCbor, RESOURCE_EXHAUSTED for an item that
// is too large, and UNAVAILABLE if a sequence ends within an item.
std::unique_ptr<watch::ByteStream> MakeCborBody(std::unique_ptr<watch::ByteStream> next,
                                                bool sequence);

}  // namespace kube::dynamic::internal

#endif  // CLIENTSET_DYNAMIC_INTERNAL_CBOR_BODY_H_
