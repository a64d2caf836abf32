// Bytes of a hostile peer, for either side of a connection: nothing crashes, what is understood and
// what is answered does not depend on how the bytes are cut, and the answers are few and valid.
//
// The first byte says which side reads and how, the second one how the bytes are cut.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/testing/recorder.h"

namespace kube::websocket {
namespace {

// What the first byte says.
constexpr int kServer = 1;
constexpr int kStream = 2;
constexpr int kOwnClose = 4;  // the reader has sent a close frame before
constexpr int kSmall = 8;     // the limits are small

ConnectionOptions Options(int kind) {
  ConnectionOptions options = {.role = (kind & kServer) != 0 ? Role::kServer : Role::kClient,
                               .stream_messages = (kind & kStream) != 0};
  if ((kind & kSmall) != 0) options.limits = {.max_frame_bytes = 20, .max_message_bytes = 30};
  return options;
}

// Checks that the other side understands the answers, and returns them.
std::string Understood(Role role, absl::string_view answers) {
  Recorder recorder;
  Connection peer({.role = role == Role::kClient ? Role::kServer : Role::kClient}, recorder);
  KUBE_CHECK_OK(peer.Receive(answers));
  return absl::StrJoin(recorder.Take(), "|");
}

// Returns what happens to a reader of the bytes.
std::string Outcome(int kind, size_t piece, absl::string_view bytes) {
  const ConnectionOptions options = Options(kind);
  Recorder recorder;
  Connection connection(options, recorder);
  std::string out;
  if ((kind & kOwnClose) != 0) {
    KUBE_CHECK_OK(connection.SendClose({.code = CloseCode::kNormal}, out));
    out.clear();
  }
  absl::Status status;
  while (!bytes.empty() && status.ok()) {
    status = connection.Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  connection.Produce(out);
  KUBE_CHECK_LE(out.size(), 2 * (kMaxFrameHeaderBytes + kMaxControlBytes));
  KUBE_CHECK(status.ok() || connection.done());
  const absl::Status end = connection.EndOfInput();
  KUBE_CHECK(end.ok() == connection.close_received().has_value()) << end;
  KUBE_CHECK(connection.done());
  return absl::StrCat(absl::StrJoin(recorder.TakeMessages(), "|"), " ", status.ToString(), " ",
                      Understood(options.role, out));
}

}  // namespace
}  // namespace kube::websocket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  kube::base::FakeClock clock;  // brings keys that can be replayed
  const kube::base::RuntimeScope scope(clock);
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  KUBE_CHECK_EQ(kube::websocket::Outcome(data[0], size_t{1} + data[1], bytes),
                kube::websocket::Outcome(data[0], bytes.size() + 1, bytes));
  return 0;
}
