#include "net/httpclient/internal/dialer.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/certificate_names.h"
#include "net/httpclient/internal/close_on_exec.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// Each dialer has a curl multi handle with one easy handle, driven by the event loop through
// curl_multi_socket_action: OnSocket tells which sockets to watch, OnTimer when to call again.
// curl's sockets come from OpenSocket, which refuses any address but the proxy's if there is one;
// other descriptors in OnSocket belong to curl's resolver. OnTlsContext runs before each TLS
// handshake (first with an https proxy, then with the server): it sets ALPN, the name check, and
// the hooks that remember the SSL objects and explain a wrong name. Finish takes effect once, with
// curl's result or at a deadline. From then on curl's handle is kept only because closing it closes
// the connection.
//
// With a ConnectionDialer, DialThreads comes first. Its socket is used as it is, or curl does TLS
// on it. For that curl must hold a connected socket, but curl 7.88 connects every socket, also one
// for which CURLOPT_SOCKOPTFUNCTION says that it is connected, and fails if it is. Therefore
// OpenSocket gives it a datagram socket as a placeholder, which it connects to a loopback address
// at once and without a packet; OnTlsContext, which runs before the first byte is sent, puts the
// dialed socket in its place, under the same number (dup3).

namespace {

// The accuracy of the deadlines.
constexpr absl::Duration kTick = absl::Milliseconds(100);

template <typename Value>
bool Set(CURL* easy, CURLoption option, Value value) {
  return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

void SetSocketOption(int fd, int level, int option, int value) {
  // An option that a socket does not support is not essential.
  ::setsockopt(fd, level, option, &value, sizeof(value));
}

int Seconds(absl::Duration duration) {
  return static_cast<int>(std::clamp<int64_t>(absl::ToInt64Seconds(duration), 1, 32767));
}

// Lets TCP detect a vanished peer: it sends keep-alives after a period of silence, and closes the
// connection if they, or data, are not acknowledged. The latter also closes a connection whose peer
// is alive but takes no data for so long (a window of zero). After an upgrade that may be right:
// the program at the other end reads when it likes. Then only the kernel's own limit applies to
// data, which is about 15 minutes and for silent peers only, as in Go.
void PrepareSocket(int fd, const HttpTransportOptions& options, bool upgrade) {
  const int interval = Seconds(options.keep_alive_interval);
  const int idle = Seconds(options.keep_alive_idle);
  const int lost = Seconds(options.lost_after);
  SetSocketOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPCNT, std::max(1, (lost - idle) / interval));
  if (!upgrade) {
    SetSocketOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
                    static_cast<int>(absl::ToInt64Milliseconds(options.lost_after)));
  }
  SetSocketOption(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

bool HasPeer(int fd) {
  sockaddr_storage peer;
  socklen_t size = sizeof(peer);
  return ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
}

// Makes a multi handle. Each connection has one of its own, because curl closes connections that
// share one when it considers them idle.
CurlMulti MakeMulti() {
  // curl_multi_init creates a socket pair, which gets the lowest free descriptors.
  const int guess = ::eventfd(0, EFD_CLOEXEC);
  const int other_guess = ::eventfd(0, EFD_CLOEXEC);
  if (guess >= 0) ::close(guess);
  if (other_guess >= 0) ::close(other_guess);
  CurlMulti multi(curl_multi_init());
  if (multi == nullptr) return multi;
  SetCloseOnExecOfWakeUp([&multi] { curl_multi_wakeup(multi.get()); }, guess, other_guess);
  return multi;
}

int DialerIndex() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

}  // namespace

Dialer::Dialer(io::EventLoop& loop, const HttpTransportOptions& transport_options,
               const CurlOptions& options, DialThreads& dials, io::EventLoop::Task& changed)
    : loop_(loop),
      transport_options_(transport_options),
      options_(options),
      dials_(dials),
      changed_(changed),
      curl_timer_(loop, [this] { OnCurlTimeout(); }),
      tick_(loop, [this] { OnTick(); }),
      opening_since_(loop.now()),
      multi_(MakeMulti()),
      easy_(curl_easy_init()) {}

Dialer::~Dialer() {
  done_ = true;
  CancelDial();
  if (multi_ != nullptr && easy_ != nullptr) curl_multi_remove_handle(multi_.get(), easy_.get());
  easy_.reset();
  multi_.reset();
  // curl may have closed descriptors without telling; the loop must not report them to this object.
  for (const int fd : helpers_) loop_.Forget(fd, this);
  for (const int fd : sockets_) loop_.Forget(fd, this);
}

bool Dialer::Start() {
  if (multi_ == nullptr || easy_ == nullptr) return false;
  if (!options_.proxy_status().ok()) {
    curl_timer_.Set(loop_.now());
    return true;
  }
  tick_.Set(opening_since_ + kTick);
  if (!options_.has_dialer()) return StartCurl();
  const ConnectionOptions& options = options_.connection();
  dial_ = dials_.Start(
      options.dialer, options_.dial_address(), options.connect_timeout,
      [this](absl::StatusOr<io::FileDescriptor> socket) { OnDialed(std::move(socket)); });
  return dial_.has_value();
}

void Dialer::OnDialed(absl::StatusOr<io::FileDescriptor> socket) {
  dial_.reset();
  if (socket.ok() && !HasPeer(socket->get())) {
    socket = absl::FailedPreconditionError("the dialer's socket is not connected");
  }
  if (!socket.ok()) {
    const std::optional<TransportError> error = TransportErrorOf(socket.status());
    return Finish(MakeTransportError(
        {.kind = error.has_value() ? error->kind : TransportErrorKind::kConnect,
         .maybe_sent = false},
        absl::StrCat("connect to ", options_.authority(), ": ", socket.status().message())));
  }
  dialed_ = *std::move(socket);
  const int fd = dialed_.get();
  loop_.Forget(fd);  // curl may have closed this number silently
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  PrepareSocket(fd, transport_options_, options_.upgrade());
  connected_since_ = loop_.now();
  if (!options_.uses_tls()) return Finish(absl::OkStatus());
  if (!StartCurl()) {
    Finish(absl::ResourceExhaustedError(
        "connect: out of memory, or libcurl is not built with OpenSSL"));
  }
}

void Dialer::CancelDial() {
  if (dial_.has_value()) dials_.Cancel(*dial_);
  dial_.reset();
}

bool Dialer::StartCurl() {
  CURLM* const multi = multi_.get();
  CURL* const easy = easy_.get();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &OnSocket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &OnTimer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  void* const self = this;
  const bool ok = options_.Apply(easy) && Set(easy, CURLOPT_CONNECT_ONLY, 1L) &&
                  Set(easy, CURLOPT_ERRORBUFFER, error_.data()) &&
                  Set(easy, CURLOPT_OPENSOCKETFUNCTION, &OpenSocket) &&
                  Set(easy, CURLOPT_OPENSOCKETDATA, self) &&
                  Set(easy, CURLOPT_CLOSESOCKETFUNCTION, &CloseSocket) &&
                  Set(easy, CURLOPT_CLOSESOCKETDATA, self) &&
                  (!options_.uses_tls() || (Set(easy, CURLOPT_SSL_CTX_FUNCTION, &OnTlsContext) &&
                                            Set(easy, CURLOPT_SSL_CTX_DATA, self)));
  if (!ok || curl_multi_add_handle(multi, easy) != CURLM_OK) return false;
  // The rest runs from the loop, so that Start calls nobody back.
  curl_timer_.Set(loop_.now());
  return true;
}

int Dialer::OpenFd() const { return sockets_.empty() ? dialed_.get() : sockets_.back(); }

std::unique_ptr<io::SecureSocket> Dialer::MakeSocket() const {
  return std::make_unique<io::SecureSocket>(OpenFd(), proxy_tls_, server_tls_);
}

absl::Duration Dialer::resolved() const {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_NAMELOOKUP_TIME_T, &microseconds);
  return absl::Microseconds(microseconds);
}

