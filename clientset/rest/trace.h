#ifndef CLIENTSET_REST_TRACE_H_
#define CLIENTSET_REST_TRACE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::rest {

// One request in a trace, from its first try to the end of its response's body or stream.
// Thread-compatible. Its destructor ends it.
class Span {
 public:
  virtual ~Span() = default;

  // Names are those of OpenTelemetry's conventions for HTTP: "http.request.method",
  // "server.address", "http.response.status_code", "http.request.resend_count".
  virtual void SetAttribute(absl::string_view name, absl::string_view value) = 0;
  virtual void SetAttribute(absl::string_view name, int64_t value) = 0;
  // Something that happened: a try, a wait.
  virtual void AddEvent(absl::string_view name) = 0;
  // Adds what carries the trace on, such as "traceparent", to the headers of a try.
  virtual void Inject(http::Headers& headers) = 0;
  // OK, or what the caller gets.
  virtual void SetStatus(const absl::Status& status) = 0;
};

// Where traces go: implement it over OpenTelemetry, for instance; we do not depend on it. Called on
// the thread that sends the request, whose present span is the parent. Thread-safe.
class Tracer {
 public:
  virtual ~Tracer() = default;

  // `name` is a method and a path without names of objects: "GET
  // /api/v1/namespaces/{namespace}/pods". Never null.
  virtual std::unique_ptr<Span> StartSpan(absl::string_view name) = 0;
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TRACE_H_
