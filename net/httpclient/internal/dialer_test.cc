// This program replaces the system's resolver, which libcurl calls, by the function getaddrinfo
// below.

#include "net/httpclient/internal/dialer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/io/event_loop.h"

namespace {

// Look-ups that have begun, that may end, and that have ended. These are eventfds because look-ups
// run on curl's thread.
const int g_begun = ::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
const int g_may_end = ::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
const int g_ended = ::eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);

}  // namespace

// Fails to resolve any name, once the test allows the look-up to end.
extern "C" int getaddrinfo(const char*, const char*, const addrinfo*, addrinfo**) {
  ::eventfd_write(g_begun, 1);
  eventfd_t one = 0;
  ::eventfd_read(g_may_end, &one);
  ::eventfd_write(g_ended, 1);
  return EAI_NONAME;
}

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::httpclient::Get;
using ::kube::httpclient::MakeTransport;
using ::kube::httpclient::TestServer;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::set<int> OpenDescriptors() {
  std::set<int> open;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder)) {
    int fd = -1;
    if (absl::SimpleAtoi(entry->d_name, &fd) && fd != ::dirfd(folder)) open.insert(fd);
  }
  ::closedir(folder);
  return open;
}

// Returns the descriptors that a child process would inherit.
std::set<int> Inherited() {
  std::set<int> inherited;
  for (const int fd : OpenDescriptors()) {
    if ((::fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0) inherited.insert(fd);
  }
  return inherited;
}

// Returns the files that a child process has open.
std::string OfAChild() {
  FILE* const child = ::popen("ls -l /proc/self/fd | sed -n 's/.* -> //p' | sort", "r");
  std::string text;
  std::array<char, 4096> piece;
  while (const size_t size = std::fread(piece.data(), 1, piece.size(), child)) {
    text.append(piece.data(), size);
  }
  ::pclose(child);
  return text;
}

class DialerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::set<int> before = OpenDescriptors();
    ASSERT_THAT(loop_.Open(), IsOk());
    // The first new descriptor is the epoll instance, the second one is the eventfd.
    for (const int fd : OpenDescriptors()) {
      if (!before.contains(fd)) (epoll_ < 0 ? epoll_ : wake_up_) = fd;
    }
    loop_.RunOnce(false);
  }
  void TearDown() override {
    for (const int fd : copies_) ::close(fd);
  }

  std::unique_ptr<Dialer> Dial() {
    auto dialer = std::make_unique<Dialer>(loop_, transport_options_, options_, dials_, changed_);
    EXPECT_TRUE(dialer->Start());
    return dialer;
  }
  void RunUntil(const std::function<bool()>& done) {
    while (!done()) loop_.RunOnce();
  }
  // Runs the loop until the resolver has been called.
  void RunUntilAsked() {
    bool begun = false;
    loop_.Watch(g_begun, EPOLLIN, &asked_);
    asked_.begun = &begun;
    RunUntil([&begun] { return begun; });
    loop_.Forget(g_begun);
    eventfd_t one = 0;
    ::eventfd_read(g_begun, &one);
    loop_.RunOnce(false);
  }
  static void EndLookUp() {
    ::eventfd_write(g_may_end, 1);
    eventfd_t one = 0;
    ::eventfd_read(g_ended, &one);  // so that the next look-up does not take it
  }
  // Returns what the kernel watches for the loop, except its eventfd.
  std::set<int> WatchedByKernel() const {
    std::ifstream file(absl::StrCat("/proc/self/fdinfo/", epoll_));
    std::set<int> watched;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string word;
      int fd = -1;
      if (words >> word >> fd && word == "tfd:" && fd != wake_up_) watched.insert(fd);
    }
    return watched;
  }
  // Keeps the file open as a child process would that has inherited `fd`.
  void Copy(int fd) { copies_.push_back(::fcntl(fd, F_DUPFD_CLOEXEC, 100)); }

  class Asked final : public io::EventLoop::Listener {
   public:
    void OnEvents(int, uint32_t) override { *begun = true; }
    bool* begun = nullptr;
  };

  io::EventLoop loop_;
  DialThreads dials_{loop_};
  io::EventLoop::Task changed_{loop_, io::EventLoop::Turn::kConnections, [] {}};
  int epoll_ = -1;
  int wake_up_ = -1;
  Asked asked_;
  std::vector<int> copies_;
  const HttpTransportOptions transport_options_ = {};
  const CurlOptions options_{
      {.host = "slow.example", .port = 80, .authority = "slow.example", .target = "/"},
      std::make_shared<ConnectionOptions>(
          ConnectionOptions{.connect_timeout = absl::Milliseconds(300)}),
      nullptr};
};

