// Bytes of a hostile peer, for either side of a connection whose user answers at once, late or not
// at all: nothing crashes, what is understood and what is answered does not depend on how the bytes
// are cut, output is bounded by input, and another reader understands it.
//
// The first byte says which side reads and what its user does, the second one how the bytes are
// cut.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"

namespace kube::spdy {
namespace {

// What the first byte says.
constexpr int kServer = 1;
constexpr int kReplies = 2;
constexpr int kEchoes = 4;
constexpr int kResets = 8;  // streams of the peer with ids that are multiples of three
constexpr int kOpens = 16;  // streams before anything arrives

constexpr Limits kLimits = {.max_headers = 20,
                            .max_header_bytes = 5000,
                            .max_block_bytes = 10'000,
                            .max_control_bytes = 20'000};

class User final : public Connection::Events {
 public:
  explicit User(int kind)
      : kind_(kind),
        connection_({.role = (kind & kServer) != 0 ? Role::kServer : Role::kClient,
                     .limits = kLimits,
                     .max_peer_streams = 5},
                    *this) {
    if ((kind & kOpens) == 0) return;
    for (int i = 0; i < 2; ++i) KUBE_CHECK_OK(connection_.OpenStream({{"a", "b"}}, out_));
  }

  void OnStream(StreamId id, const http::Headers& headers) override {
    Tell("stream", id, headers.size());
    if ((kind_ & kResets) != 0 && id % 3 == 0) return connection_.Reset(id, out_);
    if ((kind_ & kReplies) != 0) KUBE_CHECK_OK(connection_.Reply(id, out_));
  }
  void OnReply(StreamId id, const http::Headers& headers) override {
    Tell("reply", id, headers.size());
  }
  void OnData(StreamId id, absl::string_view data) override {
    KUBE_CHECK(!data.empty());
    if (data_of_ != id) Tell("data", id, 0);
    data_of_ = id;
    told_.append(data.data(), data.size());
    if ((kind_ & kEchoes) != 0) connection_.SendData(id, data.substr(0, 1), out_).IgnoreError();
  }
  void OnEnd(StreamId id) override {
    Tell("end", id, 0);
    if ((kind_ & kEchoes) != 0) connection_.Finish(id, out_).IgnoreError();
  }
  void OnReset(StreamId id, ResetStatus status) override {
    Tell("reset", id, static_cast<uint32_t>(status));
  }
  void OnPong(uint32_t ping_id) override { Tell("pong", ping_id, 0); }
  void OnGoAway(StreamId last_good_id, GoAwayStatus status) override {
    Tell("goaway", last_good_id, static_cast<uint32_t>(status));
  }

  Connection& connection() { return connection_; }
  const std::string& told() const { return told_; }
  std::string& out() { return out_; }

 private:
  void Tell(absl::string_view what, uint32_t id, size_t number) {
    data_of_ = 0;
    absl::StrAppend(&told_, "\n", what, " ", id, " ", number, " ");
  }

  const int kind_;
  std::string out_;
  std::string told_;
  StreamId data_of_ = 0;
  Connection connection_;
};

void CheckUnderstood(absl::string_view bytes) {
  FrameReader reader;
  while (true) {
    const absl::StatusOr<std::optional<Frame>> frame = reader.Next(bytes);
    KUBE_CHECK_OK(frame);
    if (!frame->has_value()) return;
  }
}

// Returns what the user is told.
std::string Outcome(int kind, size_t piece, absl::string_view bytes) {
  User user(kind);
  Connection& connection = user.connection();
  const size_t own = user.out().size();
  const size_t input = bytes.size();
  absl::Status status;
  while (!bytes.empty() && status.ok()) {
    status = connection.Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    connection.Produce(user.out());
  }
  KUBE_CHECK(status.ok() || connection.done());
  KUBE_CHECK_LE(connection.open_streams(), 7u);
  connection.Close(user.out());
  KUBE_CHECK(connection.done());
  // A byte of data is answered by a frame of nine, and the end by a few frames.
  KUBE_CHECK_LE(user.out().size(), own + 10 * input + 200);
  CheckUnderstood(user.out());
  return absl::StrCat(user.told(), " ", status.ToString());
}

}  // namespace
}  // namespace kube::spdy

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // More would ask for more answers than may wait.
  if (size < 2 || size > 100'000) return 0;
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  KUBE_CHECK_EQ(kube::spdy::Outcome(data[0], size_t{1} + data[1], bytes),
                kube::spdy::Outcome(data[0], bytes.size() + 1, bytes));
  return 0;
}
