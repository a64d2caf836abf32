#ifndef APISERVER_TESTING_SAMPLE_SHELL_H_
#define APISERVER_TESTING_SAMPLE_SHELL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/container.h"
#include "apiserver/testing/stream_world.h"
#include "net/spdy/session.h"
#include "net/websocket/message_stream.h"

// What the tests of exec and attach share: a container with a shell, and what its clients send and
// get.
namespace kube::apiserver {

inline constexpr char kV5[] = "v5.channel.k8s.io";
inline constexpr char kV4[] = "v4.channel.k8s.io";

// Returns a message of a channel.
std::string Message(int channel, absl::string_view data);

// The outcomes as kube-apiserver sends them.
inline constexpr char kSuccess[] = R"({"metadata":{},"status":"Success"})";
std::string ExitOutcome(int code);

// Writes what it reads.
absl::StatusOr<int> Cat(ContainerProcess& process);
// Runs the command: "say OUT ERR CODE", "cat", "fail TEXT", "sizes", "wait".
absl::StatusOr<int> Shell(ContainerProcess& process);
// Gives the pod default/web the shell.
void ProvideShell(StreamWorld& world);

// Sends a message.
void Send(websocket::MessageStream& client, const std::string& message);

// Returns all messages until the server has closed the connection.
std::vector<std::string> MessagesOf(websocket::MessageStream& client);

// Opens the streams of a command in client-go's order.
struct SpdyClient {
  SpdyClient(StreamWorld& world, absl::string_view subresource, const std::string& version,
             const std::vector<std::string>& types)
      : session(world.Spdy(subresource, {version})) {
    for (const std::string& type : types) {
      streams.push_back(OpenStream(*session, {{"streamtype", type}}));
    }
  }

  std::unique_ptr<spdy::Session> session;
  std::vector<std::unique_ptr<spdy::SessionStream>> streams;
};

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_SAMPLE_SHELL_H_
