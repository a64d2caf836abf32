#ifndef NET_SPDY_TESTING_SESSION_FIXTURE_H_
#define NET_SPDY_TESTING_SESSION_FIXTURE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_reader.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/session.h"

// What the tests of Session share: the session of a client with a server that says what the test
// wants, and what waits in virtual time.
namespace kube::spdy {

using StreamPtr = std::unique_ptr<SessionStream>;

inline constexpr size_t kSmall = 10;
inline constexpr size_t kLarge = size_t{64} << 10;

// More than fits into a small buffer: further writes wait until it has been read.
inline const std::string& Filling() {
  static const std::string filling(100, 'x');
  return filling;
}

inline Context Timeout(absl::Duration timeout) { return WithTimeout(Context(), timeout); }

// Lets all other threads of a simulation run until they wait.
inline void Settle() {
  EXPECT_THAT(base::SleepFor(Context(), absl::Milliseconds(1)), base::IsOk());
}

inline void Simulate(std::function<void()> program) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(std::move(program)), base::IsOk());
}

// Pings are off where they would be in the way.
inline SessionOptions Quiet() { return {.ping_interval = absl::ZeroDuration()}; }

template <typename FrameT>
concept HasHeaders = requires(const FrameT& frame) {
  frame.headers;
};

// The session of a client, and a server that says whatever the test wants.
class SessionFixture {
 public:
  explicit SessionFixture(const SessionOptions& options = Quiet(), size_t buffer_bytes = kLarge,
                          const Context& ctx = Context())
      : SessionFixture(options, io::MakePipe(buffer_bytes), ctx) {}

  template <typename FrameT>
  void Say(const FrameT& frame) {
    std::string bytes;
    if constexpr (HasHeaders<FrameT>) {
      EXPECT_THAT(writer_.Write(frame, bytes), base::IsOk());
    } else {
      AppendFrame(frame, bytes);
    }
    SayBytes(bytes);
  }
  void SayBytes(absl::string_view bytes) {
    EXPECT_THAT(peer->Write(Context(), bytes), base::IsOk());
  }

  // Returns what arrives until all threads wait: "SYN_STREAM 1", "DATA 1 abc", "DATA 1 fin", and
  // "end".
  std::vector<std::string> Hear() {
    std::vector<std::string> frames;
    while (true) {
      Settle();
      const absl::StatusOr<std::string> bytes = peer->Read(Timeout(absl::ZeroDuration()));
      if (!bytes.ok()) return frames;
      if (bytes->empty()) break;
      absl::string_view rest = *bytes;
      while (true) {
        const auto frame = reader_.Next(rest);
        EXPECT_THAT(frame, base::IsOk());
        if (!frame.ok() || !frame->has_value()) break;
        Add(**frame, frames);
      }
    }
    frames.push_back("end");
    return frames;
  }

  // Opens a stream, which the peer accepts.
  StreamPtr Open() {
    StreamPtr stream;
    base::ThreadGroup group{Context()};
    group.Go("open", [&](const Context& ctx) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(stream, session->OpenStream(ctx, {}));
      return absl::OkStatus();
    });
    EXPECT_THAT(Hear(), ::testing::ElementsAre(absl::StrCat("SYN_STREAM ", next_id_)));
    Say(SynReplyFrame{.stream_id = next_id_});
    next_id_ += 2;
    EXPECT_THAT(group.Wait(), base::IsOk());
    return stream;
  }

  // Accepts a stream that the peer opens.
  StreamPtr BeOpened(StreamId id) {
    Say(SynStreamFrame{.stream_id = id});
    absl::StatusOr<StreamPtr> stream = session->Accept(Context());
    EXPECT_THAT(stream, base::IsOk());
    return *std::move(stream);
  }

 private:
  SessionFixture(const SessionOptions& options, io::Pipe pipe, const Context& ctx)
      : peer(std::move(pipe.second)),
        session(*Session::Start(ctx, std::move(pipe.first), options)) {}

  // Pieces of one frame become one text.
  void Add(const Frame& frame, std::vector<std::string>& frames) {
    const DataPiece* const piece = std::get_if<DataPiece>(&frame);
    const bool continues = std::exchange(in_frame_, piece != nullptr && !piece->ends_frame);
    if (piece == nullptr) return frames.push_back(ToString(frame));
    if (!continues || frames.empty()) {
      frames.push_back(absl::StrCat("DATA ", piece->stream_id, " "));
    }
    absl::StrAppend(&frames.back(), piece->data, piece->fin ? "fin" : "");
  }

  FrameWriter writer_;
  FrameReader reader_;
  bool in_frame_ = false;
  StreamId next_id_ = 1;

 public:
  std::unique_ptr<io::DuplexStream> peer;
  std::unique_ptr<Session> session;
};

}  // namespace kube::spdy

#endif  // NET_SPDY_TESTING_SESSION_FIXTURE_H_
