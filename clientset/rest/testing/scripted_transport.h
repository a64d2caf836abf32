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
#include "net/io/duplex_stream.h"

namespace kube::rest {

// A request that a ScriptedTransport has received.
struct RecordedRequest {
  std::string method = {};
  std::string url = {};
  // The path of the URL ("/api/v1/pods", escaped), and its query, unescaped.
  std::string path = {};
  queryparams::Values query = {};
  http::Headers headers = {};
  std::string body = {};
  // See HttpRequest.
  bool long_running = false;
  bool upgrade = false;

  // Returns the first header of this name, or "" if the request has no such header.
  std::string Header(absl::string_view name) const;
  // Returns the first value of this query parameter, or "" if it is missing.
  std::string Param(absl::string_view name) const;
};

// Selects requests: all conditions that are set must be met.
struct RequestMatcher {
  // If empty, any method.
  std::string method = {};
  // "/api/v1/pods": escaped, without query. If empty, any path.
  std::string path = {};
  // The request must have these parameters with these values; it may have others.
  queryparams::Values query = {};
  // The request must have these headers with these values; it may have others.
  http::Headers headers = {};
  // If unset, any body.
  std::optional<std::string> body = {};
  // Any other condition. It is called with a lock held and must not call the transport.
  std::function<bool(const RecordedRequest&)> predicate = {};
};

// The response to a request.
struct ScriptedReply {
  int status = 200;
  http::Headers headers = {};
  // Sent at once; then the body ends, or continues with what `stream` sends.
  std::string body = {};

  // An error instead of a response, for example from MakeTransportError.
  absl::Status error = {};
  // Never respond; the request waits until its context or its header_timeout ends.
  bool hang = false;
  // The time before the response or the error, on the Runtime's clock.
  absl::Duration delay = absl::ZeroDuration();

  // The stream by which the test sends the rest of the body, now or later. Each response needs its
  // own.
  std::shared_ptr<ScriptedStream> stream = {};

  // Makes the connection of a reply with status 101, such as one end of a pipe (net/io/pipe.h)
  // whose other end the test uses. Called once for each request, on the sending thread; its result
  // must not be null.
  std::function<std::unique_ptr<io::DuplexStream>()> connection = {};
};

// Returns a reply with a JSON body.
ScriptedReply JsonReply(absl::string_view json, int status = 200);
// Returns an error as API servers send it: a metav1.Status with this reason and message.
ScriptedReply StatusReply(int status, absl::string_view reason, absl::string_view message);

// A transport for tests: it answers requests from a script, within the process, and records them.
//
//   auto transport = std::make_shared<ScriptedTransport>();
//   transport->Expect({.method = "GET", .path = "/api/v1/namespaces/prod/pods/web-0"},
//                     JsonReply(R"({"kind":"Pod","apiVersion":"v1"})"));
//   rest::Client client = *rest::MakeClient({.host = "http://localhost", .transport = transport});
//   ... client.Do(ctx, request) ...
//   EXPECT_THAT(transport->Verify(), IsOk());
//   EXPECT_EQ(transport->requests()[0].Header("accept"), "application/json, */*");
//
// A request uses the first line of the script that matches it and is not used up. If none does, the
// request fails with INTERNAL, which says what came and what was expected, and Verify reports it
// again.
//
// It does not imitate networks and connections, so requests are only reset, lost or slow if the
// script says so; nor HTTP's syntax, gzip and the limits of a real transport; nor
// ConnectionOptions, which it ignores; nor API servers, which check, default and store objects: use
// envtest for these. With a FakeClock or in a SimRuntime it is deterministic if requests come in a
// fixed order, or if matchers distinguish them.
//
// Thread-safe.
class ScriptedTransport final : public httpclient::Transport {
 public:
  // Adds a line to the script, for one request.
  void Expect(RequestMatcher matcher, ScriptedReply reply = {}) ABSL_LOCKS_EXCLUDED(mutex_);
  // Adds a line for any number of requests, including none.
  void Always(RequestMatcher matcher, ScriptedReply reply = {}) ABSL_LOCKS_EXCLUDED(mutex_);
  // Like Always, but `handler` makes the reply when a request arrives. It is called on the sending
  // thread, perhaps on several threads at a time, and may block.
  void Handle(RequestMatcher matcher, std::function<ScriptedReply(const RecordedRequest&)> handler)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds a line for one request whose body the test sends: a watch, or a log that is followed.
  std::shared_ptr<ScriptedStream> ExpectStream(RequestMatcher matcher, http::Headers headers = {})
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns all requests so far in their order, including unexpected ones.
  std::vector<RecordedRequest> requests() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until `count` requests have arrived. Returns OK, or ctx.status() if `ctx` is done first.
  absl::Status WaitForRequests(const Context& ctx, size_t count) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns OK, or FAILED_PRECONDITION with all unexpected requests and all lines of Expect for
  // which no request came.
  absl::Status Verify() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns how often CloseIdleConnections was called.
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
  // Finds the line for a request and uses it up. Returns an error if no line matches.
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
