#include "clientset/rest/internal/curl_connection.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/curl_transfer.h"
#include "clientset/rest/internal/event_loop.h"

namespace kube::rest::internal {
namespace {

template <typename Value>
void Set(CURLM* multi, CURLMoption option, Value value) {
  curl_multi_setopt(multi, option, value);
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
void KeepAlive(int fd, const HttpTransportOptions& options) {
  const int interval = Seconds(options.keep_alive_interval);
  const int idle = Seconds(options.keep_alive_idle);
  const int lost = Seconds(options.lost_after);
  SetSocketOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  SetSocketOption(fd, IPPROTO_TCP, TCP_KEEPCNT, std::max(1, (lost - idle) / interval));
  SetSocketOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
                  static_cast<int>(absl::ToInt64Milliseconds(options.lost_after)));
}

// Changes nothing, as the request was sent long ago. But curl looks, soon, whether there is output
// on its connection and whether there is input for it, in its buffers too.
void MakeCurlLook(CURL* easy) {
  curl_easy_pause(easy, CURLPAUSE_SEND);
  curl_easy_pause(easy, CURLPAUSE_CONT);
}

}  // namespace

CurlConnection::CurlConnection(EventLoop& loop, const HttpTransportOptions& options,
                               Observer& observer)
    : loop_(loop),
      options_(options),
      observer_(observer),
      curl_timer_(loop, [this] { OnTimeout(); }),
      idle_since_(loop.now()),
      multi_(curl_multi_init()) {
  if (multi_ == nullptr) return;
  CURLM* const multi = multi_.get();
  Set(multi, CURLMOPT_SOCKETFUNCTION, &OnSocket);
  Set(multi, CURLMOPT_SOCKETDATA, this);
  Set(multi, CURLMOPT_TIMERFUNCTION, &OnTimer);
  Set(multi, CURLMOPT_TIMERDATA, this);
  Set(multi, CURLMOPT_PIPELINING, long{CURLPIPE_MULTIPLEX});
  // Not the limit of one that there is: a request that finds no place would wait for it without a
  // word. So it may try, and OpenSocket says no.
  Set(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 2L);
  Set(multi, CURLMOPT_MAXCONNECTS, 2L);
  Set(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, long{options.max_streams_per_connection});
}

CurlConnection::~CurlConnection() {
  for (CurlTransfer* transfer : transfers_)
    curl_multi_remove_handle(multi_.get(), transfer->easy());
}

bool CurlConnection::Add(CurlTransfer& transfer) {
  CURL* const easy = transfer.easy();
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &OpenSocket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &CloseSocket);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
  if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) return false;
  transfers_.insert(&transfer);
  transfer.set_connection(this);
  Act(CURL_SOCKET_TIMEOUT, 0);
  return true;
}

void CurlConnection::Remove(CurlTransfer& transfer) {
  transfer.DropPaused();
  curl_multi_remove_handle(multi_.get(), transfer.easy());
  transfers_.erase(&transfer);
  received_.erase(std::remove(received_.begin(), received_.end(), &transfer), received_.end());
  transfer.set_connection(nullptr);
  if (transfers_.empty()) idle_since_ = loop_.now();
}

bool CurlConnection::Flush() {
  if (!has_socket()) return true;
  for (CurlTransfer* transfer : transfers_) {
    if (!transfer->responded() || transfer->paused()) continue;
    MakeCurlLook(transfer->easy());
    return true;
  }
  return false;
}

bool CurlConnection::Cork() {
  if (std::exchange(corked_, true)) return false;
  SetCork(1);
  return true;
}

void CurlConnection::Uncork() {
  if (std::exchange(corked_, false)) SetCork(0);
}

void CurlConnection::SetCork(int value) {
  for (const int fd : sockets_) SetSocketOption(fd, IPPROTO_TCP, TCP_CORK, value);
}

void CurlConnection::Resume(CurlTransfer& transfer) {
  transfer.set_resumed();  // before curl runs: it may pause again
  curl_easy_pause(transfer.easy(), CURLPAUSE_CONT);
  Act(CURL_SOCKET_TIMEOUT, 0);
}

