#include "clientset/portforward/forwarder.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/portforward/testing/fake_pod.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_writer.h"
#include "net/spdy/session.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

meta::ObjectName Web() { return {.namespace_name = "prod", .name = "web-0"}; }

constexpr char kRefused[] =
    "forward to port 80 of pod \"web-0\" in \"prod\": an error occurred: error forwarding port 80 "
    "to pod prod_web-0, uid : connection refused";

// Runs a test in virtual time, with threads in different orders.
void Simulate(const std::function<void(const Context&, FakePod&)>& test) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&test] {
      FakePod pod;
      test(WithTimeout(Context(), absl::Hours(1)), pod);
    }),
                IsOk());
  }
}

std::unique_ptr<Forwarder> ConnectTo(const Context& ctx, FakePod& pod) {
  absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
      Forwarder::Connect(ctx, pod.MakeConnector(), Web());
  EXPECT_THAT(forwarder, IsOk());
  return forwarder.ok() ? *std::move(forwarder) : nullptr;
}

// Reads until the end.
absl::StatusOr<std::string> ReadAll(const Context& ctx, io::DuplexStream& stream) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream.Read(ctx));
    if (bytes.empty()) return all;
    all += bytes;
  }
}

// Sends a text and returns the answer.
absl::StatusOr<std::string> Ask(const Context& ctx, Forwarder& forwarder, uint16_t port,
                                const std::string& text) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<PortStream> stream, forwarder.Dial(ctx, port));
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, text));
  KUBE_RETURN_IF_ERROR(stream->CloseWrite());
  return ReadAll(ctx, *stream);
}

TEST(Forwarder, CarriesBytesInBothDirections) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    EXPECT_EQ((*stream)->port(), 80);
    EXPECT_THAT((*stream)->Write(ctx, "ping"), IsOk());
    EXPECT_THAT((*stream)->Read(ctx), IsOkAndHolds("ping"));
    EXPECT_THAT((*stream)->Write(ctx, "pong"), IsOk());
    EXPECT_THAT((*stream)->Flush(ctx), IsOk());
    EXPECT_THAT((*stream)->CloseWrite(), IsOk());
    EXPECT_THAT(ReadAll(ctx, **stream), IsOkAndHolds("pong"));
    EXPECT_THAT((*stream)->Outcome(ctx), IsOk());
    EXPECT_EQ(forwarder->pod(), Web());
  });
}

TEST(Forwarder, CarriesManyConnectionsAtATime) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    pod.Listen(81, [](const Context& each, io::DuplexStream& stream) {
      return stream.Write(each, "from the other port");
    });
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    base::ThreadGroup group(ctx);
    for (int i = 0; i < 8; ++i) {
      group.Go("client", [&, i](const Context& each) {
        const std::string text = absl::StrCat("text ", i);
        EXPECT_THAT(Ask(each, *forwarder, 80, text), IsOkAndHolds(text));
        EXPECT_THAT(Ask(each, *forwarder, 81, ""), IsOkAndHolds("from the other port"));
        return absl::OkStatus();
      });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(pod.connections(), 1u);
  });
}

// behaviour.md: ST-5, ST-41
TEST(Forwarder, CountsRequests) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    for (int i = 0; i < 3; ++i) EXPECT_THAT(Ask(ctx, *forwarder, 80, "x"), IsOk());
    EXPECT_THAT(pod.request_ids(), ElementsAre("0", "1", "2"));
  });
}

// As a kubelet: accepts the two streams of a connection, and keeps what the client says of them,
// and what it sends on the first one before the second one is accepted.
absl::Status HearStreams(const Context& ctx, spdy::Session& kubelet,
                         std::vector<std::string>& heard) {
  std::vector<std::unique_ptr<spdy::SessionStream>> streams;
  for (int i = 0; i < 2; ++i) {
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<spdy::SessionStream> stream, kubelet.Accept(ctx));
    const auto value = [&stream](absl::string_view name) {
      return stream->headers().Get(name).value_or("none");
    };
    heard.push_back(absl::StrCat(value("streamtype"), ", port ", value("port"), ", request ",
                                 value("requestid"), ", ", stream->headers().size(), " headers"));
    KUBE_RETURN_IF_ERROR(stream->Reply());
    if (i == 0) {
      KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream->Read(ctx));
      heard.push_back(absl::StrCat(bytes.size(), " bytes and the end"));
    }
    streams.push_back(std::move(stream));
  }
  return base::WaitUntilDone(kubelet.context());
}

