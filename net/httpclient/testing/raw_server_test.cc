#include "net/httpclient/testing/raw_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOkAndHolds;

TEST(RawServerTest, SendsWhatTheTestSays) {
  for (const bool tls : {false, true}) {
    SCOPED_TRACE(tls);
    std::string header;
    {
      RawServer server(
          [&header](RawServer::Connection& connection) {
            header = connection.ReadUntil("\r\n\r\n");
            EXPECT_TRUE(connection.Write("HTTP/1.1 200 OK\r\n\r\nuntil the end"));
          },
          {.tls = tls});
      const auto options = std::make_shared<ConnectionOptions>(server.connection());
      EXPECT_THAT(Get(*MakeTransport(), {.url = server.url("/a"), .connection = options}),
                  IsOkAndHolds("until the end"));
      EXPECT_EQ(server.connections(), 1);
    }
    EXPECT_THAT(header, ::testing::StartsWith("GET /a HTTP/1.1\r\n"));
  }
}

TEST(RawServerTest, Resets) {
  RawServer server([](RawServer::Connection& connection) {
    connection.ReadUntil("\r\n\r\n");
    connection.Reset();
  });
  const absl::Status status = Get(*MakeTransport(), {.url = server.url()}).status();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = TransportErrorKind::kReset}))
      << status;
}

TEST(RawServerTest, ItsDestructorEndsAllCalls) {
  for (const bool writes : {false, true}) {
    std::array<int, 2> ends = {};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const io::FileDescriptor client(ends[0]);
    bool ended = false;
    {
      RawServer server([&](RawServer::Connection& connection) {
        if (writes) {
          EXPECT_FALSE(connection.Write(std::string(size_t{64} << 20, 'x')));
        } else {
          EXPECT_EQ(connection.ReadUntil("x"), "");
        }
        ended = true;
      });
      server.Adopt(io::FileDescriptor(ends[1]));
      EXPECT_EQ(server.running(), 1);
    }
    EXPECT_TRUE(ended);
  }
}

}  // namespace
}  // namespace kube::httpclient
