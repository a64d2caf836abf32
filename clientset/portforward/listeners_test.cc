#include "clientset/portforward/listeners.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
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
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/portforward/testing/fake_pod.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using internal::LocalSocket;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

// Connects as a local program does.
absl::StatusOr<std::unique_ptr<LocalSocket>> ConnectTo(const std::string& ip, uint16_t port) {
  io::FileDescriptor socket;
  int result = -1;
  if (ip == "::1") {
    socket = io::FileDescriptor(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in6 address = {};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_loopback;
    result = ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address));
  } else {
    socket = io::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, ip.c_str(), &address.sin_addr);
    result = ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address));
  }
  if (result != 0) return absl::UnavailableError(absl::StrCat("connect to ", ip, ":", port));
  return std::make_unique<LocalSocket>(std::move(socket));
}

// Sends a text from a new connection, ends it, and returns the answer.
absl::StatusOr<std::string> Ask(const BoundPort& port, const std::string& text) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<LocalSocket> socket, ConnectTo(port.ip, port.local));
  KUBE_RETURN_IF_ERROR(socket->Write(text));
  socket->CloseWrite();
  std::string answer;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const absl::string_view bytes, socket->Read());
    if (bytes.empty()) return answer;
    absl::StrAppend(&answer, bytes);
  }
}

// What the callbacks were called with.
class Events {
 public:
  ListenOptions Options() {
    return {.on_connection =
                [this](const ForwardedPort& port) {
                  base::MutexLock lock(mutex_);
                  connections_.push_back(port);
                },
            .on_error =
                [this](const ForwardedPort&, const absl::Status& error) {
                  base::MutexLock lock(mutex_);
                  errors_.emplace_back(error.message());
                  changed_.NotifyAll();
                }};
  }
  std::vector<ForwardedPort> connections() const {
    base::MutexLock lock(mutex_);
    return connections_;
  }
  std::vector<std::string> errors() const {
    base::MutexLock lock(mutex_);
    return errors_;
  }
  // Blocks until there is an error.
  absl::Status WaitForError(const Context& ctx) const {
    base::MutexLock lock(mutex_);
    return changed_.Wait(
        ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !errors_.empty(); });
  }

 private:
  mutable base::Mutex mutex_;
  mutable base::CondVar changed_;
  std::vector<ForwardedPort> connections_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> errors_ ABSL_GUARDED_BY(mutex_);
};

class ListenersTest : public testing::Test {
 protected:
  void SetUp() override {
    pod_.Listen(80, FakePod::Echo);
    absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx_, pod_.MakeConnector(), {"prod", "web-0"});
    ASSERT_THAT(forwarder, IsOk());
    forwarder_ = *std::move(forwarder);
  }

  // Port 80 of the pod on a free port of 127.0.0.1.
  std::unique_ptr<Listeners> ListenOnAnyPort(const ListenOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Listeners>> listeners =
        Listen(ctx_, forwarder_, {"127.0.0.1"}, {":80"}, options);
    EXPECT_THAT(listeners, IsOk());
    return listeners.ok() ? *std::move(listeners) : nullptr;
  }

  const Context ctx_ = WithTimeout(Context(), absl::Seconds(50));
  FakePod pod_;
  Events events_;
  std::shared_ptr<Forwarder> forwarder_;
};

// behaviour.md: ST-50
TEST_F(ListenersTest, ForwardsConnections) {
  const std::unique_ptr<Listeners> listeners = ListenOnAnyPort(events_.Options());
  ASSERT_THAT(listeners->ports(), SizeIs(1));
  const BoundPort port = listeners->ports()[0];
  EXPECT_EQ(port.ip, "127.0.0.1");
  EXPECT_EQ(port.remote, 80);
  EXPECT_THAT(Ask(port, "hello"), IsOkAndHolds("hello"));
  EXPECT_THAT(Ask(port, "again"), IsOkAndHolds("again"));
  const ForwardedPort forwarded = {.local = port.local, .remote = 80};
  EXPECT_THAT(events_.connections(), ElementsAre(forwarded, forwarded));
  EXPECT_THAT(events_.errors(), SizeIs(0));
  EXPECT_EQ(pod_.connections(), 1u);
}