// ---- Driving curl

void Dialer::Act(curl_socket_t fd, int events) {
  int running = 0;
  curl_multi_socket_action(multi_.get(), fd, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    return Finish(StatusOf(message->data.result));
  }
}

void Dialer::OnEvents(int fd, uint32_t events) {
  int action = 0;
  if ((events & EPOLLIN) != 0) action |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) action |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) != 0) action |= CURL_CSELECT_ERR;
  Act(fd, action);
}

// curl reports a timeout only once; calling it too early would lose the timeout.
void Dialer::OnCurlTimeout() {
  if (!options_.proxy_status().ok()) return Finish(options_.proxy_status());
  Act(CURL_SOCKET_TIMEOUT, 0);
  if (curl_timer_.is_set()) return;
  long milliseconds = -1;  // NOLINT: curl's type
  curl_multi_timeout(multi_.get(), &milliseconds);
  SetCurlTimer(milliseconds);
}

void Dialer::SetCurlTimer(long milliseconds) {  // NOLINT: curl's type
  if (done_ || milliseconds < 0) return curl_timer_.Cancel();
  // curl computes in microseconds and rounds down.
  const absl::Duration slack = absl::Milliseconds(milliseconds == 0 ? 0 : 1);
  curl_timer_.Set(loop_.now() + absl::Milliseconds(milliseconds) + slack);
}

