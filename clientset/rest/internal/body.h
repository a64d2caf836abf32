#ifndef CLIENTSET_REST_INTERNAL_BODY_H_
#define CLIENTSET_REST_INTERNAL_BODY_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/trace.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

// Reads the whole body. `length` is the Content-Length header, or empty; it is used to reserve
// memory. Returns the stream's error; what was read until then is lost.
absl::StatusOr<std::string> ReadAll(const Context& ctx, watch::ByteStream& body,
                                    absl::string_view length);

// Reads up to `limit` bytes of a body, and stops at the first error.
std::string ReadSome(const Context& ctx, watch::ByteStream& body, size_t limit);

// Returns a response with status 200 and without a body.
httpclient::HttpResponse EmptyResponse();

// Returns the same body; the span ends when the body ends, fails or is destroyed.
std::unique_ptr<watch::ByteStream> TracedBody(std::unique_ptr<watch::ByteStream> body,
                                              std::unique_ptr<Span> span);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_BODY_H_
