// How a Forwarder connects by way of the API server: WebSocket first, SPDY second.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/portforward/testing/fake_pod.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"
#include "net/io/pipe.h"
#include "net/websocket/frame.h"
#include "net/websocket/handshake.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/tunnel.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kUrl[] = "http://localhost/api/v1/namespaces/prod/pods/web-0/portforward";
constexpr char kTunnel[] = "SPDY/3.1+portforward.k8s.io";

// A body that is all there.
class TextBody final : public watch::ByteStream {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  absl::StatusOr<std::string> Read(const Context&) override { return std::exchange(text_, ""); }
  void Close() override {}

 private:
  std::string text_;
};

// How a server answers a request for one of the two protocols.
struct Answer {
  // 101 switches protocols.
  int status = 101;
  // What it chooses instead of what was offered.
  std::string protocol = {};
  // An error of the network instead.
  absl::Status error = {};
};

// An API server that forwards to one pod.
class UpgradingTransport final : public httpclient::Transport {
 public:
  UpgradingTransport(FakePod& pod, Answer by_websocket, Answer by_spdy)
      : pod_(pod), websocket_answer_(std::move(by_websocket)), spdy_answer_(std::move(by_spdy)) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context&,
                                                     httpclient::HttpRequest request) override {
    {
      base::MutexLock lock(mutex_);
      requests_.push_back(absl::StrCat(request.method, " ", request.url));
    }
    EXPECT_TRUE(request.upgrade);
    const bool is_websocket = websocket::IsHandshake(request.headers);
    const Answer& answer = is_websocket ? websocket_answer_ : spdy_answer_;
    if (!answer.error.ok()) return answer.error;
    httpclient::HttpResponse response;
    response.status = answer.status;
    if (answer.status != 101) {
      response.headers = {{"content-type", "application/json"}};
      response.body = std::make_unique<TextBody>(
          absl::StrCat(R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)",
                       answer.status, R"(,"reason":"Forbidden","message":"not allowed"})"));
      return response;
    }
    response.body = std::make_unique<TextBody>("");
    io::Pipe pipe = io::MakePipe();
    response.connection = std::move(pipe.first);
    if (is_websocket) {
      const websocket::HandshakeAnswer handshake = websocket::AnswerHandshake(
          request.method, request.headers, std::vector<std::string>{kTunnel});
      response.headers = handshake.headers;
      if (!answer.protocol.empty()) {
        response.headers.Set("sec-websocket-protocol", answer.protocol);
      }
      pod_.Serve(websocket::MakeTunnel(std::make_unique<websocket::MessageStream>(
          std::move(pipe.second),
          websocket::MessageStreamOptions{.role = websocket::Role::kServer})));
    } else {
      EXPECT_EQ(request.headers.Get("upgrade"), "SPDY/3.1");
      EXPECT_TRUE(request.headers.HasToken("connection", "upgrade"));
      EXPECT_EQ(request.headers.Get("x-stream-protocol-version"), "portforward.k8s.io");
      response.headers = {
          {"connection", "Upgrade"},
          {"upgrade", "SPDY/3.1"},
          {"x-stream-protocol-version",
           answer.protocol.empty() ? std::string("portforward.k8s.io") : answer.protocol}};
      pod_.Serve(std::move(pipe.second));
    }
    return response;
  }
  void CloseIdleConnections() override {}

  std::vector<std::string> requests() const {
    base::MutexLock lock(mutex_);
    return requests_;
  }

 private:
  FakePod& pod_;
  const Answer websocket_answer_;
  const Answer spdy_answer_;
  mutable base::Mutex mutex_;
  std::vector<std::string> requests_ ABSL_GUARDED_BY(mutex_);
};

// Connects, and asks port 80 for a web page. This is the example of forwarder.h.
absl::StatusOr<std::string> GetPage(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
                        portforward::Forwarder::Connect(ctx, client, {"prod", "web-0"}));
  KUBE_ASSIGN_OR_RETURN(const auto stream, forwarder->Dial(ctx, 80));
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, "GET / HTTP/1.0\r\n\r\n"));
  return stream->Read(ctx);
}

std::string Get() { return absl::StrCat("GET ", kUrl); }
std::string Post() { return absl::StrCat("POST ", kUrl); }

