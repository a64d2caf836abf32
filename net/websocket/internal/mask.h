#ifndef NET_WEBSOCKET_INTERNAL_MASK_H_
#define NET_WEBSOCKET_INTERNAL_MASK_H_

#include <array>
#include <cstddef>

#include "absl/types/span.h"

namespace kube::websocket::internal {

// Masks or unmasks `data`, the bytes of a payload from `position` on, with the key (RFC 6455,
// section 5.3). Eight bytes at a time, or more if the compiler can. Thread-safe.
void ApplyMask(const std::array<char, 4>& key, size_t position, absl::Span<char> data);

}  // namespace kube::websocket::internal

#endif  // NET_WEBSOCKET_INTERNAL_MASK_H_
