#include "clientset/remotecommand/run.h"

#include <unistd.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channel_session.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/remotecommand/testing/peers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/io/pipe.h"
#include "net/websocket/handshake.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

void Simulate(const std::function<void()>& body) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&] { body(); }), IsOk());
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

// A session that sends the outputs of a script and records what is written. With `follows_stdin` it
// ends when stdin does.
class FakeSession final : public Session {
 public:
  std::deque<Output> outputs;
  absl::Status outcome;
  bool follows_stdin = false;
  absl::Status write_error;

  absl::StatusOr<std::optional<Output>> Read(const Context& ctx) override {
    const base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return !follows_stdin || stdin_ended_ || closed_;
    }));
    if (outputs.empty()) return std::optional<Output>();
    std::optional<Output> output = std::move(outputs.front());
    outputs.pop_front();
    return output;
  }
  absl::Status WriteStdin(const Context&, absl::string_view data) override {
    const base::MutexLock lock(mutex_);
    absl::StrAppend(&written_, data);
    return write_error;
  }
  absl::Status CloseStdin(const Context&) override {
    const base::MutexLock lock(mutex_);
    stdin_ended_ = true;
    changed_.NotifyAll();
    return absl::OkStatus();
  }
  absl::Status Resize(const Context&, TerminalSize size) override {
    const base::MutexLock lock(mutex_);
    sizes_.push_back(size);
    return absl::OkStatus();
  }
  absl::Status Wait(const Context&) override { return outcome; }
  void Close() override {
    const base::MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }
  absl::string_view protocol() const override { return kProtocolV5; }

  std::string written() {
    const base::MutexLock lock(mutex_);
    return written_;
  }
  std::vector<TerminalSize> sizes() {
    const base::MutexLock lock(mutex_);
    return sizes_;
  }
  bool stdin_ended() {
    const base::MutexLock lock(mutex_);
    return stdin_ended_;
  }
  bool closed() {
    const base::MutexLock lock(mutex_);
    return closed_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::string written_ ABSL_GUARDED_BY(mutex_);
  std::vector<TerminalSize> sizes_ ABSL_GUARDED_BY(mutex_);
  bool stdin_ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

// A source that returns these pieces, and then `end`.
StdinSource SourceOf(std::deque<std::string> pieces, absl::StatusOr<std::string> end = "") {
  return [pieces, end](const Context&) mutable -> absl::StatusOr<std::string> {
    if (pieces.empty()) return end;
    std::string piece = pieces.front();
    pieces.pop_front();
    return piece;
  };
}

// A source of stdin that never ends.
StdinSource Silence() {
  return [](const Context& ctx) -> absl::StatusOr<std::string> { return base::WaitUntilDone(ctx); };
}

OutputSink SinkInto(std::string& text) {
  return [&text](const Context&, absl::string_view data) {
    absl::StrAppend(&text, data);
    return absl::OkStatus();
  };
}

// What a program does, as in the header.
absl::Status ConnectProcess(const Context& ctx, const std::unique_ptr<Session>& session) {
  const absl::Status outcome = Run(ctx, *session,
                                   {.stdin_source = FromDescriptor(STDIN_FILENO),
                                    .stdout_sink = ToDescriptor(STDOUT_FILENO),
                                    .stderr_sink = ToDescriptor(STDERR_FILENO)});
  return outcome;
}

TEST(RunTest, ConnectsAllStreams) {
  Simulate([] {
    FakeSession session;
    session.outputs = {{Channel::kStdout, "a"}, {Channel::kStderr, "b"}, {Channel::kStdout, "c"}};
    session.follows_stdin = true;
    std::string out;
    std::string error;
    EXPECT_THAT(remotecommand::Run(Context(), session,
                                   {.stdin_source = SourceOf({"hello", " there"}),
                                    .stdout_sink = SinkInto(out),
                                    .stderr_sink = SinkInto(error)}),
                IsOk());
    EXPECT_EQ(session.written(), "hello there");
    EXPECT_TRUE(session.stdin_ended());
    EXPECT_TRUE(session.closed());
    EXPECT_EQ(out, "ac");
    EXPECT_EQ(error, "b");
  });
}

TEST(RunTest, NothingNeedsToBeConnected) {
  Simulate([] {
    FakeSession session;
    session.outputs = {{Channel::kStdout, "a"}};
    EXPECT_THAT(remotecommand::Run(Context(), session, {}), IsOk());
    EXPECT_FALSE(session.stdin_ended());
  });
}

// behaviour.md: ST-20
TEST(RunTest, StdinThatIsOpenDoesNotDelayTheEnd) {
  Simulate([] {
    FakeSession session;
    session.outcome = MakeExitError(3);
    const base::MonotonicTime begin = base::Now();
    const absl::Status status =
        remotecommand::Run(Context(), session, {.stdin_source = Silence(), .sizes = nullptr});
    EXPECT_EQ(ExitCodeOf(status), 3);
    EXPECT_EQ(base::Now(), begin);
  });
}

// behaviour.md: ST-22
TEST(RunTest, SizesOfTheTerminal) {
  Simulate([] {
    FakeSession session;
    session.follows_stdin = true;
    std::deque<TerminalSize> sizes = {{80, 24}, {100, 30}};
    const auto source = [&sizes](const Context&) -> absl::StatusOr<std::optional<TerminalSize>> {
      if (sizes.empty()) return std::optional<TerminalSize>();
      const TerminalSize size = sizes.front();
      sizes.pop_front();
      return std::optional<TerminalSize>(size);
    };
    const auto stdin_later = [](const Context& ctx) -> absl::StatusOr<std::string> {
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Seconds(1)));
      return "";
    };
    EXPECT_THAT(
        remotecommand::Run(Context(), session, {.stdin_source = stdin_later, .sizes = source}),
        IsOk());
    EXPECT_THAT(session.sizes(), ElementsAre(TerminalSize{80, 24}, TerminalSize{100, 30}));
  });
}