bool Dialer::IsOwn(int fd) const {
  return std::find(sockets_.begin(), sockets_.end(), fd) != sockets_.end();
}

bool Dialer::IsConnected() const { return std::any_of(sockets_.begin(), sockets_.end(), &HasPeer); }

void Dialer::OnTick() {
  const ConnectionOptions& options = options_.connection();
  const base::MonotonicTime now = loop_.now();
  if (connected_since_.is_infinite() && IsConnected()) connected_since_ = now;
  const bool connected = !connected_since_.is_infinite();
  const bool late = connected ? now >= connected_since_ + options.tls_handshake_timeout
                              : now >= opening_since_ + options.connect_timeout;
  if (!late) return tick_.Set(now + kTick);
  const std::string proxy = ProxyName();
  Finish(MakeTransportError(
      {.kind = TransportErrorKind::kConnect, .maybe_sent = false},
      absl::StrCat("connect to ", options_.authority(), proxy.empty() ? "" : " via proxy ", proxy,
                   ": ", connected ? "TLS handshake timed out" : "timed out")));
}

void Dialer::Finish(absl::Status status) {
  if (std::exchange(done_, true)) return;
  status_ = std::move(status);
  done_since_ = loop_.now();
  tick_.Cancel();
  curl_timer_.Cancel();
  CancelDial();
  if (status_.ok() && OpenFd() < 0) status_ = StatusOf(CURLE_COULDNT_CONNECT);
  if (status_.ok()) status_ = CheckProxy();
  changed_.Schedule();
}

// curl may ignore a proxy that it does not understand and connect directly. See also OpenSocket.
absl::Status Dialer::CheckProxy() const {
  if (!options_.has_tunnel()) return absl::OkStatus();
  long answer = 0;  // NOLINT: curl's type
  curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &answer);
  return answer / 100 == 2 ? absl::OkStatus() : StatusOf(CURLE_PROXY);
}

std::string Dialer::ProxyName() const {
  if (!options_.proxy().has_value()) return "";
  return absl::StrCat(BracketHost(options_.proxy()->host), ":", options_.proxy()->port);
}

absl::Status Dialer::StatusOf(CURLcode code) const {
  if (code == CURLE_OK) return absl::OkStatus();
  const std::string proxy = ProxyName();
  CurlOutcome outcome = {.code = code,
                         .text = error_.data(),
                         .authority = options_.authority(),
                         .proxy = proxy,
                         .tls_name = verified_name_};
  long value = 0;  // NOLINT: curl's type
  if (curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &value) == CURLE_OK) {
    outcome.os_error = static_cast<int>(value);
  }
  if (options_.proxy().has_value()) {
    curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &outcome.proxy_status);
  }
  if (code == CURLE_PEER_FAILED_VERIFICATION && !name_mistake_.empty()) {
    outcome.text = name_mistake_;
  }
  return ErrorOf(outcome);
}

// ---- curl's callbacks

int Dialer::OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  if (!dialer.IsOwn(fd)) {
    // One end of the resolver's socket pair. curl closes it right after CURL_POLL_REMOVE.
    auto& helpers = dialer.helpers_;
    if (what == CURL_POLL_REMOVE) {
      std::erase(helpers, fd);
      dialer.loop_.Forget(fd, &dialer);
      return 0;
    }
    if (std::find(helpers.begin(), helpers.end(), fd) == helpers.end()) {
      // curl may have closed an earlier socket with this number without telling.
      dialer.loop_.Forget(fd);
      SetCloseOnExec(fd);
      helpers.push_back(fd);
    }
  }
  if (dialer.done_) return 0;  // the socket is no longer curl's to use
  uint32_t events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EPOLLOUT;
  dialer.loop_.Watch(fd, events, &dialer);
  return 0;
}

