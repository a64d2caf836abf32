#ifndef CLIENTSET_REST_TRACE_H_
#define CLIENTSET_REST_TRACE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::rest {

// The trace of one request, from its first try to the end of its response's body or stream. The
// destructor ends the span. Thread-compatible.
class Span {
 public:
  virtual ~Span() = default;

  // Sets an attribute. Names are those of OpenTelemetry's HTTP conventions: "http.request.method",
  // "server.address", "http.response.status_code", "http.request.resend_count".
  virtual void SetAttribute(absl::string_view name, absl::string_view value) = 0;
  virtual void SetAttribute(absl::string_view name, int64_t value) = 0;
  // Records an event, such as "retry".
  virtual void AddEvent(absl::string_view name) = 0;
  // Adds the headers that propagate the trace, such as "traceparent", to the headers of a try.
  virtual void Inject(http::Headers& headers) = 0;
  // Sets the outcome: OK, or the error that the caller gets.
  virtual void SetStatus(const absl::Status& status) = 0;
};

// Records traces. Implement it over OpenTelemetry, for example: this library does not depend on it.
// Thread-safe.
class Tracer {
 public:
  virtual ~Tracer() = default;

  // Starts a span; never returns null. It is called on the thread that sends the request, so the
  // current span of that thread is the parent. `name` is the method and the path without the names
  // of objects: "GET /api/v1/namespaces/{namespace}/pods".
  virtual std::unique_ptr<Span> StartSpan(absl::string_view name) = 0;
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TRACE_H_