// behaviour.md: ST-41, ST-42, ST-91
TEST(Forwarder, OpensTheStreamForErrorsFirst) {
  base::SimRuntime sim;
  const absl::Status status = sim.Run([] {
    const Context ctx = WithTimeout(Context(), absl::Minutes(1));
    io::Pipe pipe = io::MakePipe();
    std::vector<std::string> heard;
    base::ThreadGroup threads(ctx);
    threads.Go("kubelet", [&](const Context& each) -> absl::Status {
      spdy::SessionOptions options;
      options.connection.role = spdy::Role::kServer;
      KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<spdy::Session> kubelet,
                            spdy::Session::Start(each, std::move(pipe.second), options));
      return HearStreams(each, *kubelet, heard);
    });
    const Connector connector =
        [&pipe](const Context&) -> absl::StatusOr<std::unique_ptr<io::DuplexStream>> {
      return std::move(pipe.first);
    };
    const absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx, connector, Web());
    ASSERT_THAT(forwarder, IsOk());
    EXPECT_THAT((*forwarder)->Dial(ctx, 8080), IsOk());
    threads.Cancel();
    threads.Wait().IgnoreError();
    EXPECT_THAT(heard, ElementsAre("error, port 8080, request 0, 3 headers", "0 bytes and the end",
                                   "data, port 8080, request 0, 3 headers"));
  });
  EXPECT_THAT(status, IsOk());
}

// An error belongs to its connection. client-go closes all of them.
// behaviour.md: ST-44
TEST(Forwarder, TellsWhyAConnectionFailsAndKeepsTheOthers) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(81, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> other = forwarder->Dial(ctx, 81);
    ASSERT_THAT(other, IsOk());
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());

    EXPECT_THAT((*stream)->Read(ctx), StatusIs(absl::StatusCode::kUnavailable, kRefused));
    EXPECT_THAT((*stream)->Read(ctx), StatusIs(absl::StatusCode::kUnavailable, kRefused));
    EXPECT_THAT((*stream)->Write(ctx, "x"), StatusIs(absl::StatusCode::kUnavailable, kRefused));
    EXPECT_THAT((*stream)->Outcome(ctx), StatusIs(absl::StatusCode::kUnavailable, kRefused));

    EXPECT_THAT((*other)->Write(ctx, "still here"), IsOk());
    EXPECT_THAT((*other)->Read(ctx), IsOkAndHolds("still here"));
    EXPECT_EQ(pod.connections(), 1u);
  });
}

// As a kubelet that cannot connect, which may happen before it accepts the stream.
absl::Status ResetDataUnaccepted(const Context& ctx, spdy::Session& kubelet) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<spdy::SessionStream> error, kubelet.Accept(ctx));
  KUBE_RETURN_IF_ERROR(error->Reply());
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<spdy::SessionStream> data, kubelet.Accept(ctx));
  KUBE_RETURN_IF_ERROR(error->Write(ctx, "connection refused"));
  KUBE_RETURN_IF_ERROR(error->CloseWrite());
  data->Reset();
  return base::WaitUntilDone(kubelet.context());
}

// behaviour.md: ST-45
TEST(Forwarder, TellsWhyAStreamIsNotAccepted) {
  base::SimRuntime sim;
  const absl::Status status = sim.Run([] {
    const Context ctx = WithTimeout(Context(), absl::Minutes(1));
    io::Pipe pipe = io::MakePipe();
    base::ThreadGroup threads(ctx);
    threads.Go("kubelet", [&pipe](const Context& each) -> absl::Status {
      spdy::SessionOptions options;
      options.connection.role = spdy::Role::kServer;
      KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<spdy::Session> kubelet,
                            spdy::Session::Start(each, std::move(pipe.second), options));
      return ResetDataUnaccepted(each, *kubelet);
    });
    const Connector connector =
        [&pipe](const Context&) -> absl::StatusOr<std::unique_ptr<io::DuplexStream>> {
      return std::move(pipe.first);
    };
    const absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx, connector, Web());
    ASSERT_THAT(forwarder, IsOk());
    EXPECT_THAT((*forwarder)->Dial(ctx, 80),
                StatusIs(absl::StatusCode::kUnavailable,
                         "forward to port 80 of pod \"web-0\" in \"prod\": an error occurred: "
                         "connection refused"));
    threads.Cancel();
    threads.Wait().IgnoreError();
  });
  EXPECT_THAT(status, IsOk());
}

