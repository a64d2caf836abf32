#ifndef CLIENTSET_REMOTECOMMAND_DIFFERENTIAL_FIXTURE_H_
#define CLIENTSET_REMOTECOMMAND_DIFFERENTIAL_FIXTURE_H_

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"
#include "tests/streaming/node.h"
#include "tests/streaming/run_to_end.h"

// What the tests of this folder have in common. They talk to node/, whose servers are Kubernetes'
// own; commands.go says what the commands do.
namespace kube::remotecommand {

using streaming::Ended;
using streaming::RunToEnd;
using streaming::TextSource;

// How a command is reached.
struct Way {
  std::string name;
  // The API server.
  std::string mode;
  TransportPreference transport = TransportPreference::kAuto;
  // What is spoken then.
  std::string protocol;
  bool can_end_stdin = true;
};
inline void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

inline std::vector<Way> AllWays() {
  return {
      {.name = "WebSocket", .mode = "translating", .protocol = "v5.channel.k8s.io"},
      {.name = "WebSocketToTheKubelet", .mode = "extended", .protocol = "v5.channel.k8s.io"},
      {.name = "Spdy",
       .mode = "translating",
       .transport = TransportPreference::kSpdy,
       .protocol = "v4.channel.k8s.io"},
      {.name = "WebSocketInVersion4",
       .mode = "old",
       .transport = TransportPreference::kWebSocket,
       .protocol = "v4.channel.k8s.io",
       .can_end_stdin = false},
      {.name = "FallbackToSpdy", .mode = "old", .protocol = "v4.channel.k8s.io"},
  };
}

inline std::string NameOfWay(const testing::TestParamInfo<Way>& row) { return row.param.name; }

// Returns the node of this program, or the error with which it has failed to start.
inline const absl::StatusOr<std::unique_ptr<streaming::Node>>& TheNode() {
  static const absl::StatusOr<std::unique_ptr<streaming::Node>> node = streaming::Node::Start();
  return node;
}

class NodeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (oracle::PrintSkipped(TheNode().status())) GTEST_SKIP();
    ASSERT_THAT(TheNode(), base::IsOk());
  }

  const streaming::Node& node() const { return **TheNode(); }

  // Much more than any of the tests needs.
  const Context ctx_ = WithTimeout(Context(), absl::Minutes(3));
};

class WayTest : public NodeTest, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    NodeTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) client_ = node().ClientFor(GetParam().mode);
  }

  // Starts a command by this test's way.
  absl::StatusOr<std::unique_ptr<Session>> Start(ExecOptions options,
                                                 const std::string& pod = "web-0") const {
    options.transport = GetParam().transport;
    return StartExec(ctx_, *client_, {"default", pod}, options);
  }

  // Runs a command without stdin.
  Ended Collect(const ExecOptions& options, const std::string& pod = "web-0") const {
    const absl::StatusOr<std::unique_ptr<Session>> session = Start(options, pod);
    if (!session.ok()) return {.outcome = base::Annotate(session.status(), "start")};
    return RunToEnd(ctx_, **session);
  }

  std::optional<rest::Client> client_;
};

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_DIFFERENTIAL_FIXTURE_H_
