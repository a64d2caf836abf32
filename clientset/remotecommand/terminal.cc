#include "clientset/remotecommand/terminal.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/streams.h"

namespace kube::remotecommand {

namespace {

constexpr absl::Duration kSizeInterval = absl::Milliseconds(250);

absl::Status TerminalError(absl::string_view what, int fd, int error) {
  return absl::FailedPreconditionError(
      absl::StrCat(what, " of file descriptor ", fd, ": ", std::generic_category().message(error)));
}

// Returns the size when it differs from the last one, or nullopt when it cannot be read.
absl::StatusOr<std::optional<TerminalSize>> AwaitChange(const Context& ctx, int fd,
                                                        std::optional<TerminalSize>& last) {
  while (true) {
    const absl::StatusOr<TerminalSize> size = SizeOfTerminal(fd);
    if (!size.ok()) return std::optional<TerminalSize>();
    if (last != *size) {
      last = *size;
      return last;
    }
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, kSizeInterval));
  }
}

}  // namespace

bool IsTerminal(int fd) { return ::isatty(fd) == 1; }

absl::StatusOr<TerminalSize> SizeOfTerminal(int fd) {
  winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return TerminalError("get terminal size", fd, errno);
  return TerminalSize{.width = size.ws_col, .height = size.ws_row};
}

// The mode that a terminal had before. Not in the header, because <termios.h> defines hundreds of
// short macros.
struct RawTerminal::Mode {
  int fd = -1;
  termios mode = {};
};

absl::StatusOr<RawTerminal> RawTerminal::Make(int fd) {
  auto before = std::make_unique<Mode>();
  before->fd = fd;
  if (::tcgetattr(fd, &before->mode) != 0) return TerminalError("get terminal mode", fd, errno);
  termios raw = before->mode;
  ::cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (::tcsetattr(fd, TCSANOW, &raw) != 0) return TerminalError("set terminal mode", fd, errno);
  return RawTerminal(std::move(before));
}

RawTerminal::RawTerminal(std::unique_ptr<Mode> before) : before_(std::move(before)) {}
RawTerminal::RawTerminal(RawTerminal&&) noexcept = default;
RawTerminal::~RawTerminal() { Restore(); }

RawTerminal& RawTerminal::operator=(RawTerminal&& other) noexcept {
  std::swap(before_, other.before_);
  return *this;
}

void RawTerminal::Restore() {
  if (before_ == nullptr) return;
  // There is nobody to tell if the terminal has gone.
  static_cast<void>(::tcsetattr(before_->fd, TCSANOW, &before_->mode));
  before_.reset();
}

SizeSource TerminalSizes(int fd) {
  return [fd, last = std::optional<TerminalSize>()](const Context& ctx) mutable {
    return AwaitChange(ctx, fd, last);
  };
}

}  // namespace kube::remotecommand