// curl closes the socket that was watched, but a child process may still have it open; without
// Forget the kernel would report its events forever.
TEST_F(DialerTest, NothingOfTheResolverStaysWatched) {
  const auto dialer = Dial();
  RunUntilAsked();
  const std::set<int> watched = WatchedByKernel();
  ASSERT_EQ(watched.size(), 1u);
  Copy(*watched.begin());
  EndLookUp();
  RunUntil([&] { return dialer->done(); });
  EXPECT_EQ(TransportErrorOf(dialer->status()),
            (TransportError{.kind = TransportErrorKind::kResolve, .maybe_sent = false}));
  EXPECT_THAT(WatchedByKernel(), IsEmpty());
}

// A later look-up gets the same descriptor number while a child process still has the old socket.
TEST_F(DialerTest, ALookUpThatOutlastsItsDialer) {
  auto dialer = Dial();
  RunUntilAsked();
  std::set<int> watched = WatchedByKernel();
  ASSERT_EQ(watched.size(), 1u);
  const int number = *watched.begin();
  Copy(number);
  EndLookUp();
  RunUntil([&] { return dialer->done(); });
  dialer.reset();

  dialer = Dial();
  RunUntilAsked();
  EXPECT_THAT(WatchedByKernel(), ElementsAre(number));
  RunUntil([&] { return dialer->done(); });
  EXPECT_EQ(TransportErrorOf(dialer->status()),
            (TransportError{.kind = TransportErrorKind::kConnect, .maybe_sent = false}));
  Copy(number);
  dialer.reset();
  EXPECT_THAT(WatchedByKernel(), IsEmpty());
  loop_.RunOnce(false);  // must not call the destroyed dialer
  EndLookUp();
}

// Every look-up, not only the first: the next socket gets the same number.
TEST_F(DialerTest, HearsOfTheEndOfEveryLookUp) {
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const auto dialer = Dial();
    RunUntilAsked();
    EXPECT_EQ(WatchedByKernel().size(), 1u);
    EndLookUp();
    RunUntil([&] { return dialer->done(); });
  }
}

TEST_F(DialerTest, NothingIsInherited) {
  const std::set<int> before = Inherited();
  const std::string child_before = OfAChild();
  auto dialer = Dial();
  EXPECT_EQ(Inherited(), before);
  RunUntilAsked();
  EXPECT_EQ(Inherited(), before);
  const std::string child = OfAChild();
  EXPECT_THAT(child, Not(HasSubstr("eventpoll")));
  EXPECT_EQ(std::count(child.begin(), child.end(), '\n'),
            std::count(child_before.begin(), child_before.end(), '\n'))
      << child;
  dialer.reset();
  EndLookUp();
}

// Tests with open connections. The address is a literal one, which needs no look-up.
TEST(OpenConnectionTest, NothingIsInherited) {
  TestServer server([](const std::shared_ptr<httpserver::Exchange>& exchange) {
    exchange->Respond({.body = "body"});
  });
  const auto connection = std::make_shared<ConnectionOptions>(server.connection());
  const std::set<int> before = Inherited();
  const auto transport = MakeTransport();
  EXPECT_THAT(Get(*transport, {.url = server.url(), .connection = connection}),
              IsOkAndHolds("body"));
  EXPECT_EQ(transport->statistics().connections, 1);
  EXPECT_EQ(Inherited(), before);
}

// ---- Proxies

