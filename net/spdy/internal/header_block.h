#ifndef NET_SPDY_INTERNAL_HEADER_BLOCK_H_
#define NET_SPDY_INTERNAL_HEADER_BLOCK_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"

// Header blocks before they are compressed: the number of pairs, and of each pair name and value,
// each behind its length; numbers have four bytes. Pure functions: thread-safe.
namespace kube::spdy::internal {

// Whether headers are those of a request or of a response, which may have a `host`.
enum class HeaderKind { kRequest, kResponse };

// Returns the kind of headers that follow those with which a stream was opened or accepted. As in
// spdystream, it does not depend on who sends them: on a stream of a server, they are a request.
inline HeaderKind KindOfFurtherHeaders(StreamId id) {
  return id % 2 == 0 ? HeaderKind::kRequest : HeaderKind::kResponse;
}

// Returns the block of the headers. Returns INVALID_ARGUMENT if a name is not one of HTTP or
// belongs to the connection (such as "keep-alive"), if a value contains NUL, or if a limit is
// exceeded.
absl::StatusOr<std::string> EncodeHeaders(const http::Headers& headers, HeaderKind kind,
                                          const Limits& limits);

// Returns the headers of a block: a line for each value, in their order. Errors are those of a peer
// (error.h). As in spdystream, headers that belong to the connection are refused, and a value may
// be empty.
//
// Unlike spdystream, which merges the values of names that occur twice and accepts names of any
// bytes without capital letters, it refuses both, as SPDY/3 demands.
absl::StatusOr<http::Headers> DecodeHeaders(absl::string_view block, HeaderKind kind,
                                            const Limits& limits);

}  // namespace kube::spdy::internal

#endif  // NET_SPDY_INTERNAL_HEADER_BLOCK_H_