TEST_F(ListenersTest, ForwardsTwoHundredConnectionsAtATime) {
  const std::unique_ptr<Listeners> listeners = ListenOnAnyPort(events_.Options());
  const BoundPort port = listeners->ports()[0];
  std::vector<std::unique_ptr<LocalSocket>> sockets;
  for (int i = 0; i < 200; ++i) {
    absl::StatusOr<std::unique_ptr<LocalSocket>> socket = ConnectTo(port.ip, port.local);
    ASSERT_THAT(socket, IsOk());
    sockets.push_back(*std::move(socket));
  }
  for (size_t i = 0; i < sockets.size(); ++i) {
    EXPECT_THAT(sockets[i]->Write(absl::StrCat("text ", i)), IsOk());
  }
  for (size_t i = 0; i < sockets.size(); ++i) {
    const absl::StatusOr<absl::string_view> bytes = sockets[i]->Read();
    ASSERT_THAT(bytes, IsOk());
    EXPECT_EQ(std::string(*bytes), absl::StrCat("text ", i));
  }
  EXPECT_THAT(events_.errors(), SizeIs(0));
}

TEST_F(ListenersTest, ConnectionsAboveTheLimitWait) {
  ListenOptions options = events_.Options();
  options.max_connections = 1;
  const std::unique_ptr<Listeners> listeners = ListenOnAnyPort(options);
  const BoundPort port = listeners->ports()[0];
  absl::StatusOr<std::unique_ptr<LocalSocket>> first = ConnectTo(port.ip, port.local);
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT((*first)->Write("x"), IsOk());
  EXPECT_THAT((*first)->Read(), IsOk());
  const absl::StatusOr<std::unique_ptr<LocalSocket>> second = ConnectTo(port.ip, port.local);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT((*second)->Write("y"), IsOk());
  EXPECT_THAT(events_.connections(), SizeIs(1));
  (*first)->CloseWrite();
  EXPECT_THAT((*first)->Read(), IsOk());
  const absl::StatusOr<absl::string_view> answer = (*second)->Read();
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(std::string(*answer), "y");
}

// behaviour.md: ST-44
TEST_F(ListenersTest, AFailedConnectionLeavesTheOthersAlone) {
  const absl::StatusOr<std::unique_ptr<Listeners>> listeners =
      Listen(ctx_, forwarder_, {"127.0.0.1"}, {":80", ":81"}, events_.Options());
  ASSERT_THAT(listeners, IsOk());
  ASSERT_THAT((*listeners)->ports(), SizeIs(2));
  const BoundPort good = (*listeners)->ports()[0];
  const BoundPort bad = (*listeners)->ports()[1];
  absl::StatusOr<std::unique_ptr<LocalSocket>> open = ConnectTo(good.ip, good.local);
  ASSERT_THAT(open, IsOk());
  EXPECT_THAT((*open)->Write("x"), IsOk());
  EXPECT_THAT((*open)->Read(), IsOk());

  // The program sees the end of its connection, or a reset.
  Ask(bad, "hello").status().IgnoreError();
  ASSERT_THAT(events_.WaitForError(ctx_), IsOk());
  EXPECT_THAT(events_.errors(),
              ElementsAre(AllOf(
                  StartsWith(absl::StrCat("an error occurred forwarding ", bad.local, " -> 81: ")),
                  HasSubstr("connection refused"))));

  EXPECT_THAT((*open)->Write("y"), IsOk());
  const absl::StatusOr<absl::string_view> answer = (*open)->Read();
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(std::string(*answer), "y");
  EXPECT_EQ(pod_.connections(), 1u);
}

TEST_F(ListenersTest, LogsErrorsWithoutACallback) {
  const log::LogCapture capture;
  {
    const absl::StatusOr<std::unique_ptr<Listeners>> listeners =
        Listen(ctx_, forwarder_, {"127.0.0.1"}, {":81"});
    ASSERT_THAT(listeners, IsOk());
    const BoundPort port = (*listeners)->ports()[0];
    Ask(port, "hello").status().IgnoreError();
    EXPECT_THAT(base::PollUntil(ctx_, absl::Milliseconds(1), base::FirstPoll::kAtOnce,
                                [&capture](const Context&) -> absl::StatusOr<bool> {
                                  return !capture.Lines().empty();
                                }),
                IsOk());
  }
  EXPECT_THAT(capture.Lines(), ElementsAre(HasSubstr("failed to forward a port")));
}

TEST_F(ListenersTest, ConnectsAgainAfterALoss) {
  const std::unique_ptr<Listeners> listeners = ListenOnAnyPort(events_.Options());
  const BoundPort port = listeners->ports()[0];
  const absl::StatusOr<std::unique_ptr<LocalSocket>> socket = ConnectTo(port.ip, port.local);
  ASSERT_THAT(socket, IsOk());
  EXPECT_THAT((*socket)->Write("x"), IsOk());
  EXPECT_THAT((*socket)->Read(), IsOk());
  pod_.LoseConnections();
  ASSERT_THAT(events_.WaitForError(ctx_), IsOk());
  EXPECT_THAT(Ask(port, "hello"), IsOkAndHolds("hello"));
  EXPECT_EQ(pod_.connections(), 2u);
}

