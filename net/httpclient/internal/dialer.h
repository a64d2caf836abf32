#ifndef NET_HTTPCLIENT_INTERNAL_DIALER_H_
#define NET_HTTPCLIENT_INTERNAL_DIALER_H_

#include <curl/curl.h>
#include <openssl/ssl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// Opens one connection with curl: resolves names, tries several addresses, passes proxies, does the
// TLS handshakes with all checks. curl does not speak on the connection afterwards
// (CURLOPT_CONNECT_ONLY). It must be built with OpenSSL, whose SSL objects are taken over. With
// ConnectionOptions::dialer, curl only does the TLS handshake on the socket that the dialer
// returns, and nothing at all without TLS. Thread-compatible.
class Dialer final : public io::EventLoop::Listener {
 public:
  // `changed` is scheduled when dialing has ended. All arguments must outlive the dialer.
  Dialer(io::EventLoop& loop, const HttpTransportOptions& transport_options,
         const CurlOptions& options, DialThreads& dials, io::EventLoop::Task& changed);
  // Closes the connection, with TLS's close_notify.
  ~Dialer() override;
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;

  // Starts to dial; called once. Returns false if out of memory or threads, or if curl has no
  // OpenSSL. A malformed proxy is reported by status(), as other errors are.
  bool Start();

  bool done() const { return done_; }
  // Returns OK or the transport error; valid once done().
  const absl::Status& status() const { return status_; }
  // Requires status() to be OK. The socket must not outlive the dialer.
  std::unique_ptr<io::SecureSocket> MakeSocket() const;
  // Return the time to resolve the name, and the total time to open the connection.
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

  bool StartCurl();
  void OnDialed(absl::StatusOr<io::FileDescriptor> socket);
  void CancelDial();
  // Puts `dialed_` in the place of the socket that curl has connected.
  bool ReplacePlaceholder();

  void Act(curl_socket_t fd, int events);
  void OnCurlTimeout();
  void SetCurlTimer(long milliseconds);  // NOLINT: curl's type
  // Enforces connect_timeout and tls_handshake_timeout; curl has only one deadline.
  void OnTick();
  bool IsConnected() const;
  bool IsOwn(int fd) const;
  // Returns the open socket, or a negative number.
  int OpenFd() const;
  void Finish(absl::Status status);
  // Returns an error if the open connection does not go through the required proxy.
  absl::Status CheckProxy() const;
  absl::Status StatusOf(CURLcode code) const;
  // Returns "proxy:3128", or "" without a proxy.
  std::string ProxyName() const;

  io::EventLoop& loop_;
  const HttpTransportOptions& transport_options_;
  const CurlOptions& options_;
  DialThreads& dials_;
  io::EventLoop::Task& changed_;
  io::EventLoop::Timer curl_timer_;
  io::EventLoop::Timer tick_;
  std::array<char, CURL_ERROR_SIZE> error_ = {};
  base::MonotonicTime opening_since_;
  base::MonotonicTime connected_since_ = base::MonotonicTime::Infinite();
  base::MonotonicTime done_since_;
  bool done_ = false;
  absl::Status status_;

  // While ConnectionOptions::dialer dials; and its socket, until curl has got it.
  std::optional<DialThreads::Id> dial_;
  io::FileDescriptor dialed_;
  // The sockets to the proxy or server, and curl's internal sockets (those of its resolver) that
  // are watched.
  std::vector<int> sockets_;
  std::vector<int> helpers_;
  // The number of TLS contexts so far: first the proxy's, then the server's, if they use TLS.
  int contexts_ = 0;
  // The name that the certificate of the current handshake must have, and the error if it does not.
  std::string verified_name_;
  std::string name_mistake_;
  SSL* proxy_tls_ = nullptr;
  SSL* server_tls_ = nullptr;
  // Declared last, so that they are destroyed first: they close sockets through the callbacks.
  CurlMulti multi_;
  CurlEasy easy_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_DIALER_H_
