#ifndef APIMACHINERY_CODEC_SHARING_DEFERRED_STRING_H_
#define APIMACHINERY_CODEC_SHARING_DEFERRED_STRING_H_

#include "apimachinery/codec/sharing/sharing_node.h"

namespace kube::codec::internal {

// A string that is looked for when the rest of its object has been decoded: until then its
// StringRep points here.
struct DeferredString {
  const char* data;   // in the input
  SharingNode* node;  // null: not shared
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_SHARING_DEFERRED_STRING_H_
