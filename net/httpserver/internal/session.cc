#include "net/httpserver/internal/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/text/http_date.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/stream.h"
#include "net/httpserver/internal/switched_connection.h"

namespace kube::httpserver::internal {

std::shared_ptr<Stream> OpenStream(SessionEnvironment& environment, Request request,
                                   HeldMemory held, int32_t number,
                                   std::shared_ptr<SwitchedConnection> upgrade) {
  ++environment.progress->requests;
  ++environment.counters->requests;
  ++environment.counters->exchanges;
  StreamEnvironment needs = {.wake = environment.make_wake(number),
                             .max_buffered_bytes = environment.options->max_buffered_bytes,
                             .slow_readers = &environment.counters->slow_readers,
                             .connect = {},
                             .faults = environment.faults,
                             .held = std::move(held)};
  if (upgrade != nullptr) {
    needs.connect = [upgrade = std::move(upgrade)] { return upgrade->ForHandler(); };
  }
  return std::make_shared<Stream>(std::move(request), std::move(needs));
}

void CloseStream(SessionEnvironment& environment, Stream& stream, const absl::Status& why) {
  --environment.counters->exchanges;
  stream.Close(why);
}

Request WithConnection(const SessionEnvironment& environment, Request request) {
  request.peer_address = environment.request.peer_address;
  request.tls = environment.request.tls;
  request.client_certificate = environment.request.client_certificate;
  return request;
}

bool IsConnectionHeader(absl::string_view name) {
  return name == "connection" || name == "keep-alive" || name == "proxy-connection" ||
         name == "transfer-encoding" || name == "upgrade";
}

std::string HttpDate() { return text::FormatHttpDate(base::Runtime::Real().WallNow()); }

}  // namespace kube::httpserver::internal