sockaddr_storage Address(const std::string& host, int port) {
  sockaddr_storage address = {};
  if (absl::StrContains(host, ':')) {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<uint16_t>(port));
    EXPECT_EQ(::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr), 1);
  } else {
    auto& v4 = reinterpret_cast<sockaddr_in&>(address);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<uint16_t>(port));
    EXPECT_EQ(::inet_pton(AF_INET, host.c_str(), &v4.sin_addr), 1);
  }
  return address;
}

TEST(CurlOptionsTest, WhereConnectionsMayGo) {
  struct Row {
    std::string proxy;
    std::string host;
    int port;
    bool allowed;
  };
  for (const Row& row :
       {Row{"", "10.0.0.1", 443, true}, Row{"http://10.0.0.9:3128", "10.0.0.9", 3128, true},
        Row{"http://10.0.0.9:3128", "10.0.0.1", 3128, false},
        Row{"http://10.0.0.9:3128", "10.0.0.9", 443, false},
        Row{"http://10.0.0.9:3128", "fd00::1", 3128, false},
        Row{"socks5://u:p@[fd00::9]", "fd00::9", 1080, true},
        Row{"socks5://u:p@[fd00::9]", "fd00::1", 1080, false},
        Row{"https://proxy", "10.0.0.1", 443, true}, Row{"https://proxy", "fd00::1", 443, true},
        Row{"https://proxy", "10.0.0.1", 80, false}}) {
    SCOPED_TRACE(absl::StrCat(row.proxy, " ", row.host, " ", row.port));
    const CurlOptions options(
        {.tls = true, .host = "server", .port = 443, .authority = "server", .target = "/"},
        std::make_shared<ConnectionOptions>(ConnectionOptions{.proxy_url = row.proxy}), nullptr);
    const sockaddr_storage address = Address(row.host, row.port);
    EXPECT_EQ(options.IsOnTheWay(reinterpret_cast<const sockaddr&>(address)), row.allowed);
  }
}

TEST(CurlOptionsTest, UpgradesAreHttp1ThroughATunnel) {
  struct Row {
    std::string proxy;
    bool tls;
    bool upgrade;
    bool tunnel;
    bool forwarded;
  };
  for (const Row& row : {Row{"", false, true, false, false}, Row{"", true, true, false, false},
                         Row{"http://proxy:3128", false, false, false, true},
                         Row{"http://proxy:3128", false, true, true, false},
                         Row{"http://proxy:3128", true, false, true, false},
                         Row{"http://proxy:3128", true, true, true, false},
                         Row{"https://proxy:3128", false, true, true, false},
                         Row{"socks5://proxy", false, true, false, false}}) {
    SCOPED_TRACE(absl::StrCat(row.proxy, " ", row.tls, " ", row.upgrade));
    for (const HttpVersion version : {HttpVersion::kAny, HttpVersion::kHttp2Only}) {
      const CurlOptions options(
          {.tls = row.tls, .host = "server", .port = 443, .authority = "server", .target = "/"},
          std::make_shared<ConnectionOptions>(
              ConnectionOptions{.proxy_url = row.proxy, .http_version = version}),
          nullptr, row.upgrade);
      EXPECT_EQ(options.has_tunnel(), row.tunnel);
      EXPECT_EQ(options.plain_proxy().used, row.forwarded);
      if (!row.upgrade) continue;
      EXPECT_TRUE(options.one_each());
      EXPECT_FALSE(options.prior_knowledge());
      EXPECT_EQ(options.protocols(), "\x08http/1.1");
    }
  }
}

TEST(CurlOptionsTest, ADialerNeedsNoProxy) {
  const CurlOptions options(
      {.tls = true, .host = "server", .port = 6443, .authority = "server:6443", .target = "/"},
      std::make_shared<ConnectionOptions>(ConnectionOptions{
          .proxy_url = "malformed", .dialer = UnixSocketDialer("/run/kube.sock")}),
      nullptr);
  EXPECT_TRUE(options.has_dialer());
  EXPECT_FALSE(options.proxy().has_value());
  EXPECT_THAT(options.proxy_status(), IsOk());
  EXPECT_EQ(options.looked_up_host(), "");
  EXPECT_EQ(options.dial_address().host, "server");
  EXPECT_EQ(options.dial_address().port, 6443);
}

}  // namespace
}  // namespace kube::httpclient::internal
