// Headers of hostile clients and servers: nothing crashes, a server only accepts what a client can
// check, and a client only accepts the answer to its own request.
//
// An input is lines "name: value"; "{accept}" in a value stands for the right answer.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "net/http/headers.h"
#include "net/websocket/handshake.h"

namespace kube::websocket {
namespace {

const char* const kOffered[] = {"v5.channel.k8s.io", "v4.channel.k8s.io"};

http::Headers Parse(absl::string_view text, absl::string_view accept) {
  http::Headers headers;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t colon = line.find(':');
    if (colon == absl::string_view::npos || !http::IsHeaderName(line.substr(0, colon))) continue;
    const absl::string_view value = absl::StripAsciiWhitespace(line.substr(colon + 1));
    headers.Add(line.substr(0, colon), absl::StrReplaceAll(value, {{"{accept}", accept}}));
  }
  return headers;
}

void AskServer(const http::Headers& request) {
  if (!IsHandshake(request)) return;
  const std::vector<std::string> known = {"", "v5.channel.k8s.io"};
  const HandshakeAnswer answer = AnswerHandshake("GET", request, known);
  KUBE_CHECK((answer.status == 101) == answer.reason.empty());
  if (answer.status != 101) return;
  KUBE_CHECK(absl::c_linear_search(known, answer.subprotocol));
  const std::vector<std::string> offered = OfferedSubprotocols(request);
  KUBE_CHECK(answer.subprotocol.empty() || absl::c_linear_search(offered, answer.subprotocol));
  KUBE_CHECK(answer.headers.Get("sec-websocket-accept") ==
             AcceptOf(absl::StripAsciiWhitespace(*request.Get("sec-websocket-key"))));
}

void AnswerClient(absl::string_view text) {
  const ClientHandshake handshake =
      MakeClientHandshake({std::begin(kOffered), std::end(kOffered)}).value();
  const std::string accept = AcceptOf(*handshake.RequestHeaders().Get("sec-websocket-key"));
  const http::Headers response = Parse(text, accept);
  const absl::StatusOr<std::string> chosen = handshake.CheckResponse(101, response);
  if (!chosen.ok()) return;
  KUBE_CHECK(absl::c_linear_search(kOffered, *chosen));
  KUBE_CHECK(response.Get("sec-websocket-accept") == accept);
  KUBE_CHECK(IsHandshake(response));
  KUBE_CHECK(!handshake.CheckResponse(200, response).ok());
}

}  // namespace
}  // namespace kube::websocket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::base::FakeClock clock;  // brings a key that can be replayed
  const kube::base::RuntimeScope scope(clock);
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  kube::websocket::AskServer(kube::websocket::Parse(text, "x"));
  kube::websocket::AnswerClient(text);
  return 0;
}
