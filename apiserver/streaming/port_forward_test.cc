// port-forward, from the request to the end of the session, without sockets.

#include "apiserver/streaming/port_forward.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "apiserver/testing/stream_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/session.h"
#include "net/websocket/connection.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

constexpr char kProtocol[] = "portforward.k8s.io";

// Sends back what it gets, until the client ends it.
absl::Status Echo(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  while (true) {
    const auto bytes = connection->Read(ctx);
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) return absl::OkStatus();
    const absl::Status status = connection->Write(ctx, *bytes);
    if (!status.ok()) return status;
  }
}

// Says a line and hangs up, though the client may still send.
absl::Status SayAndClose(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  return connection->Write(ctx, "goodbye\n");
}

absl::Status Fail(const Context&, std::unique_ptr<io::DuplexStream>) {
  return absl::InternalError("the application has crashed");
}

void ProvidePorts(StreamWorld& world) {
  world.handler().SetContainer("default", "web", "app",
                               {.ports = {{80, Echo}, {81, SayAndClose}, {82, Fail}}});
}

// A forwarded connection, as client-go opens it.
struct Forwarded {
  Forwarded(spdy::Session& session, int port, int request) {
    http::Headers headers = {{"streamtype", "error"},
                             {"port", absl::StrCat(port)},
                             {"requestid", absl::StrCat(request)}};
    error = OpenStream(session, headers);
    EXPECT_THAT(error->CloseWrite(), IsOk());
    headers.Set("streamtype", "data");
    data = OpenStream(session, headers);
  }

  std::unique_ptr<spdy::SessionStream> error;
  std::unique_ptr<spdy::SessionStream> data;
};

// behaviour.md: ST-39, ST-53
TEST(PortForward, IsRefusedBeforeTheUpgrade) {
  StreamWorld world;
  world.CreatePod("pending", {"app"}, /*node=*/"");
  struct Case {
    const char* name;
    const char* method;
    const char* pod;
    const char* query;
    http::Headers headers;
    int code;
    const char* text;
  };
  const http::Headers channels = StreamWorld::WebSocketHeaders({"v4.channel.k8s.io"});
  const http::Headers tunnel = StreamWorld::WebSocketHeaders({"SPDY/3.1+portforward.k8s.io"});
  const Case cases[] = {
      {"no such pod", "GET", "none", "", tunnel, 404, R"(pods \"none\" not found)"},
      {"no node", "GET", "pending", "", tunnel, 400, "pod pending does not have a host assigned"},
      {"no upgrade", "POST", "web", "", {}, 400, "Upgrade request required"},
      {"an unknown version", "POST", "web", "", StreamWorld::SpdyHeaders({"v2.portforward"}), 403,
       "unable to upgrade: unable to negotiate protocol"},
      {"an unknown tunnel", "GET", "web", "",
       StreamWorld::WebSocketHeaders({"SPDY/3.1+v2.portforward.k8s.io"}), 403,
       "unable to negotiate protocol"},
      {"channels without a port", "GET", "web", "", channels, 400,
       "query parameter \"port\" is required"},
      {"port 0", "GET", "web", "ports=80,0", channels, 400, "port \"80,0\" must be > 0"},
      {"port 65616", "GET", "web", "ports=65616", channels, 400,
       R"(cannot convert to []int32: strconv.ParseUint: parsing \"65616\": value out of range)"},
      {"no port", "GET", "web", "ports=http", channels, 400, "cannot convert to []int32"},
      {"another verb", "DELETE", "web", "", {}, 405, "MethodNotAllowed"},
  };
  for (const Case& each : cases) {
    const StreamWorld::Reply reply = world.Send(
        each.method, absl::StrCat(PodPath(each.pod, "portforward"), "?", each.query), each.headers);
    EXPECT_EQ(reply.status, each.code) << each.name << ": " << reply.body;
    EXPECT_THAT(reply.body, HasSubstr(each.text)) << each.name;
  }
}

// Both ways to carry SPDY.
class PortForwardOverSpdy : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<spdy::Session> Connect(StreamWorld& world) {
    return GetParam() ? world.Tunnel("portforward") : world.Spdy("portforward", {kProtocol});
  }
};

INSTANTIATE_TEST_SUITE_P(Carriers, PortForwardOverSpdy, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& carrier) {
                           return carrier.param ? "Tunnel" : "Spdy";
                         });

