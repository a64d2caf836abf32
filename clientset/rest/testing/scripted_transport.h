#ifndef CLIENTSET_REST_TESTING_SCRIPTED_TRANSPORT_H_
#define CLIENTSET_REST_TESTING_SCRIPTED_TRANSPORT_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// A request that came to a ScriptedTransport.
struct RecordedRequest {
  std::string method = {};
  std::string url = {};
  // Of the URL: "/api/v1/pods", escaped, and what comes after "?", not escaped.
  std::string path = {};
  queryparams::Values query = {};
  http::Headers headers = {};
  std::string body = {};
  // See HttpRequest.
  bool long_running = false;

  // The first header of this name; "" if there is none.
  std::string Header(absl::string_view name) const;
  // The first value of this parameter; "" if there is none.
  std::string Param(absl::string_view name) const;
};

// Which requests are meant: all that is said here must be so.
struct RequestMatcher {
  // Empty: any.
  std::string method = {};
  // "/api/v1/pods": escaped, without query. Empty: any.
  std::string path = {};
  // These parameters must be there with these values, and others may be.
  queryparams::Values query = {};
  // These headers must be there with these values, and others may be.
  http::Headers headers = {};
  // Nothing: any.
  std::optional<std::string> body = {};
  // Anything else. Called with a lock held: it looks at the request, and no more.
  std::function<bool(const RecordedRequest&)> predicate = {};
};

// What a request is answered with.
struct ScriptedReply {
  int status = 200;
  http::Headers headers = {};
  // All at once, then the end of the body, or what `stream` sends.
  std::string body = {};

  // Instead of a response: an error, of MakeTransportError for instance.
  absl::Status error = {};
  // Instead of a response: nothing, until the request is given up.
  bool hang = false;
  // Before the response, or the error. On the Runtime's clock.
  absl::Duration delay = absl::ZeroDuration();

  // Where the test sends the rest of the body from, now or later. One for each response.
  std::shared_ptr<ScriptedStream> stream = {};
};

// 200, or another status, with a JSON body.
ScriptedReply JsonReply(absl::string_view json, int status = 200);
// An error as API servers send it: a metav1.Status with this reason and message.
ScriptedReply StatusReply(int status, absl::string_view reason, absl::string_view message);

// A transport for tests: answers requests from a script, within the process, and remembers them.
//
//   auto transport = std::make_shared<ScriptedTransport>();
//   transport->Expect({.method = "GET", .path = "/api/v1/namespaces/prod/pods/web-0"},
//                     JsonReply(R"({"kind":"Pod","apiVersion":"v1"})"));
//   rest::Client client = *rest::MakeClient({.host = "http://localhost", .transport = transport});
//   ... client.Do(ctx, request) ...
//   EXPECT_THAT(transport->Verify(), IsOk());
//   EXPECT_EQ(transport->requests()[0].Header("accept"), "application/json, */*");
//
// A request takes the first line of the script that matches it and is not used up. One that none
// matches gets an error of code INTERNAL, which says what came and what was expected, and Verify
// says it again.
//
// What it does not imitate: networks and connections, so nothing is ever reset, lost or slow but
// what the script says; HTTP's syntax, gzip and the limits of a real transport; ConnectionOptions,
// which it only ignores; API servers, which check, default and store what they get: take envtest
// for these. With a FakeClock or in a SimRuntime it is deterministic, as long as requests come in
// one order, or matchers tell them apart.
//
// Thread-safe.
class ScriptedTransport final : public httpclient::Transport {
 public:
  // One more line of the script, for one request.
  void Expect(RequestMatcher matcher, ScriptedReply reply = {}) ABSL_LOCKS_EXCLUDED(mutex_);
  // For this request and the same again, as often as it comes, even never.
  void Always(RequestMatcher matcher, ScriptedReply reply = {}) ABSL_LOCKS_EXCLUDED(mutex_);
  // As Always, with replies that are made when requests come; `handler` is called by the thread
  // that sends, several at a time, and may block.
  void Handle(RequestMatcher matcher, std::function<ScriptedReply(const RecordedRequest&)> handler)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // For one request, whose body the test sends: a watch, a log that is followed.
  std::shared_ptr<ScriptedStream> ExpectStream(RequestMatcher matcher, http::Headers headers = {})
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Those that have come so far, in their order, the unexpected too.
  std::vector<RecordedRequest> requests() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until so many have come (OK) or `ctx` is done.
  absl::Status WaitForRequests(const Context& ctx, size_t count) const ABSL_LOCKS_EXCLUDED(mutex_);

  // OK, or FAILED_PRECONDITION with all requests that were not expected and all Expect that no
  // request came for.
  absl::Status Verify() const ABSL_LOCKS_EXCLUDED(mutex_);
  // How often CloseIdleConnections was called.
  int idle_closes() const ABSL_LOCKS_EXCLUDED(mutex_);

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void CloseIdleConnections() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Line {
    RequestMatcher matcher = {};
    ScriptedReply reply = {};
    std::function<ScriptedReply(const RecordedRequest&)> handler = {};
    bool once = true;
    bool used = false;
  };

  void Add(Line line) ABSL_LOCKS_EXCLUDED(mutex_);
  // Finds the line for the request and uses it up; an error if there is none.
  absl::StatusOr<Line> Take(const RecordedRequest& request) ABSL_LOCKS_EXCLUDED(mutex_);

  mutable base::Mutex mutex_;
  mutable base::CondVar came_;
  std::vector<Line> script_ ABSL_GUARDED_BY(mutex_);
  std::vector<RecordedRequest> requests_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> unexpected_ ABSL_GUARDED_BY(mutex_);
  int idle_closes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TESTING_SCRIPTED_TRANSPORT_H_
