#include "net/httpclient/connection_dialer.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

class UnixSocketDialerTest : public ::testing::Test {
 protected:
  // Paths of sockets are short, so the folder is not in TEST_TMPDIR.
  UnixSocketDialerTest() {
    std::string pattern = "/tmp/dialer-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~UnixSocketDialerTest() override { std::filesystem::remove_all(folder_); }

  void Listen(const std::string& path, int backlog) {
    server_ = io::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(server_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(::listen(server_.get(), backlog), 0);
  }
  io::FileDescriptor Accept() {
    return io::FileDescriptor(::accept4(server_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }

  std::string folder_;
  io::FileDescriptor server_;
};

TEST_F(UnixSocketDialerTest, Connects) {
  const std::string path = absl::StrCat(folder_, "/socket");
  Listen(path, 5);
  const auto dialer = UnixSocketDialer(path);
  const absl::StatusOr<io::FileDescriptor> client =
      dialer->Dial(Context(), {.host = "anything", .port = 443});
  ASSERT_THAT(client, IsOk());
  const io::FileDescriptor accepted = Accept();
  ASSERT_EQ(::write(client->get(), "x", 1), 1);
  char byte = 0;
  ASSERT_EQ(::read(accepted.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
}

TEST_F(UnixSocketDialerTest, Errors) {
  const std::string missing = absl::StrCat(folder_, "/missing");
  EXPECT_THAT(UnixSocketDialer(missing)->Dial(Context(), {}),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr(absl::StrCat("connect to unix socket \"", missing, "\""))));
  const std::string abandoned = absl::StrCat(folder_, "/abandoned");
  Listen(abandoned, 5);
  server_.Close();
  EXPECT_THAT(UnixSocketDialer(abandoned)->Dial(Context(), {}),
              StatusIs(absl::StatusCode::kUnavailable));
  for (const std::string& path : {std::string(), std::string(108, 'x')}) {
    EXPECT_THAT(UnixSocketDialer(path)->Dial(Context(), {}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid length of path")));
  }
}

TEST_F(UnixSocketDialerTest, WaitsForAPlaceInTheQueue) {
  const std::string path = absl::StrCat(folder_, "/busy");
  Listen(path, 1);
  const auto dialer = UnixSocketDialer(path);
  const auto dial = [&dialer] {
    return dialer->Dial(WithTimeout(Context(), absl::Milliseconds(50)), {});
  };
  std::vector<io::FileDescriptor> waiting;
  absl::StatusOr<io::FileDescriptor> last = dial();
  while (last.ok() && waiting.size() < 20) {
    waiting.push_back(*std::move(last));
    last = dial();
  }
  EXPECT_THAT(last, StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr(path)));
  const io::FileDescriptor accepted = Accept();
  EXPECT_THAT(dialer->Dial(WithTimeout(Context(), absl::Seconds(30)), {}), IsOk());
}

absl::StatusOr<io::FileDescriptor> ConnectToSidecar(const Context&, const std::string& host,
                                                    int port) {
  return absl::UnavailableError(absl::StrCat("no sidecar for ", host, " ", port));
}

// Connections of different dialers must not be shared.
TEST(ConnectionDialerTest, OptionsAreEqualIfTheDialerIsTheSame) {
  class SidecarDialer final : public ConnectionDialer {
   public:
    absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx, const DialAddress& to) override {
      return ConnectToSidecar(ctx, to.host, to.port);
    }
  };
  ConnectionOptions options;  // or rest::Config
  options.dialer = std::make_shared<SidecarDialer>();
  const ConnectionOptions copy = options;
  EXPECT_TRUE(copy == options);
  EXPECT_THAT(copy.dialer->Dial(Context(), {.host = "a", .port = 1}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("a 1")));
  options.dialer = std::make_shared<SidecarDialer>();
  EXPECT_FALSE(copy == options);
}

}  // namespace
}  // namespace kube::httpclient
