#ifndef NET_HTTPCLIENT_TESTING_HTTP1_SESSION_FIXTURE_H_
#define NET_HTTPCLIENT_TESTING_HTTP1_SESSION_FIXTURE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/testing/fake_stream.h"
#include "net/httpclient/transport_error.h"

// What the tests of HTTP/1.1 sessions share: one session, and what it sends.
namespace kube::httpclient::internal {

inline constexpr size_t kMaxHeaderBytes = 1000;
inline constexpr size_t kAll = 1 << 20;

inline std::unique_ptr<Session> MakeSession(PlainProxy proxy = {}) {
  return MakeHttp1Session({.max_header_bytes = kMaxHeaderBytes, .window_bytes = 0},
                          std::move(proxy));
}

inline std::string Sent(Session& session, size_t limit = kAll) {
  std::string out;
  session.Produce(out, limit);
  return out;
}

// The head of a response that is fine.
inline constexpr absl::string_view kOk = "HTTP/1.1 200 OK\r\n";

// Returns a request for the protocol "x".
inline HttpRequest Upgrade() {
  return {.headers = {{"Connection", "Upgrade"}, {"Upgrade", "x"}}, .upgrade = true};
}

// A session whose requests come one after the other.
class Http1ConnectionTest : public ::testing::Test {
 protected:
  void Start(FakeStream& stream) {
    session_->Start(stream);
    Sent(*session_);
  }
  TransportErrorKind FailureKind() const {
    EXPECT_TRUE(session_->failure().has_value());
    return session_->failure().value_or(StreamEnd{}).error.value_or(TransportErrorKind::kClosed);
  }

  const std::unique_ptr<Session> session_ = MakeSession();
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_TESTING_HTTP1_SESSION_FIXTURE_H_
