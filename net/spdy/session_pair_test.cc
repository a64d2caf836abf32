// Two sessions that talk to each other.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"

namespace kube::spdy {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

using StreamPtr = std::unique_ptr<SessionStream>;

void Simulate(void (*program)()) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(program), IsOk());
}

// Opens a stream of one session, which the other one accepts.
struct Streams {
  StreamPtr from;
  StreamPtr to;
};
Streams Connect(Session& from, Session& to, const http::Headers& headers = {}) {
  Streams streams;
  base::ThreadGroup group{Context()};
  group.Go("open", [&](const Context& ctx) -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(streams.from, from.OpenStream(ctx, headers));
    return absl::OkStatus();
  });
  group.Go("accept", [&](const Context& ctx) -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(streams.to, to.Accept(ctx));
    return streams.to->Reply();
  });
  EXPECT_THAT(group.Wait(), IsOk());
  return streams;
}

// Two sessions that are connected.
struct Pair {
  explicit Pair(const SessionOptions& options = {}) : Pair(options, io::MakePipe()) {}
  Pair(SessionOptions options, io::Pipe pipe) {
    client = *Session::Start(Context(), std::move(pipe.first), options);
    options.connection.role = Role::kServer;
    server = *Session::Start(Context(), std::move(pipe.second), options);
  }

  std::unique_ptr<Session> client;
  std::unique_ptr<Session> server;
};

absl::StatusOr<std::string> Get(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                        Session::Start(ctx, std::move(connection), {}));
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<SessionStream> stream,
                        session->OpenStream(ctx, {{"streamtype", "data"}}));
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, "GET / HTTP/1.0\r\n\r\n"));
  return stream->Read(ctx);
}

TEST(SessionPairTest, AsksOnAStream_AsInTheHeader) {
  Simulate([] {
    io::Pipe pipe = io::MakePipe();
    base::ThreadGroup group{Context()};
    group.Go("server", [&pipe](const Context& ctx) -> absl::Status {
      SessionOptions options;
      options.connection.role = Role::kServer;
      KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                            Session::Start(ctx, std::move(pipe.second), options));
      KUBE_ASSIGN_OR_RETURN(const StreamPtr stream, session->Accept(ctx));
      EXPECT_EQ(stream->headers(), (http::Headers{{"streamtype", "data"}}));
      KUBE_RETURN_IF_ERROR(stream->Reply());
      EXPECT_THAT(stream->Read(ctx), IsOkAndHolds("GET / HTTP/1.0\r\n\r\n"));
      KUBE_RETURN_IF_ERROR(stream->Write(ctx, "200 OK"));
      EXPECT_THAT(stream->Read(ctx), StatusIs(StatusCode::kAborted)) << "the client has gone";
      return absl::OkStatus();
    });
    EXPECT_THAT(Get(Context(), std::move(pipe.first)), IsOkAndHolds("200 OK"));
    EXPECT_THAT(group.Wait(), IsOk());
  });
}

TEST(SessionPairTest, EachSideOpensStreams_DataAndEndsGoBothWays) {
  Simulate([] {
    Pair pair;
    for (const bool of_client : {true, false}) {
      SCOPED_TRACE(of_client ? "of the client" : "of the server");
      const http::Headers headers = {{"streamtype", "data"}, {"port", "80"}};
      const Streams streams = of_client ? Connect(*pair.client, *pair.server, headers)
                                        : Connect(*pair.server, *pair.client, headers);
      EXPECT_EQ(streams.from->headers(), headers);
      EXPECT_EQ(streams.to->headers(), headers);
      EXPECT_THAT(streams.from->Write(Context(), "there"), IsOk());
      EXPECT_THAT(streams.to->Write(Context(), "back"), IsOk());
      EXPECT_THAT(streams.to->Read(Context()), IsOkAndHolds("there"));
      EXPECT_THAT(streams.from->Read(Context()), IsOkAndHolds("back"));

      EXPECT_THAT(streams.from->CloseWrite(), IsOk());
      EXPECT_THAT(streams.from->CloseWrite(), IsOk()) << "the second call does nothing";
      EXPECT_THAT(streams.from->Write(Context(), "x"), StatusIs(StatusCode::kFailedPrecondition));
      EXPECT_THAT(streams.to->Read(Context()), IsOkAndHolds(""));
      EXPECT_THAT(streams.to->Write(Context(), "last"), IsOk());
      EXPECT_THAT(streams.to->CloseWrite(), IsOk());
      EXPECT_THAT(streams.from->Read(Context()), IsOkAndHolds("last"));
      EXPECT_THAT(streams.from->Read(Context()), IsOkAndHolds(""));
      EXPECT_THAT(streams.from->Read(Context()), IsOkAndHolds("")) << "it stays the end";
      EXPECT_THAT(streams.to->Write(Context(), "x"), StatusIs(StatusCode::kFailedPrecondition));
    }
  });
}

// behaviour.md: ST-88
TEST(SessionPairTest, Write_OfManyFrames_ArrivesWhole) {
  Simulate([] {
    Pair pair({.max_buffered_bytes = 1000});
    const Streams streams = Connect(*pair.client, *pair.server);
    const std::string large(1'000'000, 'x');
    EXPECT_THAT(streams.from->Write(Context(), large), IsOk());
    EXPECT_THAT(streams.from->CloseWrite(), IsOk());
    std::string read;
    while (true) {
      const absl::StatusOr<std::string> bytes = streams.to->Read(Context());
      ASSERT_THAT(bytes, IsOk());
      if (bytes->empty()) break;
      absl::StrAppend(&read, *bytes);
    }
    EXPECT_TRUE(read == large);
  });
}

TEST(SessionPairTest, Flush_WaitsUntilThePeersSessionHasRead) {
  Simulate([] {
    Pair pair;
    const Streams streams = Connect(*pair.client, *pair.server);
    EXPECT_THAT(streams.from->Write(Context(), "data"), IsOk());
    EXPECT_THAT(streams.from->Flush(WithTimeout(Context(), absl::Seconds(1))), IsOk());
  });
}

}  // namespace
}  // namespace kube::spdy
