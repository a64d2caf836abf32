// Bytes from a client, cut into pieces, into a session of HTTP/1 or HTTP/2: neither may crash, nor
// leave an exchange open.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/server.h"

namespace kube::httpserver::internal {
namespace {

// Answers in each of the ways that there are, by the length of the target.
class Answers final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    switch (exchange->request().target.size() % 5) {
      case 0:
        return exchange->Respond({.body = exchange->request().body});
      case 1:
        exchange->Inform(103, {});
        exchange->Write("a piece");
        return exchange->Finish({{"trailer", "t"}});
      case 2:
        exchange->Write("begun");
        return exchange->Abort();
      case 3:
        return exchange->Start(204, {});
      default:
        return;
    }
  }
};

void Run(bool http2, size_t piece, absl::string_view bytes) {
  const ServerOptions options = {.max_header_bytes = 500, .max_body_bytes = 500};
  Counters counters;
  Answers answers;
  SessionEnvironment environment = {.options = &options,
                                    .handler = &answers,
                                    .counters = &counters,
                                    .request = {},
                                    .make_wake = {},
                                    .faults = {}};
  environment.make_wake = [](int32_t) -> absl::AnyInvocable<void()> { return [] {}; };
  const std::unique_ptr<Session> session =
      http2 ? MakeHttp2Session(std::move(environment)) : MakeHttp1Session(std::move(environment));
  std::string out;
  while (!bytes.empty() && !session->finished()) {
    session->Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    session->Produce(out, out.size() + 1000);
    (void)session->activity();
  }
  session->EndOfInput();
  session->Produce(out, out.size() + 1000);
  session->Close(absl::CancelledError("the end"));
  KUBE_CHECK(counters.exchanges == 0);
}

}  // namespace
}  // namespace kube::httpserver::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  kube::httpserver::internal::Run((data[0] & 1) != 0, size_t{1} + data[1],
                                  {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
