#ifndef TESTS_CONFORMANCE_SERVER_UNDER_TEST_H_
#define TESTS_CONFORMANCE_SERVER_UNDER_TEST_H_

#include <map>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/api_server.h"
#include "clientset/rest/config.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::conformance {

// An HTTP response with any status code.
struct HttpAnswer {
  int status = 0;
  http::Headers headers = {};
  std::string body = {};
};

// The server that is tested: that of the variable KUBECONFIG, which tests/real_server/run sets, or
// else an embedded one. A failure of the connection ends the program.
//
// It has roles (RBAC). Users by token: "admin-token" is a member of system:masters and may do
// everything, "plain-token" what all users may.
class ServerUnderTest {
 public:
  // Returns the server without controllers, which is started by the first call.
  static ServerUnderTest& Get();
  // Returns the server with garbage collection and the deletion of namespaces. A real server must
  // be of the variant also_with_controllers.
  static ServerUnderTest& WithControllers();

  // The variant of a real server, as in KUBE_VARIANT, or "". With a variant only the behaviours
  // that need it are tested.
  static absl::string_view variant();
  static bool is_real();
  // Returns the minor version of the release that a real server says it has, 36 for 1.36. Returns 0
  // for the embedded one.
  int minor() const { return minor_; }

  // Returns the configuration of a client with the token. An empty token makes an anonymous client.
  rest::Config Config(absl::string_view token = "admin-token") const;

  // Sends a request. Reads `lines` lines of the body if it is a success, or the whole body if that
  // is 0.
  HttpAnswer Send(const std::string& method, const std::string& target,
                  const http::Headers& headers, const std::string& body, int lines = 0) const;

  // Creates a namespace of its own, and returns the name.
  std::string MakeNamespace() const;

  // Installs the custom resources of definitions.yaml, unless they are installed already.
  void InstallDefinitions();

  // Drops the history. Returns false if the server still has it in its cache, which a real server
  // does except in the variant also_without_watch_cache.
  bool Compact() const;

 private:
  explicit ServerUnderTest(bool controllers);

  int AskMinor() const;

  bool has_definitions_ = false;
  int minor_ = 0;
  std::unique_ptr<apiserver::ApiServer> embedded_;
  std::string url_;
  std::string ca_;
  std::shared_ptr<httpclient::Transport> transport_;
  std::shared_ptr<const httpclient::ConnectionOptions> connection_;
};

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_SERVER_UNDER_TEST_H_
