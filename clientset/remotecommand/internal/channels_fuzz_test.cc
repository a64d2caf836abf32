// Bytes of a hostile server, for the channels of a command over either carrier: nothing crashes,
// what is understood does not depend on how the bytes are cut, answers are bounded, and the command
// ends at most once, after all of its output.
//
// The first byte says the carrier, the version and the channels, the second one how the bytes are
// cut.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "clientset/remotecommand/internal/spdy_channels.h"
#include "clientset/remotecommand/internal/websocket_channels.h"

namespace kube::remotecommand::internal {
namespace {

// What the first byte says. Its two lowest bits are the version.
constexpr int kSpdy = 4;
constexpr int kTerminal = 8;
constexpr int kNoStdin = 16;
constexpr int kNoStdout = 32;

// More would let the number of refused streams depend on how often answers are taken.
constexpr size_t kMaxInput = 60'000;

ChannelsOptions Options(int kind) {
  constexpr absl::string_view kProtocols[] = {kProtocolV5, kProtocolV4, kProtocolV2, kProtocolV1};
  return {.protocol = std::string(kProtocols[kind & 3]),
          .with_stdin = (kind & kNoStdin) == 0,
          .with_stdout = (kind & kNoStdout) == 0,
          .with_stderr = (kind & kTerminal) == 0,
          .tty = (kind & kTerminal) != 0};
}

class User final : public Channels::Events {
 public:
  void OnOutput(Channel channel, absl::string_view data) override {
    KUBE_CHECK(!ended_ && !data.empty());
    KUBE_CHECK(channel == Channel::kStdout || channel == Channel::kStderr);
    if (output_of_ != channel) absl::StrAppend(&told_, "\n", StreamTypeOf(channel), " ");
    output_of_ = channel;
    absl::StrAppend(&told_, data);
  }
  void OnEnd(const absl::Status& outcome) override {
    KUBE_CHECK(!ended_);
    ended_ = true;
    absl::StrAppend(&told_, "\nend ", outcome.ToString());
  }
  void OnPong(uint64_t number) override {
    KUBE_CHECK(!ended_);
    output_of_ = Channel::kClose;
    absl::StrAppend(&told_, "\npong ", number);
  }

  const std::string& told() const { return told_; }
  bool ended() const { return ended_; }

 private:
  std::string told_;
  Channel output_of_ = Channel::kClose;  // the channel, if the last event is output
  bool ended_ = false;
};

// Returns what a user is told.
std::string Outcome(int kind, size_t piece, absl::string_view bytes) {
  User user;
  std::unique_ptr<Channels> channels;
  if ((kind & kSpdy) != 0) {
    channels = std::make_unique<SpdyChannels>(Options(kind), user);
  } else {
    channels = std::make_unique<WebSocketChannels>(Options(kind), user);
  }
  std::string out;
  KUBE_CHECK_OK(channels->Open(out));
  channels->SendPing(out);
  const size_t own = out.size();
  const size_t input = bytes.size();
  absl::Status status;
  while (!bytes.empty() && status.ok()) {
    status = channels->Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    channels->Produce(out);
  }
  KUBE_CHECK(channels->ended() == user.ended());
  if (status.ok()) status = channels->EndOfInput(absl::OkStatus());
  KUBE_CHECK(status.ok() == user.ended());
  KUBE_CHECK(!channels->Send(Channel::kStdin, "abc", out).ok());
  KUBE_CHECK(!channels->CloseStdin(out).ok());
  channels->Close(out);
  KUBE_CHECK_LE(out.size(), own + 10 * input + 500);
  return absl::StrCat(user.told(), "\n", status.ToString());
}

}  // namespace
}  // namespace kube::remotecommand::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || size > kube::remotecommand::internal::kMaxInput) return 0;
  kube::base::FakeClock clock;  // brings keys that can be replayed
  const kube::base::RuntimeScope scope(clock);
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  KUBE_CHECK_EQ(kube::remotecommand::internal::Outcome(data[0], size_t{1} + data[1], bytes),
                kube::remotecommand::internal::Outcome(data[0], bytes.size() + 1, bytes));
  return 0;
}
