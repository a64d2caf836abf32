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

// All of a body; `length` is the Content-Length, for the memory, if there is one. An error is
// the stream's, and what was read is lost.
absl::StatusOr<std::string> ReadAll(const Context& ctx, watch::ByteStream& body,
                                    absl::string_view length);

// As much of a body as comes without an error, at most `limit` bytes.
std::string ReadSome(const Context& ctx, watch::ByteStream& body, size_t limit);

// A response of 200 without a body.
httpclient::HttpResponse EmptyResponse();

// The same body, whose end, error or destruction ends the span.
std::unique_ptr<watch::ByteStream> TracedBody(std::unique_ptr<watch::ByteStream> body,
                                              std::unique_ptr<Span> span);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_BODY_H_
