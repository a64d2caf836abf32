#ifndef NET_HTTP_NGHTTP2_H_
#define NET_HTTP_NGHTTP2_H_

// What HTTP/2 clients and servers over nghttp2 have in common: owners of its objects, and
// conversions of its types.

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"

namespace kube::http {

// The maximum size of a header block that is sent, in bytes; nghttp2's default is 64 KiB. A stream
// with a larger one is reset.
inline constexpr size_t kMaxHeaderBlock = size_t{16} << 20;

struct FreeNghttp2 {
  void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
  void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
};
using UniqueNghttp2Session = std::unique_ptr<nghttp2_session, FreeNghttp2>;
using UniqueNghttp2Option = std::unique_ptr<nghttp2_option, FreeNghttp2>;

// Returns a header field for a call that copies name and value, such as nghttp2_submit_request. It
// refers to both.
inline nghttp2_nv MakePair(absl::string_view name, absl::string_view value) {
  return {.name = reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          .value = reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
          .namelen = name.size(),
          .valuelen = value.size(),
          .flags = NGHTTP2_NV_FLAG_NONE};
}

// Returns a view of bytes that nghttp2 passes to a callback.
inline absl::string_view View(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace kube::http

#endif  // NET_HTTP_NGHTTP2_H_
