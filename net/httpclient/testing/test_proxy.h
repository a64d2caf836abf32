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
  // SOCKS5 (RFC 1928, 1929), or CONNECT of HTTP/1.1.
  bool socks5 = false;
  // Whom it serves. Empty: everybody.
  std::string user = {};
  std::string password = {};
  // Of CONNECT, in place of a tunnel. Zero: a tunnel.
  int status = 0;
  // Says nothing.
  bool stalls = false;
  // With it TLS is spoken to the proxy, without ALPN. Not with SOCKS5.
  std::optional<certificates::Certificate> tls = {};
};

// A proxy on 127.0.0.1, for tests of its clients: a thread for each connection. What it does not
// imitate: other ways to authenticate than Basic and a password, UDP and BIND of
// SOCKS, plain requests ("GET http://..."; they are answered with what was asked, and go nowhere).
// Thread-safe.
class TestProxy {
 public:
  explicit TestProxy(const TestProxyOptions& options = {});
  ~TestProxy();

  // "http://user:password@127.0.0.1:3128", without the user if there is none to be shown.
  std::string url(absl::string_view user_and_password = "") const;
  // Whereto tunnels were asked for, by those whom it serves: "localhost:6443".
  std::vector<std::string> targets() const;
  // What came out of tunnels to their targets, in bytes.
  int64_t carried() const { return carried_; }

  // From now on nothing comes out of the tunnels that are there, and they stay open: the network
  // has vanished. What is sent into them the kernel acknowledges until its buffers are full.
  void Silence() { ++silences_; }
  // Until the next call nothing is carried; nothing is lost either.
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
  int stop_ = -1;  // readable: the end
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