// behaviour.md: ST-5, ST-37, ST-40, ST-92
TEST(ForwarderUpgrade, ChoosesTheProtocol) {
  struct Case {
    std::string name;
    Answer websocket;
    Answer spdy;
    std::vector<std::string> requests;
  };
  const std::vector<Case> cases = {
      {"a WebSocket", {}, {.status = 500}, {Get()}},
      {"SPDY if the WebSocket is forbidden", {.status = 403}, {}, {Get(), Post()}},
      {"SPDY if a proxy does not know WebSockets", {.status = 400}, {}, {Get(), Post()}},
      {"SPDY if the server chooses another protocol",
       {.protocol = "v4.channel.k8s.io"},
       {},
       {Get(), Post()}},
  };
  for (const Case& each : cases) {
    FakePod pod;
    pod.Listen(80, FakePod::Echo);
    const auto transport = std::make_shared<UpgradingTransport>(pod, each.websocket, each.spdy);
    const Context ctx = WithTimeout(Context(), absl::Seconds(30));
    EXPECT_THAT(GetPage(ctx, rest::MakeScriptedClient(transport)),
                IsOkAndHolds("GET / HTTP/1.0\r\n\r\n"))
        << each.name;
    EXPECT_EQ(transport->requests(), each.requests) << each.name;
  }
}

// behaviour.md: ST-40
TEST(ForwarderUpgrade, DoesNotTryAWebSocketIfTheOptionSaysSo) {
  FakePod pod;
  const auto transport = std::make_shared<UpgradingTransport>(pod, Answer(), Answer());
  EXPECT_THAT(Forwarder::Connect(WithTimeout(Context(), absl::Seconds(30)),
                                 rest::MakeScriptedClient(transport), {"prod", "web-0"},
                                 {.websocket = false}),
              IsOk());
  EXPECT_THAT(transport->requests(), ElementsAre(Post()));
}

// The error of the second attempt is what the caller sees, as in client-go.
// behaviour.md: ST-39, ST-47, ST-74
TEST(ForwarderUpgrade, ReportsThatBothAreRefused) {
  FakePod pod;
  const auto transport =
      std::make_shared<UpgradingTransport>(pod, Answer{.status = 400}, Answer{.status = 403});
  const absl::Status status =
      Forwarder::Connect(WithTimeout(Context(), absl::Seconds(30)),
                         rest::MakeScriptedClient(transport), {"prod", "web-0"})
          .status();
  EXPECT_TRUE(errors::IsForbidden(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith("forward ports of pod \"web-0\" in \"prod\": "),
                    HasSubstr("not allowed"), HasSubstr("; before, by WebSocket: ")));
}

// behaviour.md: ST-47
TEST(ForwarderUpgrade, ReportsAnotherProtocolThanOffered) {
  FakePod pod;
  const auto transport = std::make_shared<UpgradingTransport>(
      pod, Answer{.status = 403}, Answer{.protocol = "v4.channel.k8s.io"});
  EXPECT_THAT(Forwarder::Connect(WithTimeout(Context(), absl::Seconds(30)),
                                 rest::MakeScriptedClient(transport), {"prod", "web-0"}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unable to negotiate protocol: client supports "
                                 "\"portforward.k8s.io\", server returned \"v4.channel.k8s.io\"")));
}

// A second request would not help, and could hide the cause.
// behaviour.md: ST-74
TEST(ForwarderUpgrade, DoesNotTrySpdyIfTheServerCannotBeReached) {
  FakePod pod;
  const auto transport = std::make_shared<UpgradingTransport>(
      pod,
      Answer{.error = httpclient::MakeTransportError(
                 {.kind = httpclient::TransportErrorKind::kConnect}, "connection refused")},
      Answer());
  EXPECT_THAT(Forwarder::Connect(WithTimeout(Context(), absl::Seconds(30)),
                                 rest::MakeScriptedClient(transport), {"prod", "web-0"}),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr("connection refused")));
  EXPECT_THAT(transport->requests(), Not(testing::Contains(Post())));
}

// A refusal is remembered: client-go tries the WebSocket each time.
// behaviour.md: ST-74
TEST(ForwarderUpgrade, RemembersARefusal) {
  FakePod pod;
  pod.Listen(80, FakePod::Echo);
  const auto transport = std::make_shared<UpgradingTransport>(pod, Answer{.status = 403}, Answer());
  const Context ctx = WithTimeout(Context(), absl::Seconds(30));
  const absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
      Forwarder::Connect(ctx, rest::MakeScriptedClient(transport), {"prod", "web-0"});
  ASSERT_THAT(forwarder, IsOk());
  const absl::StatusOr<std::unique_ptr<PortStream>> stream = (*forwarder)->Dial(ctx, 80);
  ASSERT_THAT(stream, IsOk());
  pod.LoseConnections();
  EXPECT_FALSE((*stream)->Read(ctx).ok());
  EXPECT_THAT((*forwarder)->Dial(ctx, 80), IsOk());
  EXPECT_THAT(transport->requests(), ElementsAre(Get(), Post(), Post()));
}

}  // namespace
}  // namespace kube::portforward
