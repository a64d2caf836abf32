#ifndef NET_SPDY_INTERNAL_DICTIONARY_H_
#define NET_SPDY_INTERNAL_DICTIONARY_H_

#include "absl/strings/string_view.h"

namespace kube::spdy::internal {

// Returns the text with which both sides begin to compress headers, so that common names take few
// bytes from the first block on: section 2.6.10.1 of SPDY/3. Thread-safe.
absl::string_view Dictionary();

}  // namespace kube::spdy::internal

#endif  // NET_SPDY_INTERNAL_DICTIONARY_H_