TEST_P(PortForwardOverSpdy, ForwardsConnections) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = Connect(world);
  Forwarded first(*session, 80, 0);
  Forwarded second(*session, 80, 1);
  EXPECT_THAT(first.data->Write(Context(), "one"), IsOk());
  EXPECT_THAT(second.data->Write(Context(), "two"), IsOk());
  EXPECT_THAT(second.data->Read(Context()), IsOkAndHolds("two"));
  EXPECT_THAT(first.data->Read(Context()), IsOkAndHolds("one"));
  EXPECT_THAT(first.data->CloseWrite(), IsOk());
  EXPECT_EQ(ReadAll(*first.data), "");
  EXPECT_EQ(ReadAll(*first.error), "") << "no error";
  EXPECT_THAT(second.data->Write(Context(), "still there"), IsOk());
  EXPECT_THAT(second.data->Read(Context()), IsOkAndHolds("still there"));
}

TEST_P(PortForwardOverSpdy, HangsUpFirst) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = Connect(world);
  Forwarded forwarded(*session, 81, 0);
  EXPECT_EQ(ReadAll(*forwarded.data), "goodbye\n");
  EXPECT_EQ(ReadAll(*forwarded.error), "");
  // client-go resets the stream then.
  forwarded.data->Reset();
  Forwarded next(*session, 81, 1);
  EXPECT_EQ(ReadAll(*next.data), "goodbye\n");
}

// behaviour.md: ST-45
TEST_P(PortForwardOverSpdy, TellsErrors) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = Connect(world);
  Forwarded refused(*session, 9999, 0);
  EXPECT_EQ(ReadAll(*refused.error),
            "error forwarding port 9999 to pod web_default, uid : failed to connect to "
            "localhost:9999: connection refused");
  Forwarded failed(*session, 82, 1);
  EXPECT_EQ(ReadAll(*failed.error),
            "error forwarding port 82 to pod web_default, uid : the application has crashed");
  ReadAll(*failed.data);
  Forwarded good(*session, 81, 2);
  EXPECT_EQ(ReadAll(*good.data), "goodbye\n") << "the session goes on";
}

// behaviour.md: ST-45
TEST_P(PortForwardOverSpdy, RefusesOtherStreams) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = Connect(world);
  for (const http::Headers& headers :
       {http::Headers{{"streamtype", "data"}}, http::Headers{{"port", "80"}},
        http::Headers{{"streamtype", "stdin"}, {"port", "80"}}}) {
    EXPECT_THAT(session->OpenStream(Context(), headers), StatusIs(absl::StatusCode::kAborted));
  }
}

TEST_P(PortForwardOverSpdy, ForwardsMuch) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = Connect(world);
  base::ThreadGroup group((Context()));
  for (int i = 0; i < 10; ++i) {
    group.Go("client", [&session, i](const Context&) {
      Forwarded forwarded(*session, 80, i);
      const std::string piece(10'000, static_cast<char>('a' + i));
      for (int sent = 0; sent < 20; ++sent) {
        EXPECT_THAT(forwarded.data->Write(Context(), piece), IsOk());
        std::string back;
        while (back.size() < piece.size()) {
          const auto bytes = forwarded.data->Read(Context());
          if (!bytes.ok() || bytes->empty()) return absl::UnknownError("the connection ends");
          back += *bytes;
        }
        EXPECT_EQ(back, piece);
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST_P(PortForwardOverSpdy, EndsWhenTheClientVanishes) {
  StreamWorld world;
  base::Event gone;
  world.handler().SetContainer(
      "default", "web", "app",
      {.ports = {{80, [&](const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
                    EXPECT_THAT(connection->Write(ctx, "hello"), IsOk());
                    EXPECT_FALSE(connection->Read(Context()).ok());
                    base::WaitUntilDone(ctx).IgnoreError();
                    gone.Set();
                    return absl::OkStatus();
                  }}}});
  {
    const std::unique_ptr<spdy::Session> session = Connect(world);
    const Forwarded forwarded(*session, 80, 0);
    // For a client that vanishes earlier the function may not be called.
    EXPECT_THAT(forwarded.data->Read(Context()), IsOkAndHolds("hello"));
  }
  EXPECT_THAT(gone.Wait(Context()), IsOk());
}

TEST(PortForward, FindsThePortInAnyContainer) {
  StreamWorld world;
  world.CreatePod("two", {"a", "b"});
  world.handler().SetContainer("default", "two", "a", {.ports = {{80, Echo}}});
  world.handler().SetContainer("default", "two", "b", {.ports = {{81, SayAndClose}}});
  StreamWorld::Reply reply =
      world.Send("POST", PodPath("two", "portforward"), StreamWorld::SpdyHeaders({kProtocol}));
  ASSERT_EQ(reply.status, 101);
  auto session = spdy::Session::Start(Context(), std::move(reply.connection), {});
  ASSERT_THAT(session, IsOk());
  Forwarded forwarded(**session, 81, 0);
  EXPECT_EQ(ReadAll(*forwarded.data), "goodbye\n");
}

// behaviour.md: ST-46
TEST(PortForward, UnderstandsClientsWithoutRequestIds) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = world.Spdy("portforward", {kProtocol});
  for (int i = 0; i < 2; ++i) {
    const auto error = OpenStream(*session, {{"streamtype", "error"}, {"port", "81"}});
    const auto data = OpenStream(*session, {{"streamtype", "data"}, {"port", "81"}});
    EXPECT_EQ(ReadAll(*data), "goodbye\n");
  }
}

// behaviour.md: ST-46
TEST(PortForward, WaitsThirtySecondsForTheSecondStream) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    ProvidePorts(world);
    const std::unique_ptr<spdy::Session> session = world.Spdy("portforward", {kProtocol});
    const absl::Duration begin = base::Now().since_epoch();
    const auto error =
        OpenStream(*session, {{"streamtype", "error"}, {"port", "80"}, {"requestid", "7"}});
    EXPECT_THAT(error->CloseWrite(), IsOk());
    EXPECT_EQ(ReadAll(*error), "(request=7) timed out waiting for streams");
    EXPECT_GE(base::Now().since_epoch() - begin, absl::Seconds(30));
    EXPECT_LE(base::Now().since_epoch() - begin, absl::Seconds(31));
  }),
              IsOk());
}

