#ifndef CLIENTSET_PORTFORWARD_DIFFERENTIAL_FIXTURE_H_
#define CLIENTSET_PORTFORWARD_DIFFERENTIAL_FIXTURE_H_

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/port_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"
#include "tests/streaming/node.h"

// What the tests of this folder have in common. They talk to clientset/remotecommand/differential/
// node, whose servers are Kubernetes' own; its services.go says what listens on which port.
namespace kube::portforward {

inline constexpr uint16_t kEcho = 7;
inline constexpr uint16_t kCount = 9;
inline constexpr uint16_t kGreeting = 13;
inline constexpr uint16_t kSource = 19;
inline constexpr uint16_t kHttp = 80;
inline constexpr uint16_t kRefused = 81;
inline constexpr uint16_t kReset = 82;
inline constexpr uint16_t kMute = 83;

// How a pod is reached.
struct Way {
  std::string name;
  // The API server.
  std::string mode;
  ForwarderOptions options = {};
};
inline void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

inline std::vector<Way> AllWays() {
  return {
      {.name = "Tunnel", .mode = "translating"},
      {.name = "TunnelToTheKubelet", .mode = "extended"},
      {.name = "Spdy", .mode = "translating", .options = {.websocket = false}},
      {.name = "FallbackToSpdy", .mode = "old"},
  };
}

inline std::string NameOfWay(const testing::TestParamInfo<Way>& row) { return row.param.name; }

// Returns the node of this program, or the error with which it has failed to start.
inline const absl::StatusOr<std::unique_ptr<streaming::Node>>& TheNode() {
  static const absl::StatusOr<std::unique_ptr<streaming::Node>> node = streaming::Node::Start();
  return node;
}

// Reads to the end.
inline absl::StatusOr<std::string> ReadAll(const Context& ctx, PortStream& stream) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream.Read(ctx));
    if (bytes.empty()) return all;
    absl::StrAppend(&all, bytes);
  }
}

// Sends a text and its end, and returns the answer, whose connection must have ended well.
inline absl::StatusOr<std::string> Ask(const Context& ctx, Forwarder& forwarder, uint16_t port,
                                       absl::string_view text) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<PortStream> stream, forwarder.Dial(ctx, port));
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, text));
  KUBE_RETURN_IF_ERROR(stream->CloseWrite());
  KUBE_ASSIGN_OR_RETURN(std::string answer, ReadAll(ctx, *stream));
  KUBE_RETURN_IF_ERROR(stream->Outcome(ctx));
  return answer;
}

class WayTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (oracle::PrintSkipped(TheNode().status())) GTEST_SKIP();
    ASSERT_THAT(TheNode(), base::IsOk());
  }

  const streaming::Node& node() const { return **TheNode(); }

  absl::StatusOr<std::unique_ptr<Forwarder>> Connect(const std::string& pod = "web-0") const {
    return Forwarder::Connect(ctx_, node().ClientFor(GetParam().mode), {"default", pod},
                              GetParam().options);
  }

  // Much more than any of the tests needs.
  const Context ctx_ = WithTimeout(Context(), absl::Minutes(3));
};

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_DIFFERENTIAL_FIXTURE_H_
