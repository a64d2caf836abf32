#include "clientset/rest/internal/dialer.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/curl_error.h"
#include "clientset/rest/internal/curl_options.h"
#include "clientset/rest/internal/event_loop.h"
#include "clientset/rest/internal/secure_socket.h"
#include "clientset/rest/transport_error.h"

namespace kube::rest::internal {
namespace {

// How exactly the deadlines are kept.
constexpr absl::Duration kTick = absl::Milliseconds(100);

template <typename Value>
bool Set(CURL* easy, CURLoption option, Value value) {
  return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

void SetSocketOption(int fd, int level, int option, int value) {
  // A socket that does not know one is as good without it.
  ::setsockopt(fd, level, option, &value, sizeof(value));
}

int Seconds(absl::Duration duration) {
  return static_cast<int>(std::clamp<int64_t>(absl::ToInt64Seconds(duration), 1, 32767));
}

// TCP's own answer to a peer that has vanished: when nothing was heard for long it is asked, and
// given up when it does not answer, or does not acknowledge what was sent.
void PrepareSocket(int fd, const HttpTransportOptions& options) {
  const int interval = Seconds(options.keep_alive_interval);
  const int idle = Seconds(options.keep_alive_idle);
  const int lost = Seconds(options.lost_after);
  SetSocketOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPCNT, std::max(1, (lost - idle) / interval));
  SetSocketOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
                  static_cast<int>(absl::ToInt64Milliseconds(options.lost_after)));
  SetSocketOption(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

int DialerIndex() {
  static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

}  // namespace

Dialer::Dialer(EventLoop& loop, const HttpTransportOptions& transport_options,
               const CurlOptions& options, Observer& observer)
    : loop_(loop),
      transport_options_(transport_options),
      options_(options),
      observer_(observer),
      curl_timer_(loop, [this] { OnCurlTimeout(); }),
      tick_(loop, [this] { OnTick(); }),
      opening_since_(loop.now()),
      multi_(curl_multi_init()),
      easy_(curl_easy_init()) {}

Dialer::~Dialer() {
  if (multi_ != nullptr && easy_ != nullptr) curl_multi_remove_handle(multi_.get(), easy_.get());
}

bool Dialer::Start() {
  CURLM* const multi = multi_.get();
  CURL* const easy = easy_.get();
  if (multi == nullptr || easy == nullptr) return false;
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
  tick_.Set(opening_since_ + kTick);
  // The rest is the loop's, so that nobody is called from here.
  curl_timer_.Set(loop_.now());
  return true;
}

std::unique_ptr<SecureSocket> Dialer::MakeSocket() const {
  return std::make_unique<SecureSocket>(sockets_.back(), proxy_tls_, server_tls_);
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

// curl tells of a timeout only once: one that it is asked about too early would be lost.
void Dialer::OnCurlTimeout() {
  Act(CURL_SOCKET_TIMEOUT, 0);
  if (curl_timer_.is_set()) return;
  long milliseconds = -1;  // NOLINT: curl's type
  curl_multi_timeout(multi_.get(), &milliseconds);
  SetCurlTimer(milliseconds);
}

void Dialer::SetCurlTimer(long milliseconds) {  // NOLINT: curl's type
  if (done_ || milliseconds < 0) return curl_timer_.Cancel();
  // It counts in microseconds, but cuts them off.
  const absl::Duration slack = absl::Milliseconds(milliseconds == 0 ? 0 : 1);
  curl_timer_.Set(loop_.now() + absl::Milliseconds(milliseconds) + slack);
}

bool Dialer::IsConnected() const {
  return std::any_of(sockets_.begin(), sockets_.end(), [](int fd) {
    sockaddr_storage peer;
    socklen_t size = sizeof(peer);
    return ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
  });
}

void Dialer::OnTick() {
  const ConnectionOptions& options = options_.connection();
  const base::MonotonicTime now = loop_.now();
  if (connected_since_.is_infinite() && IsConnected()) connected_since_ = now;
  const bool connected = !connected_since_.is_infinite();
  const bool late = connected ? now >= connected_since_ + options.tls_handshake_timeout
                              : now >= opening_since_ + options.connect_timeout;
  if (!late) return tick_.Set(now + kTick);
  Finish(MakeTransportError({.kind = TransportErrorKind::kConnect, .maybe_sent = false},
                            absl::StrCat("connect to ", options_.authority(), ": ",
                                         connected ? "TLS handshake timed out" : "timed out")));
}

void Dialer::Finish(absl::Status status) {
  if (std::exchange(done_, true)) return;
  status_ = std::move(status);
  done_since_ = loop_.now();
  tick_.Cancel();
  curl_timer_.Cancel();
  if (status_.ok() && sockets_.empty()) status_ = StatusOf(CURLE_COULDNT_CONNECT);
  observer_.OnDialed();
}

absl::Status Dialer::StatusOf(CURLcode code) const {
  if (code == CURLE_OK) return absl::OkStatus();
  CurlOutcome outcome = {.code = code,
                         .text = error_.data(),
                         .authority = options_.authority(),
                         .tls_name = options_.tls_name()};
  long value = 0;  // NOLINT: curl's type
  if (curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &value) == CURLE_OK) {
    outcome.os_error = static_cast<int>(value);
  }
  if (!options_.connection().proxy_url.empty()) {
    curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &outcome.proxy_status);
  }
  return ErrorOf(outcome);
}

// ---- curl's callbacks

int Dialer::OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  if (dialer.done_) return 0;  // the socket is another's by now
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
  const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                          address->protocol);
  if (fd < 0) return CURL_SOCKET_BAD;
  dialer.loop_.Forget(fd);  // curl may have closed one of this number without a word
  PrepareSocket(fd, dialer.transport_options_);
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

// Before each handshake: the first of two is the one with an https proxy. ALPN is set here, not by
// curl, which would begin to speak what is agreed on.
CURLcode Dialer::OnTlsContext(CURL*, void* context, void* self) {
  Dialer& dialer = *static_cast<Dialer*>(self);
  auto* const tls = static_cast<SSL_CTX*>(context);
  const bool with_proxy = dialer.options_.has_tls_proxy() && dialer.contexts_ == 0;
  ++dialer.contexts_;
  PrepareTls(tls, with_proxy ? absl::string_view("\x08http/1.1") : dialer.options_.protocols());
  SSL_CTX_set_ex_data(tls, DialerIndex(), self);
  SSL_CTX_set_info_callback(tls, &OnTlsInfo);
  return CURLE_OK;
}

void Dialer::OnTlsInfo(const SSL* tls, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  auto& dialer = *static_cast<Dialer*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), DialerIndex()));
  if (dialer.done_) return;
  SSL*& place = dialer.options_.has_tls_proxy() && dialer.contexts_ == 1 ? dialer.proxy_tls_
                                                                         : dialer.server_tls_;
  place = const_cast<SSL*>(tls);
}

}  // namespace kube::rest::internal
