#include "net/httpclient/internal/close_on_exec.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"

namespace kube::httpclient::internal {

// To find the other end of a socket pair, a token that occurs nowhere else is sent through one end;
// the descriptor at which it arrives (seen with MSG_PEEK) is the other end. To find a pair of which
// neither end is known, `wake` is called several times: the receiving end is the only descriptor
// whose number of readable bytes grows by one each time. Only Unix sockets without FD_CLOEXEC are
// candidates; the likely ones are tried first, then all of /proc/self/fd. If no or several
// candidates match, nothing is marked.

namespace {

// The other end of a pair usually has one of the next numbers.
constexpr int kNear = 8;
// Enough that an unrelated descriptor cannot receive exactly one byte each time by chance.
constexpr int kWakeUps = 3;

void Mark(int fd) {
  const int flags = ::fcntl(fd, F_GETFD);
  if (flags >= 0) ::fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

// Returns whether `fd` may be an end of a pair that is not yet marked.
bool IsCandidate(int fd) {
  const int flags = ::fcntl(fd, F_GETFD);
  if (flags < 0 || (flags & FD_CLOEXEC) != 0) return false;
  int domain = 0;
  socklen_t size = sizeof(domain);
  return ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

// Calls `look` for all open candidates of the process until it returns true.
template <typename Look>
void LookAtAll(const Look& look) {
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  const std::unique_ptr<DIR, Close> folder(::opendir("/proc/self/fd"));
  if (folder == nullptr) return;
  while (const dirent* entry = ::readdir(folder.get())) {
    int fd = -1;
    if (absl::SimpleAtoi(entry->d_name, &fd) && IsCandidate(fd) && look(fd)) return;
  }
}

// Bytes that no other socket receives, since nobody else writes these numbers.
struct Token {
  uint64_t place;
  uint64_t count;
};

Token MakeToken() {
  static std::atomic<uint64_t> count{0};
  return {.place = reinterpret_cast<uintptr_t>(&count) ^ 0x6b756265'2d746f6bU, .count = ++count};
}

// Returns whether `token` is what `fd` would receive next.
bool Received(int fd, const Token& token) {
  Token next = {};
  return ::recv(fd, &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT) ==
             static_cast<ssize_t>(sizeof(next)) &&
         std::memcmp(&next, &token, sizeof(token)) == 0;
}

void MarkOtherEnd(int fd) {
  Token token = MakeToken();
  if (::send(fd, &token, sizeof(token), MSG_DONTWAIT | MSG_NOSIGNAL) !=
      static_cast<ssize_t>(sizeof(token))) {
    return;
  }
  const auto look = [&](int other) {
    if (!Received(other, token)) return false;
    ::recv(other, &token, sizeof(token), MSG_DONTWAIT);
    Mark(other);
    return true;
  };
  for (int other = fd + 1; other <= fd + kNear; ++other) {
    if (IsCandidate(other) && look(other)) return;
  }
  LookAtAll(look);
}

int Waiting(int fd) {
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 ? bytes : -1;
}

// Marks the candidate that receives a byte from each call of `wake`, and its other end. Returns
// false unless there is exactly one.
bool MarkWoken(const std::function<void()>& wake, const std::vector<int>& candidates) {
  std::vector<std::pair<int, int>> left;  // with the number of readable bytes
  for (const int fd : candidates) {
    const int waiting = Waiting(fd);
    if (waiting >= 0) left.emplace_back(fd, waiting);
  }
  for (int round = 1; round <= kWakeUps && !left.empty(); ++round) {
    wake();
    std::erase_if(left, [&](const auto& one) { return Waiting(one.first) != one.second + round; });
  }
  if (left.size() != 1) return false;
  const int fd = left.front().first;
  Mark(fd);
  MarkOtherEnd(fd);
  return true;
}

}  // namespace

void SetCloseOnExec(int fd) {
  const bool pair = IsCandidate(fd);
  Mark(fd);
  if (pair) MarkOtherEnd(fd);
}

void SetCloseOnExecOfWakeUp(const std::function<void()>& wake, int guess, int other_guess) {
  std::vector<int> candidates;
  for (const int fd : {guess, other_guess}) {
    if (IsCandidate(fd)) candidates.push_back(fd);
  }
  if (MarkWoken(wake, candidates)) return;
  candidates.clear();
  LookAtAll([&](int fd) {
    candidates.push_back(fd);
    return false;
  });
  MarkWoken(wake, candidates);
}

}  // namespace kube::httpclient::internal
