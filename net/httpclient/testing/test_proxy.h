#ifndef NET_HTTPCLIENT_TESTING_TEST_PROXY_H_
#define NET_HTTPCLIENT_TESTING_TEST_PROXY_H_

#include <openssl/ssl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "net/certificates/certificate_authority.h"

namespace kube::httpclient {

struct TestProxyOptions {
  // Whether it speaks SOCKS5 (RFC 1928, 1929) instead of HTTP/1.1 CONNECT.
  bool socks5 = false;
  // The required user and password. Empty: none required.
  std::string user = {};
  std::string password = {};
  // The status with which CONNECT is refused. Zero: it is accepted.
  int status = 0;
  // Whether the proxy accepts connections and never answers.
  bool stalls = false;
  // Makes clients speak TLS to the proxy, without ALPN. Not with SOCKS5.
  std::optional<certificates::Certificate> tls = {};
};

// A proxy on 127.0.0.1, for tests of clients, with a thread for each connection. Not imitated:
// other authentication than Basic and a password, UDP and BIND of SOCKS, and the forwarding of
// plain requests ("GET http://..."), which are answered with their request line. Thread-safe.
class TestProxy {
 public:
  explicit TestProxy(const TestProxyOptions& options = {});
  ~TestProxy();

  // Returns a URL such as "http://127.0.0.1:3128", with `user_and_password` if it is not empty.
  std::string url(absl::string_view user_and_password = "") const;
  // Returns the targets of accepted tunnel requests, such as "localhost:6443".
  std::vector<std::string> targets() const;
  // Returns the number of bytes carried through tunnels.
  int64_t carried() const { return carried_; }

  // Makes existing tunnels carry nothing but stay open, as if the network had vanished. The kernel
  // acknowledges what is sent into them until its buffers are full.
  void Silence() { ++silences_; }
  // While set, tunnels carry nothing; nothing is lost.
  void set_holds(bool holds) { holds_ = holds; }

 private:
  class Connection;
  struct FreeTls {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  void Accept();
  void Serve(Connection& client);
  void ServeHttp(Connection& client);
  void ServeSocks(Connection& client);
  void Tunnel(Connection& client, Connection& server);

  const TestProxyOptions options_;
  int listener_ = -1;
  int stop_ = -1;  // becomes readable at the end
  uint16_t port_ = 0;
  std::unique_ptr<SSL_CTX, FreeTls> tls_;
  std::atomic<int64_t> carried_{0};
  std::atomic<int> silences_{0};
  std::atomic<bool> holds_{false};
  mutable base::Mutex mutex_;
  std::vector<std::string> targets_ ABSL_GUARDED_BY(mutex_);
  base::ThreadGroup connections_{Context()};
  base::Thread thread_;
};

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TESTING_TEST_PROXY_H_
