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

// An answer, whatever its code.
struct HttpAnswer {
  int status = 0;
  http::Headers headers = {};
  std::string body = {};
};

// The server that the suite is about: that of the variable KUBECONFIG, as tests/real_server/run
// sets it, or else an embedded one of its own. A failure of the connection ends the program.
//
// Users by token: "admin-token" may do everything; "plain-token" nothing with what is in
// namespaces.
class ServerUnderTest {
 public:
  // The one without controllers, started when it is first asked for.
  static ServerUnderTest& Get();
  // One with garbage collection, and that empties namespaces; of a real server, that of the variant
  // also_with_controllers.
  static ServerUnderTest& WithControllers();

  // The variant of a real server, as in KUBE_VARIANT: then only the behaviours are looked at that
  // need it. Empty: none.
  static absl::string_view variant();
  static bool is_real();

  // "admin-token" for no other name; "" is nobody.
  rest::Config Config(absl::string_view token = "admin-token") const;

  // Sends it, with the header "authorization" of `token`. Reads `lines` lines of the body, if it is
  // a success, or all of it for 0.
  HttpAnswer Send(const std::string& method, const std::string& target,
                  const http::Headers& headers, const std::string& body, int lines = 0) const;

  // A namespace that nobody else has.
  std::string MakeNamespace() const;

  // The custom resources of definitions.yaml. Again: they are there.
  void InstallDefinitions();

  // Forgets the past. False: a real server keeps it in its cache, but for the variant
  // also_without_watch_cache.
  bool Compact() const;

 private:
  explicit ServerUnderTest(bool controllers);

  bool has_definitions_ = false;
  std::unique_ptr<apiserver::ApiServer> embedded_;
  std::string url_;
  std::string ca_;
  std::shared_ptr<httpclient::Transport> transport_;
  std::shared_ptr<const httpclient::ConnectionOptions> connection_;
};

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_SERVER_UNDER_TEST_H_