TEST(Forwarder, PassesOnWhatCameBeforeAnError) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, [](const Context& each, io::DuplexStream& stream) -> absl::Status {
      KUBE_RETURN_IF_ERROR(stream.Read(each));
      KUBE_RETURN_IF_ERROR(stream.Write(each, "half an ans"));
      // Lets the client read it: a reset drops what waits.
      KUBE_RETURN_IF_ERROR(stream.Read(each));
      return absl::InternalError("broken");
    });
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    EXPECT_THAT((*stream)->Write(ctx, "question"), IsOk());
    EXPECT_THAT((*stream)->Read(ctx), IsOkAndHolds("half an ans"));
    EXPECT_THAT((*stream)->CloseWrite(), IsOk());
    EXPECT_THAT(ReadAll(ctx, **stream),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("broken")));
  });
}

// Kubelets do not do this, but the protocol allows it.
TEST(Forwarder, MaySendAfterThePodHasEnded) {
  Simulate([](const Context& ctx, FakePod& pod) {
    std::string received;
    base::Event done;
    pod.Listen(80, [&](const Context& each, io::DuplexStream& stream) -> absl::Status {
      KUBE_RETURN_IF_ERROR(stream.CloseWrite());
      KUBE_ASSIGN_OR_RETURN(received, ReadAll(each, stream));
      done.Set();
      return absl::OkStatus();
    });
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    EXPECT_THAT((*stream)->Read(ctx), IsOkAndHolds(""));
    EXPECT_THAT((*stream)->Write(ctx, "late"), IsOk());
    EXPECT_THAT((*stream)->CloseWrite(), IsOk());
    EXPECT_THAT(done.Wait(ctx), IsOk());
    EXPECT_EQ(received, "late");
    EXPECT_THAT((*stream)->Outcome(ctx), IsOk());
  });
}

// behaviour.md: ST-44
TEST(Forwarder, ConnectsAgainAfterALoss) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    pod.LoseConnections();
    // What waited to be read may come first.
    EXPECT_FALSE(ReadAll(ctx, **stream).ok());
    EXPECT_FALSE((*stream)->Outcome(ctx).ok());

    base::ThreadGroup group(ctx);
    for (int i = 0; i < 5; ++i) {
      group.Go("client", [&](const Context& each) {
        EXPECT_THAT(Ask(each, *forwarder, 80, "again"), IsOkAndHolds("again"));
        return absl::OkStatus();
      });
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(pod.connections(), 2u) << "five threads connect once";
  });
}

// It accepts no more streams, and closes the connection a moment later.
TEST(Forwarder, ConnectsAgainIfTheServerSaysGoodbye) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    io::Pipe pipe = io::MakePipe();
    const Connector connector =
        [&](const Context&) -> absl::StatusOr<std::unique_ptr<io::DuplexStream>> {
      if (pipe.first != nullptr) return std::move(pipe.first);
      return pod.Connect();
    };
    const absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx, connector, Web());
    ASSERT_THAT(forwarder, IsOk());
    std::string goodbye;
    spdy::AppendFrame(spdy::GoAwayFrame{}, goodbye);
    EXPECT_THAT(pipe.second->Write(ctx, goodbye), IsOk());
    base::ThreadGroup group(ctx);
    group.Go("server", [&](const Context& each) {
      EXPECT_THAT(base::SleepFor(each, absl::Milliseconds(50)), IsOk());
      pipe.second->Close();
      return absl::OkStatus();
    });
    EXPECT_THAT(Ask(ctx, **forwarder, 80, "hello"), IsOkAndHolds("hello"));
    EXPECT_THAT(group.Wait(), IsOk());
  });
}

