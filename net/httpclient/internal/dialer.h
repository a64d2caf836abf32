#ifndef NET_HTTPCLIENT_INTERNAL_DIALER_H_
#define NET_HTTPCLIENT_INTERNAL_DIALER_H_

#include <curl/curl.h>
#include <openssl/ssl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/io/event_loop.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// Opens one connection by curl: names, addresses that are tried at once, proxies, TLS with all
// checks. What is said on it afterwards is not curl's business (CURLOPT_CONNECT_ONLY), which
// therefore must be built with OpenSSL. Thread-compatible.
class Dialer final : public io::EventLoop::Listener {
 public:
  // All outlive it. `changed` is scheduled when it is done.
  Dialer(io::EventLoop& loop, const HttpTransportOptions& transport_options,
         const CurlOptions& options, io::EventLoop::Task& changed);
  // Closes the connection, and says goodbye as TLS does.
  ~Dialer() override;
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  // Once. False: out of memory, or curl has no OpenSSL. A proxy that is none is told of as all
  // other errors are.
  bool Start();

  bool done() const { return done_; }
  // Once it is done: OK, or the transport error.
  const absl::Status& status() const { return status_; }
  // If it is OK. The socket lives as long as the dialer.
  std::unique_ptr<io::SecureSocket> MakeSocket() const;
  // How long it took to find the address, and all in all.
  absl::Duration resolved() const;
  absl::Duration opened() const { return done_since_ - opening_since_; }

  void OnEvents(int fd, uint32_t events) override;

 private:
  static int OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*);
  static int OnTimer(CURLM*, long milliseconds, void* self);  // NOLINT: curl's type
  static curl_socket_t OpenSocket(void* self, curlsocktype, curl_sockaddr* address);
  static int CloseSocket(void* self, curl_socket_t fd);
  static CURLcode OnTlsContext(CURL*, void* context, void* self);
  static void OnTlsInfo(const SSL* tls, int where, int result);
  static int OnVerify(int ok, X509_STORE_CTX* store);
  static Dialer& Of(const SSL* tls);

  void Act(curl_socket_t fd, int events);
  void OnCurlTimeout();
  void SetCurlTimer(long milliseconds);  // NOLINT: curl's type
  // Looks at the deadlines, which curl has only one of.
  void OnTick();
  bool IsConnected() const;
  bool IsOwn(int fd) const;
  void Finish(absl::Status status);
  // Whether the connection that is open goes where it should.
  absl::Status CheckProxy() const;
  absl::Status StatusOf(CURLcode code) const;
  // "proxy:3128"; empty without one.
  std::string ProxyName() const;

  io::EventLoop& loop_;
  const HttpTransportOptions& transport_options_;
  const CurlOptions& options_;
  io::EventLoop::Task& changed_;
  io::EventLoop::Timer curl_timer_;
  io::EventLoop::Timer tick_;
  std::array<char, CURL_ERROR_SIZE> error_ = {};
  base::MonotonicTime opening_since_;
  base::MonotonicTime connected_since_ = base::MonotonicTime::Infinite();
  base::MonotonicTime done_since_;
  bool done_ = false;
  absl::Status status_;

  // Those to the proxy or server; and curl's own that are watched, those of its resolver.
  std::vector<int> sockets_;
  std::vector<int> helpers_;
  // With the proxy, and with the server; of those that there are.
  int contexts_ = 0;
  // What the certificate of the handshake that goes on has to name, and what is wrong with it.
  std::string verified_name_;
  std::string name_mistake_;
  SSL* proxy_tls_ = nullptr;
  SSL* server_tls_ = nullptr;
  // Last, so first to go: they close sockets through the callbacks.
  CurlMulti multi_;
  CurlEasy easy_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_DIALER_H_
