// Bodies of watches, for the servers of benchmarks.
#ifndef BENCHMARKS_REST_WATCH_BODIES_H_
#define BENCHMARKS_REST_WATCH_BODIES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/scheme/media_type.h"
#include "net/httpserver/exchange.h"

namespace kube::benchmarks {

// Appends an event ("ADDED") with the bytes of its object, framed as a server does in this format.
void AppendEvent(scheme::Format format, absl::string_view type, absl::string_view object,
                 std::string& out);

// Writes the body as fast as the client reads, and blocks until all of it is written. Returns false
// if the client has stopped reading.
bool Stream(httpserver::Exchange& exchange, absl::string_view body);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_REST_WATCH_BODIES_H_