int Dialer::OnTimer(CURLM*, long milliseconds, void* self) {  // NOLINT: curl's type
  static_cast<Dialer*>(self)->SetCurlTimer(milliseconds);
  return 0;
}

curl_socket_t Dialer::OpenSocket(void* self, curlsocktype, curl_sockaddr* address) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  // Never connects past the proxy, even if curl tries to.
  if (!dialer.options_.IsOnTheWay(address->addr)) return CURL_SOCKET_BAD;
  const bool placeholder = dialer.options_.has_dialer();
  if (placeholder && !dialer.dialed_.is_open()) return CURL_SOCKET_BAD;
  const int type = placeholder ? int{SOCK_DGRAM} : address->socktype;
  const int fd = ::socket(address->family, type | SOCK_CLOEXEC | SOCK_NONBLOCK,
                          placeholder ? 0 : address->protocol);
  if (fd < 0) return CURL_SOCKET_BAD;
  dialer.loop_.Forget(fd);  // curl may have closed this number silently
  if (!placeholder) PrepareSocket(fd, dialer.transport_options_, dialer.options_.upgrade());
  dialer.sockets_.push_back(fd);
  return fd;
}

int Dialer::CloseSocket(void* self, curl_socket_t fd) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  dialer.loop_.Forget(fd);
  auto& sockets = dialer.sockets_;
  sockets.erase(std::remove(sockets.begin(), sockets.end(), fd), sockets.end());
  return ::close(fd);
}

// Called before each handshake; with an https proxy the first one is with the proxy. ALPN is set
// here and not by curl, which would start to speak the negotiated protocol.
CURLcode Dialer::OnTlsContext(CURL*, void* context, void* self) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  if (dialer.dialed_.is_open() && !dialer.ReplacePlaceholder()) return CURLE_COULDNT_CONNECT;
  auto* const tls = static_cast<SSL_CTX*>(context);
  const bool with_proxy = dialer.options_.has_tls_proxy() && dialer.contexts_ == 0;
  ++dialer.contexts_;
  const absl::string_view protocols =
      with_proxy ? absl::string_view("\x08http/1.1") : dialer.options_.protocols();
  SSL_CTX_set_alpn_protos(tls, reinterpret_cast<const unsigned char*>(protocols.data()),
                          static_cast<unsigned int>(protocols.size()));
  io::PrepareTls(tls);
  SSL_CTX_clear_mode(tls, SSL_MODE_RELEASE_BUFFERS);  // requests come often
  SSL_CTX_set_ex_data(tls, DialerIndex(), self);
  SSL_CTX_set_info_callback(tls, &OnTlsInfo);
  dialer.verified_name_ = with_proxy ? dialer.options_.proxy()->host : dialer.options_.tls_name();
  if (dialer.options_.connection().insecure_skip_tls_verify) return CURLE_OK;
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, &OnVerify);
  return RequireName(SSL_CTX_get0_param(tls), dialer.verified_name_) ? CURLE_OK
                                                                     : CURLE_OUT_OF_MEMORY;
}

bool Dialer::ReplacePlaceholder() {
  const int fd = sockets_.back();
  loop_.Forget(fd);  // the kernel watches the placeholder
  if (::dup3(dialed_.get(), fd, O_CLOEXEC) < 0) return false;
  dialed_.Close();
  return true;
}

Dialer& Dialer::Of(const SSL* tls) {
  return *static_cast<Dialer*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), DialerIndex()));
}

// Called for each certificate of the chain, and for each error.
int Dialer::OnVerify(int ok, X509_STORE_CTX* store) {
  const int mistake = X509_STORE_CTX_get_error(store);
  if (ok == 1 || !IsNameMistake(mistake)) return ok;
  const void* const tls = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
  Dialer& dialer = Of(static_cast<const SSL*>(tls));
  dialer.name_mistake_ =
      DescribeNameMistake(X509_STORE_CTX_get_current_cert(store), dialer.verified_name_);
  return ok;
}

void Dialer::OnTlsInfo(const SSL* tls, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  Dialer& dialer = Of(tls);
  if (dialer.done_) return;
  SSL*& place = dialer.options_.has_tls_proxy() && dialer.contexts_ == 1 ? dialer.proxy_tls_
                                                                         : dialer.server_tls_;
  place = const_cast<SSL*>(tls);
}

}  // namespace kube::httpclient::internal
