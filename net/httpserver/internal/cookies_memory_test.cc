// A cookie in HPACK's table takes one byte on the wire, so a request may have very many of them.
// Joining them must copy each cookie once, not all previous ones for each new one.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/server.h"

namespace {

std::atomic<size_t> g_bytes_allocated = 0;

}  // namespace

void* operator new(size_t bytes) {
  g_bytes_allocated += bytes;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace kube::httpserver::internal {
namespace {

class CookieHandler final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    cookie = std::string(exchange->request().headers.Get("cookie").value_or(""));
    cookies = exchange->request().headers.GetAll("cookie").size();
    exchange->Respond({});
  }
  std::string cookie;
  size_t cookies = 0;
};

TEST(CookiesMemoryTest, JoiningManyIsLinear) {
  constexpr size_t kCookies = 13'000;
  const ServerOptions options;
  Counters counters;
  CookieHandler handler;
  Progress progress;
  SessionEnvironment environment;
  environment.options = &options;
  environment.handler = &handler;
  environment.counters = &counters;
  environment.progress = &progress;
  environment.make_wake = [](int32_t) -> absl::AnyInvocable<void()> { return [] {}; };
  const std::unique_ptr<Session> session = MakeHttp2Session(std::move(environment));
  // Method, path, scheme and authority; then "a: x" and "cookie: b", which enter HPACK's table as
  // entries 63 and 62: the former a thousand times, the latter for the rest.
  const std::string header =
      absl::StrCat("\x82\x84\x86\x41\x01x", "\x40\x01", "a", "\x01", "x", "\x60\x01", "b",
                   std::string(1000, '\xbf'), std::string(kCookies - 1, '\xbe'));
  ASSERT_LT(header.size(), size_t{1} << 14);
  std::string bytes = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  absl::StrAppend(&bytes, absl::string_view("\0\0\0\x04\0\0\0\0\0", 9));
  for (const int shift : {16, 8, 0}) bytes += static_cast<char>(header.size() >> shift);
  absl::StrAppend(&bytes, absl::string_view("\x01\x05\0\0\0\x01", 6), header);

  const size_t before = g_bytes_allocated;
  session->Receive(bytes);
  // Copying all previous cookies for each new one took some 500 MB.
  EXPECT_LT(g_bytes_allocated - before, size_t{8} << 20);

  EXPECT_EQ(handler.cookies, 1u);
  EXPECT_EQ(handler.cookie.size(), 3 * kCookies - 2);
  EXPECT_EQ(handler.cookie.substr(0, 7), "b; b; b");
  EXPECT_EQ(std::count(handler.cookie.begin(), handler.cookie.end(), 'b'),
            static_cast<std::ptrdiff_t>(kCookies));
  session->Close(absl::CancelledError("the end"));
}

}  // namespace
}  // namespace kube::httpserver::internal