// behaviour.md: ST-20
TEST(RunTest, ASinkThatFailsDoesNotStopTheCommand) {
  Simulate([] {
    for (const bool succeeds : {true, false}) {
      FakeSession session;
      session.outputs = {{Channel::kStdout, "a"}, {Channel::kStdout, "b"}, {Channel::kStderr, "c"}};
      if (!succeeds) session.outcome = MakeExitError(2);
      int calls = 0;
      std::string error;
      const absl::Status status =
          remotecommand::Run(Context(), session,
                             {.stdout_sink =
                                  [&calls](const Context&, absl::string_view) {
                                    ++calls;
                                    return absl::UnavailableError("disk full");
                                  },
                              .stderr_sink = SinkInto(error)});
      EXPECT_EQ(calls, 1);
      EXPECT_EQ(error, "c");
      if (succeeds) {
        EXPECT_THAT(status, StatusIs(kUnavailable, "write output: disk full"));
      } else {
        EXPECT_EQ(ExitCodeOf(status), 2);
      }
    }
  });
}

// behaviour.md: ST-20
TEST(RunTest, ASourceThatFailsEndsStdin) {
  Simulate([] {
    FakeSession session;
    session.follows_stdin = true;
    EXPECT_THAT(remotecommand::Run(
                    Context(), session,
                    {.stdin_source = SourceOf({"half"}, absl::UnavailableError("disk broken"))}),
                StatusIs(kUnavailable, "read stdin: disk broken"));
    EXPECT_EQ(session.written(), "half");
  });
}

TEST(RunTest, ACommandThatDoesNotReadStdinIsNoError) {
  Simulate([] {
    FakeSession session;
    session.write_error = absl::FailedPreconditionError("the command has ended");
    EXPECT_THAT(remotecommand::Run(Context(), session, {.stdin_source = SourceOf({"hello"})}),
                IsOk());
  });
}

