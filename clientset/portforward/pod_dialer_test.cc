#include "clientset/portforward/pod_dialer.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/testing/fake_pod.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/transport.h"
#include "net/io/duplex_stream.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

// A web server with one page.
absl::Status ServePage(const Context& ctx, io::DuplexStream& connection) {
  std::string received;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection.Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    received += bytes;
    if (!absl::EndsWith(received, "\r\n\r\n")) continue;
    received.clear();
    KUBE_RETURN_IF_ERROR(
        connection.Write(ctx, "HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nhealthy"));
  }
}

class PodDialerTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx_, pod_.MakeConnector(), {"prod", "web-0"});
    ASSERT_THAT(forwarder, IsOk());
    forwarder_ = *std::move(forwarder);
  }

  const Context ctx_ = WithTimeout(Context(), absl::Seconds(50));
  FakePod pod_;
  std::shared_ptr<Forwarder> forwarder_;
};

// Asks a server in the pod. This is the example of pod_dialer.h.
absl::StatusOr<httpclient::HttpResponse> GetHealth(
    const Context& ctx, const std::shared_ptr<Forwarder>& forwarder,
    const std::shared_ptr<httpclient::Transport>& transport) {
  const auto connection = std::make_shared<httpclient::ConnectionOptions>();
  connection->dialer = portforward::PodDialer(forwarder);
  httpclient::HttpRequest request = {.url = "http://localhost:8080/healthz"};
  request.connection = connection;
  return transport->RoundTrip(ctx, std::move(request));
}

TEST_F(PodDialerTest, ConnectsAnHttpClient) {
  pod_.Listen(8080, ServePage);
  const absl::StatusOr<std::shared_ptr<httpclient::HttpTransport>> transport =
      httpclient::MakeHttpTransport();
  ASSERT_THAT(transport, IsOk());
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<httpclient::HttpResponse> response =
        GetHealth(ctx_, forwarder_, *transport);
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(response->status, 200);
    std::string body;
    while (true) {
      const absl::StatusOr<std::string> bytes = response->body->Read(ctx_);
      ASSERT_THAT(bytes, IsOk());
      if (bytes->empty()) break;
      absl::StrAppend(&body, *bytes);
    }
    EXPECT_EQ(body, "healthy");
  }
}

TEST_F(PodDialerTest, AConnectionThatFailsInThePodEnds) {
  const std::shared_ptr<httpclient::ConnectionDialer> dialer = PodDialer(forwarder_);
  absl::StatusOr<io::FileDescriptor> socket = dialer->Dial(ctx_, {.host = "localhost", .port = 81});
  ASSERT_THAT(socket, IsOk());
  internal::LocalSocket local(*std::move(socket));
  const auto end = local.Read();
  EXPECT_TRUE(!end.ok() || end->empty());
}

TEST_F(PodDialerTest, ReportsThatItCannotConnect) {
  const std::shared_ptr<httpclient::ConnectionDialer> dialer = PodDialer(forwarder_);
  EXPECT_THAT(dialer->Dial(ctx_, {.host = "localhost", .port = 0}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid port 0")));
  EXPECT_THAT(dialer->Dial(ctx_, {.host = "localhost", .port = 65536}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid port 65536")));
  forwarder_->Close();
  EXPECT_THAT(dialer->Dial(ctx_, {.host = "localhost", .port = 80}).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("closed")));
}

TEST_F(PodDialerTest, TheDestructorEndsConnections) {
  pod_.Listen(80, FakePod::Echo);
  std::shared_ptr<httpclient::ConnectionDialer> dialer = PodDialer(forwarder_);
  absl::StatusOr<io::FileDescriptor> socket = dialer->Dial(ctx_, {.host = "localhost", .port = 80});
  ASSERT_THAT(socket, IsOk());
  internal::LocalSocket local(*std::move(socket));
  EXPECT_THAT(local.Write("x"), IsOk());
  EXPECT_THAT(local.Read(), IsOk());
  dialer.reset();
  const auto end = local.Read();
  EXPECT_TRUE(!end.ok() || end->empty());
}

}  // namespace
}  // namespace kube::portforward
