#ifndef NET_HTTP_INTERNAL_NGHTTP2_H_
#define NET_HTTP_INTERNAL_NGHTTP2_H_

// What a client's and a server's use of nghttp2 have in common.

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"

namespace kube::http::internal {

// The longest header that is sent; nghttp2's own limit is 64 kB. Beyond it the stream is reset.
inline constexpr size_t kMaxHeaderBlock = size_t{16} << 20;

struct FreeNghttp2 {
  void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
};
using UniqueNghttp2Session = std::unique_ptr<nghttp2_session, FreeNghttp2>;
using UniqueNghttp2Option = std::unique_ptr<nghttp2_option, FreeNghttp2>;

// A line of a header, for a call that copies both, as those do that submit something.
inline nghttp2_nv MakePair(absl::string_view name, absl::string_view value) {
  return {.name = reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          .value = reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

// What nghttp2 tells of.
inline absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace kube::http::internal

#endif  // NET_HTTP_INTERNAL_NGHTTP2_H_