// behaviour.md: ST-21
TEST(RunTest, TheEndOfTheContextEndsTheSession) {
  Simulate([] {
    FakeSession session;
    session.follows_stdin = true;
    EXPECT_THAT(remotecommand::Run(WithTimeout(Context(), absl::Seconds(5)), session,
                                   {.stdin_source = Silence()}),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_TRUE(session.closed());
    EXPECT_FALSE(session.stdin_ended());
  });
}

TEST(RunTest, ConnectsTheProcess) {
  auto session = std::make_unique<FakeSession>();
  session->outputs = {{Channel::kStdout, "this is written by run_test\n"}};
  session->outcome = MakeExitError(9);
  EXPECT_EQ(ExitCodeOf(ConnectProcess(Context(), std::move(session))), 9);
}

// Over a connection: `cat` that is fed more than all buffers hold.
TEST(RunTest, CopiesThroughACommand) {
  Simulate([] {
    io::Pipe pipe = io::MakePipe();
    WebSocketPeer peer(std::move(pipe.second));
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server",
                             [&](const Context& ctx) {
                               for (std::string event = peer.Next(ctx); event != "end stdin";
                                    event = peer.Next(ctx)) {
                                 ASSERT_EQ(event.substr(0, 6), "stdin ");
                                 peer.Send(ctx, Channel::kStdout, event.substr(6));
                               }
                               peer.Finish(ctx, absl::OkStatus());
                               peer.Drain(ctx);
                             }),
                IsOk());
    const auto session = internal::OpenSession(
        Context(), std::move(pipe.first),
        {.name = "exec", .channels = {.with_stdin = true, .with_stdout = true}});
    ASSERT_THAT(session, IsOk());
    const std::string piece(30'000, 'a');
    std::string out;
    EXPECT_THAT(remotecommand::Run(Context(), **session,
                                   {.stdin_source = SourceOf(std::deque<std::string>(20, piece)),
                                    .stdout_sink = SinkInto(out)}),
                IsOk());
    EXPECT_EQ(out.size(), 600'000u);
    server.Join();
  });
}

// ---- CollectOutput

// A transport whose server has a command write and end.
class CommandTransport final : public httpclient::Transport {
 public:
  CommandTransport(std::string output, absl::Status outcome)
      : output_(std::move(output)), outcome_(std::move(outcome)) {
    script_.Handle({}, [](const rest::RecordedRequest& request) {
      const websocket::HandshakeAnswer answer =
          websocket::AnswerHandshake("GET", request.headers, {std::string(kProtocolV5)});
      return rest::ScriptedReply{.status = answer.status, .headers = answer.headers};
    });
  }

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          script_.RoundTrip(ctx, std::move(request)));
    io::Pipe pipe = io::MakePipe();
    response.connection = std::move(pipe.first);
    peer_ = std::make_unique<WebSocketPeer>(std::move(pipe.second));
    KUBE_RETURN_IF_ERROR(server_.Start(Context(), "server", [this](const Context& server_ctx) {
      peer_->Send(server_ctx, Channel::kStdout, output_);
      peer_->Send(server_ctx, Channel::kStderr, "warning");
      peer_->Finish(server_ctx, outcome_);
      peer_->Drain(server_ctx);
    }));
    return response;
  }
  void CloseIdleConnections() override {}

 private:
  const std::string output_;
  const absl::Status outcome_;
  rest::ScriptedTransport script_;
  std::unique_ptr<WebSocketPeer> peer_;
  base::Thread server_;
};

// What a program does, as in the header.
absl::StatusOr<std::string> HostName(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(
      const remotecommand::CommandOutput output,
      remotecommand::CollectOutput(ctx, client, {"prod", "web-0"}, {.command = {"hostname"}}));
  KUBE_RETURN_IF_ERROR(output.outcome);
  return output.stdout_text;
}

TEST(CollectOutputTest, ReturnsWhatACommandWrites) {
  const auto transport = std::make_shared<CommandTransport>("web-0\n", absl::OkStatus());
  EXPECT_THAT(HostName(Context(), rest::MakeScriptedClient(transport)),
              base::IsOkAndHolds("web-0\n"));
}

TEST(CollectOutputTest, ACommandThatFailsIsNoError) {
  const auto transport = std::make_shared<CommandTransport>("web-0\n", MakeExitError(4));
  const absl::StatusOr<CommandOutput> output =
      CollectOutput(Context(), rest::MakeScriptedClient(transport), {"prod", "web-0"},
                    {.command = {"false"}, .with_stdin = true});
  ASSERT_THAT(output, IsOk());
  EXPECT_EQ(output->stdout_text, "web-0\n");
  EXPECT_EQ(output->stderr_text, "warning");
  EXPECT_EQ(ExitCodeOf(output->outcome), 4);
}

TEST(CollectOutputTest, TheOutputIsLimited) {
  const auto transport =
      std::make_shared<CommandTransport>(std::string(2000, 'a'), absl::OkStatus());
  EXPECT_THAT(CollectOutput(Context(), rest::MakeScriptedClient(transport), {"prod", "web-0"},
                            {.command = {"yes"}}, 1000),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("web-0"), HasSubstr("more than 1000 bytes"))));
}

TEST(CollectOutputTest, OptionsAreChecked) {
  const auto transport = std::make_shared<CommandTransport>("", absl::OkStatus());
  const absl::Status status =
      CollectOutput(Context(), rest::MakeScriptedClient(transport), {"prod", "web-0"}, {}).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::remotecommand