TEST(PortForward, BoundsTheStreamsOfAClient) {
  StreamWorld world;
  ProvidePorts(world);
  const std::unique_ptr<spdy::Session> session = world.Spdy("portforward", {kProtocol});
  std::vector<std::unique_ptr<spdy::SessionStream>> streams;
  http::Headers headers = {{"streamtype", "error"}, {"port", "80"}};
  for (int i = 0; i < 2000; ++i) {
    headers.Set("requestid", absl::StrCat(i));
    streams.push_back(OpenStream(*session, headers));
  }
  EXPECT_THAT(session->OpenStream(Context(), headers), StatusIs(absl::StatusCode::kAborted));
}

// ---- Channels of a WebSocket

std::string Message(int channel, absl::string_view data) {
  return absl::StrCat(std::string(1, static_cast<char>(channel)), data);
}

// behaviour.md: ST-53
TEST(PortForward, HasChannelsForOldClients) {
  StreamWorld world;
  ProvidePorts(world);
  const auto client = world.WebSocket("portforward?ports=80&ports=82", {"v4.channel.k8s.io"});
  // The ports on all channels, in two bytes, the lower one first.
  EXPECT_EQ(NextMessage(*client), Message(0, absl::string_view("\x50\0", 2)));
  EXPECT_EQ(NextMessage(*client), Message(1, absl::string_view("\x50\0", 2)));
  EXPECT_EQ(NextMessage(*client), Message(2, absl::string_view("\x52\0", 2)));
  EXPECT_EQ(NextMessage(*client), Message(3, absl::string_view("\x52\0", 2)));
  EXPECT_EQ(NextMessage(*client),
            Message(3,
                    "error forwarding port 82 to pod web_default, uid : the application has "
                    "crashed"));
  EXPECT_THAT(client->Write(Context(), websocket::MessageType::kBinary, Message(0, "hello")),
              IsOk());
  EXPECT_EQ(NextMessage(*client), Message(0, "hello"));
  EXPECT_THAT(client->WriteClose(Context()), IsOk());
  EXPECT_EQ(NextMessage(*client), "closed");
}

TEST(PortForward, AChannelWhosePortHasEndedDoesNotStopOthers) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    ProvidePorts(world);
    const auto client = world.WebSocket("portforward?ports=81&ports=80", {"v4.channel.k8s.io"});
    // The ports on all channels, and what port 81 says before it hangs up.
    for (int i = 0; i < 5; ++i) NextMessage(*client);
    for (int i = 0; i < 5; ++i) {
      EXPECT_THAT(client->Write(Context(), websocket::MessageType::kBinary,
                                Message(0, std::string(30'000, 'x'))),
                  IsOk());
    }
    EXPECT_THAT(client->Write(Context(), websocket::MessageType::kBinary, Message(2, "hello")),
                IsOk());
    EXPECT_EQ(NextMessage(*client), Message(2, "hello"));
  }),
              IsOk());
}

// behaviour.md: ST-53
TEST(PortForward, ClosesChannelsWhenAllPortsHaveEnded) {
  StreamWorld world;
  ProvidePorts(world);
  const auto client = world.WebSocket("portforward?ports=81", {"v4.base64.channel.k8s.io"});
  EXPECT_EQ(NextMessage(*client), "0UQA=");
  EXPECT_EQ(NextMessage(*client), "1UQA=");
  EXPECT_EQ(NextMessage(*client), "0Z29vZGJ5ZQo=");
  EXPECT_EQ(NextMessage(*client), "closed");
}

}  // namespace
}  // namespace kube::apiserver