std::vector<CurlConnection::Ended> CurlConnection::TakeEnded() {
  std::vector<Ended> ended;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CurlTransfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    ended.push_back({.transfer = transfer, .code = message->data.result});
  }
  return ended;
}

void CurlConnection::Act(curl_socket_t fd, int events) {
  int running = 0;
  curl_multi_socket_action(multi_.get(), fd, events, &running);
  Nudge();
  observer_.OnChanged(*this);
}

// Soon, curl is called once more for what MayHaveMore.
void CurlConnection::Nudge() {
  std::vector<CurlTransfer*> nudged;
  for (CurlTransfer* transfer : std::exchange(received_, {})) {
    if (!transfer->MayHaveMore()) continue;
    MakeCurlLook(transfer->easy());
    nudged.push_back(transfer);
  }
  received_ = std::move(nudged);
}

// curl tells of a timeout only once: one that it is asked about too early would be lost.
void CurlConnection::OnTimeout() {
  Act(CURL_SOCKET_TIMEOUT, 0);
  if (curl_timer_.is_set()) return;
  long milliseconds = -1;  // NOLINT: curl's type
  curl_multi_timeout(multi_.get(), &milliseconds);
  SetCurlTimer(milliseconds);
}

void CurlConnection::SetCurlTimer(long milliseconds) {  // NOLINT: curl's type
  if (milliseconds < 0) return curl_timer_.Cancel();
  // It counts in microseconds, but cuts them off.
  const absl::Duration slack = absl::Milliseconds(milliseconds == 0 ? 0 : 1);
  curl_timer_.Set(loop_.now() + absl::Milliseconds(milliseconds) + slack);
}

void CurlConnection::OnEvents(int fd, uint32_t events) {
  int action = 0;
  if ((events & EPOLLIN) != 0) action |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) action |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) != 0) action |= CURL_CSELECT_ERR;
  Act(fd, action);
}

bool CurlConnection::IsConnected() const {
  return std::any_of(sockets_.begin(), sockets_.end(), [](int fd) {
    sockaddr_storage peer;
    socklen_t size = sizeof(peer);
    return ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
  });
}

// ---- Callbacks

int CurlConnection::OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  CurlConnection& connection = *static_cast<CurlConnection*>(self);
  uint32_t events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EPOLLOUT;
  // Removed, it is idle, or about to be closed: see CloseSocket.
  connection.loop_.Watch(fd, events, &connection);
  return 0;
}

int CurlConnection::OnTimer(CURLM*, long milliseconds, void* self) {  // NOLINT: curl's type
  static_cast<CurlConnection*>(self)->SetCurlTimer(milliseconds);
  return 0;
}

curl_socket_t CurlConnection::OpenSocket(void* self, curlsocktype, curl_sockaddr* address) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(self);
  CurlConnection& connection = *transfer.connection();
  // While it is being opened, the host's other addresses are tried as well.
  if (connection.has_socket() && connection.state() != State::kOpening) {
    transfer.set_displaced();
    return CURL_SOCKET_BAD;
  }
  const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                          address->protocol);
  if (fd < 0) return CURL_SOCKET_BAD;
  connection.loop_.Forget(fd);  // curl may have closed one of this number without a word
  KeepAlive(fd, connection.options_);
  if (!connection.has_socket()) connection.observer_.OnOpening(connection);
  connection.sockets_.push_back(fd);
  return fd;
}

int CurlConnection::CloseSocket(void* self, curl_socket_t fd) {
  CurlConnection& connection = *static_cast<CurlConnection*>(self);
  connection.loop_.Forget(fd);
  auto& sockets = connection.sockets_;
  sockets.erase(std::remove(sockets.begin(), sockets.end(), fd), sockets.end());
  if (sockets.empty()) connection.observer_.OnChanged(connection);
  return ::close(fd);
}

}  // namespace kube::rest::internal
