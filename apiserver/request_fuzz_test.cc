// Any request to an API server: its first line, its headers and its body. Nothing may crash it, and
// every answer has a status.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

// "METHOD TARGET\nCONTENT-TYPE\nACCEPT\nBODY"; of a missing part nothing.
absl::string_view TakeLine(absl::string_view& rest) {
  const size_t end = rest.find('\n');
  const absl::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == absl::string_view::npos ? rest.size() : end + 1);
  return line;
}

void Run(absl::string_view input) {
  static ApiHandler handler({.anonymous = Anonymous::kAll,
                             .fresh_timeout = absl::ZeroDuration(),
                             .max_logged_requests = 10,
                             // A webhook that an input configures would make later ones wait.
                             .max_webhook_requests = 0,
                             .storage = {.max_changes = 100}});
  const absl::string_view first = TakeLine(input);
  const size_t space = first.find(' ');
  httpserver::Request request{.method = std::string(first.substr(0, space))};
  request.target = "/";
  if (space != absl::string_view::npos) request.target += std::string(first.substr(space + 1));
  request.headers.Set("content-type", TakeLine(input));
  request.headers.Set("accept", TakeLine(input));
  request.body = std::string(input);
  const bool waits = request.target.find("resourceVersion") != std::string::npos;
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  handler.Handle(exchange);
  KUBE_CHECK(waits || exchange->status() >= 200);
  exchange->Cancel();
}

}  // namespace
}  // namespace kube::apiserver

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::apiserver::Run(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
