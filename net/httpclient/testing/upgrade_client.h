#ifndef NET_HTTPCLIENT_TESTING_UPGRADE_CLIENT_H_
#define NET_HTTPCLIENT_TESTING_UPGRADE_CLIENT_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/testing/raw_server.h"
#include "net/httpclient/testing/test_server.h"
#include "net/io/duplex_stream.h"

// What the tests of requests for another protocol share: a server that switches to it, and a client
// of the connection.
namespace kube::httpclient {

inline constexpr absl::string_view kSwitch =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

// Reads the request and answers 101 with these first bytes. Returns false if the client has gone.
inline bool Switch(RawServer::Connection& connection, absl::string_view first = "") {
  if (connection.ReadUntil("\r\n\r\n").empty()) return false;
  return connection.Write(absl::StrCat(kSwitch, first));
}

inline void Echo(RawServer::Connection& connection) {
  if (!Switch(connection)) return;
  for (std::string bytes; !(bytes = connection.Read()).empty();) {
    if (!connection.Write(bytes)) return;
  }
}

inline HttpRequest Upgrade(const std::string& url, const ConnectionOptions& options) {
  return {.url = url,
          .headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}},
          .connection = std::make_shared<ConnectionOptions>(options),
          .upgrade = true};
}
inline HttpRequest Upgrade(const RawServer& server) {
  return Upgrade(server.url(), server.connection());
}

// Returns the connection, which the server must have switched.
inline std::unique_ptr<io::DuplexStream> Connect(Transport& transport, HttpRequest request) {
  absl::StatusOr<HttpResponse> response = transport.RoundTrip(Soon(), std::move(request));
  EXPECT_THAT(response, base::IsOk());
  if (!response.ok()) return nullptr;
  EXPECT_EQ(response->status, 101);
  EXPECT_EQ(response->headers.Get("upgrade"), "echo");
  EXPECT_THAT(response->body->Read(Soon()), base::IsOkAndHolds(""));
  return std::move(response->connection);
}

// Reads until there are `size` bytes.
inline absl::StatusOr<std::string> ReadBytes(const Context& ctx, io::DuplexStream& stream,
                                             size_t size) {
  std::string all;
  while (all.size() < size) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, stream.Read(ctx));
    if (piece.empty()) return absl::DataLossError(absl::StrCat("end after ", all.size()));
    all += piece;
  }
  return all;
}

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TESTING_UPGRADE_CLIENT_H_