TEST(Forwarder, ReportsThatItCannotConnectAgainAndTriesLater) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    pod.FailConnections(1, absl::NotFoundError("no such pod"));
    pod.LoseConnections();
    EXPECT_FALSE(ReadAll(ctx, **stream).ok());
    EXPECT_THAT(forwarder->Dial(ctx, 80),
                StatusIs(absl::StatusCode::kNotFound,
                         "forward ports of pod \"web-0\" in \"prod\": no such pod"));
    EXPECT_THAT(Ask(ctx, *forwarder, 80, "again"), IsOkAndHolds("again"));
  });
}

// behaviour.md: ST-47
TEST(Forwarder, ReportsThatItCannotConnect) {
  FakePod pod;
  pod.FailConnections(1, absl::NotFoundError("no such pod"));
  EXPECT_THAT(Forwarder::Connect(Context(), pod.MakeConnector(), Web()),
              StatusIs(absl::StatusCode::kNotFound,
                       "forward ports of pod \"web-0\" in \"prod\": no such pod"));
}

TEST(Forwarder, RefusesPortZero) {
  Simulate([](const Context& ctx, FakePod& pod) {
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    EXPECT_THAT(forwarder->Dial(ctx, 0),
                StatusIs(absl::StatusCode::kInvalidArgument, "remote port must be > 0"));
  });
}

TEST(Forwarder, EndsStreamsWhenClosed) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    forwarder->Close();
    EXPECT_FALSE(ReadAll(ctx, **stream).ok());
    EXPECT_THAT(forwarder->Dial(ctx, 80),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("closed")));
    // A stream may outlive it.
    forwarder.reset();
    EXPECT_FALSE((*stream)->Write(ctx, "x").ok());
    EXPECT_FALSE((*stream)->Read(ctx).ok());
  });
}

// A kubelet that accepts no stream.
// behaviour.md: ST-85
TEST(Forwarder, WaitsForAReplyAsLongAsItMay) {
  struct Case {
    std::string name;
    absl::Duration timeout;
    absl::Duration reply_timeout;
    absl::Duration waited;
  };
  const std::vector<Case> cases = {
      {"the default", absl::Hours(1), ForwarderOptions().reply_timeout, absl::Seconds(30)},
      {"the option", absl::Hours(1), absl::Seconds(5), absl::Seconds(5)},
      {"the context", absl::Seconds(2), absl::Seconds(5), absl::Seconds(2)},
  };
  for (const Case& each : cases) {
    base::SimRuntime sim;
    const absl::Status status = sim.Run([&each] {
      io::Pipe pipe = io::MakePipe();
      const Connector connector =
          [&pipe](const Context&) -> absl::StatusOr<std::unique_ptr<io::DuplexStream>> {
        return std::move(pipe.first);
      };
      const Context ctx = WithTimeout(Context(), each.timeout);
      const absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
          Forwarder::Connect(ctx, connector, Web(), {.reply_timeout = each.reply_timeout});
      ASSERT_THAT(forwarder, IsOk());
      const base::MonotonicTime start = base::Now();
      EXPECT_THAT((*forwarder)->Dial(ctx, 80),
                  StatusIs(absl::StatusCode::kDeadlineExceeded,
                           StartsWith("forward to port 80 of pod \"web-0\" in \"prod\": ")))
          << each.name;
      EXPECT_EQ(base::Now() - start, each.waited) << each.name;
    });
    EXPECT_THAT(status, IsOk()) << each.name;
  }
}

// A reader who has no time loses nothing.
TEST(Forwarder, ReadEndsWithItsContext) {
  Simulate([](const Context& ctx, FakePod& pod) {
    pod.Listen(80, FakePod::Echo);
    const std::unique_ptr<Forwarder> forwarder = ConnectTo(ctx, pod);
    const absl::StatusOr<std::unique_ptr<PortStream>> stream = forwarder->Dial(ctx, 80);
    ASSERT_THAT(stream, IsOk());
    EXPECT_THAT((*stream)->Read(WithTimeout(ctx, absl::Seconds(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT((*stream)->Outcome(WithTimeout(ctx, absl::Seconds(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT((*stream)->Write(ctx, "ping"), IsOk());
    EXPECT_THAT((*stream)->Read(ctx), IsOkAndHolds("ping"));
  });
}

}  // namespace
}  // namespace kube::portforward