// behaviour.md: ST-48, ST-49
TEST_F(ListenersTest, ListensOnBothAddressesOfLocalhost) {
  const absl::StatusOr<std::unique_ptr<Listeners>> listeners =
      Listen(ctx_, forwarder_, {"localhost"}, {":80"}, events_.Options());
  ASSERT_THAT(listeners, IsOk());
  // A machine may have no IPv6.
  ASSERT_FALSE((*listeners)->ports().empty());
  for (const BoundPort& port : (*listeners)->ports()) {
    EXPECT_EQ(port.local, (*listeners)->ports()[0].local);
    EXPECT_THAT(Ask(port, "hello"), IsOkAndHolds("hello")) << port.ip;
  }
}

// behaviour.md: ST-48, ST-49
TEST_F(ListenersTest, ReportsAPortThatIsTaken) {
  const std::unique_ptr<Listeners> first = ListenOnAnyPort();
  const std::string taken = absl::StrCat(first->ports()[0].local, ":80");
  EXPECT_THAT(
      Listen(ctx_, forwarder_, {"127.0.0.1"}, {taken}, events_.Options()),
      StatusIs(absl::StatusCode::kUnavailable,
               AllOf(StartsWith(absl::StrCat("unable to listen on any of the requested ports: [{",
                                             first->ports()[0].local, " 80}]")),
                     HasSubstr("Listeners failed to create with the following errors"))));
  EXPECT_THAT(events_.errors(), SizeIs(0));

  const absl::StatusOr<std::unique_ptr<Listeners>> second =
      Listen(ctx_, forwarder_, {"127.0.0.1"}, {taken, ":80"}, events_.Options());
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT((*second)->ports(), SizeIs(1));
  EXPECT_THAT(events_.errors(), ElementsAre(StartsWith(absl::StrCat(
                                    "unable to listen on port ", first->ports()[0].local, ": "))));
}

// behaviour.md: ST-48
TEST_F(ListenersTest, RefusesInvalidArguments) {
  EXPECT_THAT(Listen(ctx_, forwarder_, {}, {"80"}),
              StatusIs(absl::StatusCode::kInvalidArgument, "you must specify at least 1 address"));
  EXPECT_THAT(Listen(ctx_, forwarder_, {"localhost"}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, "you must specify at least 1 port"));
  EXPECT_THAT(Listen(ctx_, forwarder_, {"localhost"}, {":80"}, {.max_connections = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument, "max_connections must be positive"));
  EXPECT_THAT(
      Listen(ctx_, forwarder_, {"localhost"}, {":80"}, {.dial_timeout = absl::ZeroDuration()}),
      StatusIs(absl::StatusCode::kInvalidArgument, "dial_timeout must be positive"));
}

// behaviour.md: ST-47
TEST_F(ListenersTest, CloseEndsConnections) {
  const std::unique_ptr<Listeners> listeners = ListenOnAnyPort(events_.Options());
  const BoundPort port = listeners->ports()[0];
  const absl::StatusOr<std::unique_ptr<LocalSocket>> socket = ConnectTo(port.ip, port.local);
  ASSERT_THAT(socket, IsOk());
  EXPECT_THAT((*socket)->Write("x"), IsOk());
  EXPECT_THAT((*socket)->Read(), IsOk());
  EXPECT_THAT(listeners->Wait(WithTimeout(ctx_, absl::Milliseconds(1))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  listeners->Close();
  EXPECT_THAT(listeners->Wait(ctx_), IsOk());
  const absl::StatusOr<absl::string_view> end = (*socket)->Read();
  EXPECT_TRUE(!end.ok() || end->empty());
  EXPECT_THAT(ConnectTo(port.ip, port.local), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(events_.errors(), SizeIs(0));
}

// Forwards a port until the context ends. This is the example of listeners.h.
absl::Status ForwardUntilDone(const Context& ctx, const std::shared_ptr<Forwarder>& forwarder,
                              std::string& out) {
  KUBE_ASSIGN_OR_RETURN(const auto listeners,
                        portforward::Listen(ctx, forwarder, {"localhost"}, {":80"}));
  absl::StrAppend(&out, "Forwarding from ", listeners->ports()[0].local, "\n");
  return listeners->Wait(ctx);
}

// behaviour.md: ST-50, ST-52
TEST_F(ListenersTest, EndsWithItsContext) {
  CancelScope scope = WithCancel(ctx_);
  std::string out;
  base::ThreadGroup group(ctx_);
  group.Go("forward", [&](const Context&) {
    ForwardUntilDone(scope.context(), forwarder_, out).IgnoreError();
    return absl::OkStatus();
  });
  scope.Cancel();
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_THAT(out, StartsWith("Forwarding from "));
}

}  // namespace
}  // namespace kube::portforward
