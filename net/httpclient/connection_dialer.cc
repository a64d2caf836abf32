#include "net/httpclient/connection_dialer.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {
namespace {

// A socket whose server has a full queue of new connections cannot be waited for, only tried again.
constexpr absl::Duration kTryAgain = absl::Milliseconds(10);

class UnixDialer final : public ConnectionDialer {
 public:
  explicit UnixDialer(std::string path) : path_(std::move(path)) {}

  absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx, const DialAddress&) override {
    const std::string what = absl::StrCat("connect to unix socket \"", path_, "\"");
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    // The zero at the end must fit, too.
    if (path_.empty() || path_.size() >= sizeof(address.sun_path)) {
      return absl::InvalidArgumentError(absl::StrCat(what, ": invalid length of path"));
    }
    path_.copy(address.sun_path, path_.size());
    io::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) return absl::ErrnoToStatus(errno, what);
    while (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
           0) {
      if (errno != EAGAIN && errno != EINTR) return absl::ErrnoToStatus(errno, what);
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, kTryAgain), what);
    }
    return socket;
  }

 private:
  const std::string path_;
};

}  // namespace

std::shared_ptr<ConnectionDialer> UnixSocketDialer(std::string path) {
  return std::make_shared<UnixDialer>(std::move(path));
}

}  // namespace kube::httpclient
