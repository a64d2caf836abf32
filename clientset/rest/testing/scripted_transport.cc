#include "clientset/rest/testing/scripted_transport.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/queryparams/values.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::rest {

namespace {

RecordedRequest Record(const httpclient::HttpRequest& request) {
  RecordedRequest recorded = {.method = request.method,
                              .url = request.url,
                              .headers = request.headers,
                              .body = request.body == nullptr ? "" : *request.body,
                              .long_running = request.long_running,
                              .upgrade = request.upgrade};
  absl::string_view rest = request.url;
  if (const size_t slashes = rest.find("://"); slashes != absl::string_view::npos) {
    rest.remove_prefix(slashes + 3);
  }
  rest.remove_prefix(std::min(rest.find_first_of("/?"), rest.size()));
  const size_t mark = rest.find('?');
  recorded.path = std::string(rest.substr(0, mark));
  if (mark != absl::string_view::npos) {
    recorded.query = queryparams::ParseQuery(rest.substr(mark + 1));
  }
  return recorded;
}

bool HasHeader(const http::Headers& headers, const http::Header& wanted) {
  return absl::c_linear_search(headers.GetAll(wanted.name), wanted.value);
}

bool Matches(const RequestMatcher& matcher, const RecordedRequest& request) {
  if (!matcher.method.empty() && matcher.method != request.method) return false;
  if (!matcher.path.empty() && matcher.path != request.path) return false;
  for (const auto& [name, values] : matcher.query) {
    const auto found = request.query.find(name);
    if (found == request.query.end() || found->second != values) return false;
  }
  for (const http::Header& header : matcher.headers) {
    if (!HasHeader(request.headers, header)) return false;
  }
  if (matcher.body.has_value() && *matcher.body != request.body) return false;
  return matcher.predicate == nullptr || matcher.predicate(request);
}

std::string ToString(const RequestMatcher& matcher) {
  std::string text = absl::StrCat(matcher.method.empty() ? "any method" : matcher.method, " ",
                                  matcher.path.empty() ? "any path" : matcher.path);
  if (!matcher.query.empty()) {
    absl::StrAppend(&text, "?", queryparams::EncodeQuery(matcher.query));
  }
  for (const http::Header& header : matcher.headers) {
    absl::StrAppend(&text, ", header ", header.name, ": ", header.value);
  }
  if (matcher.body.has_value()) absl::StrAppend(&text, ", body ", *matcher.body);
  if (matcher.predicate != nullptr) absl::StrAppend(&text, ", a predicate");
  return text;
}

}  // namespace

std::string RecordedRequest::Header(absl::string_view name) const {
  return std::string(headers.Get(name).value_or(""));
}

std::string RecordedRequest::Param(absl::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() || found->second.empty() ? "" : found->second.front();
}

ScriptedReply JsonReply(absl::string_view json, int status) {
  return {.status = status,
          .headers = {{"content-type", "application/json"}},
          .body = std::string(json)};
}

ScriptedReply StatusReply(int status, absl::string_view reason, absl::string_view message) {
  api::meta::v1::Status object;
  object.kind = "Status";
  object.api_version = "v1";
  object.status = api::meta::v1::kStatusFailure;
  object.message = message;
  object.reason = reason;
  object.code = status;
  const absl::StatusOr<std::string> json = codec::EncodeJson(object);
  KUBE_CHECK_OK(json.status());
  return JsonReply(*json, status);
}

void ScriptedTransport::Add(Line line) {
  const base::MutexLock lock(mutex_);
  script_.push_back(std::move(line));
}

void ScriptedTransport::Expect(RequestMatcher matcher, ScriptedReply reply) {
  Add({.matcher = std::move(matcher), .reply = std::move(reply)});
}

void ScriptedTransport::Always(RequestMatcher matcher, ScriptedReply reply) {
  Add({.matcher = std::move(matcher), .reply = std::move(reply), .once = false});
}

void ScriptedTransport::Handle(RequestMatcher matcher,
                               std::function<ScriptedReply(const RecordedRequest&)> handler) {
  Add({.matcher = std::move(matcher), .handler = std::move(handler), .once = false});
}

std::shared_ptr<ScriptedStream> ScriptedTransport::ExpectStream(RequestMatcher matcher,
                                                                http::Headers headers) {
  auto stream = std::make_shared<ScriptedStream>();
  if (!headers.Get("content-type")) headers.Set("content-type", "application/json");
  Expect(std::move(matcher), {.headers = std::move(headers), .stream = stream});
  return stream;
}

std::vector<RecordedRequest> ScriptedTransport::requests() const {
  const base::MutexLock lock(mutex_);
  return requests_;
}

absl::Status ScriptedTransport::WaitForRequests(const Context& ctx, size_t count) const {
  const base::MutexLock lock(mutex_);
  return came_.Wait(ctx, mutex_, [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return requests_.size() >= count;
  });
}

absl::Status ScriptedTransport::Verify() const {
  const base::MutexLock lock(mutex_);
  std::vector<std::string> problems;
  for (const std::string& request : unexpected_) {
    problems.push_back(absl::StrCat("unexpected request: ", request));
  }
  for (const Line& line : script_) {
    if (line.once && !line.used) {
      problems.push_back(absl::StrCat("expected request not received: ", ToString(line.matcher)));
    }
  }
  if (problems.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrJoin(problems, "; "));
}

int ScriptedTransport::idle_closes() const {
  const base::MutexLock lock(mutex_);
  return idle_closes_;
}

absl::StatusOr<ScriptedTransport::Line> ScriptedTransport::Take(const RecordedRequest& request) {
  const base::MutexLock lock(mutex_);
  requests_.push_back(request);
  came_.NotifyAll();
  std::vector<std::string> expected;
  for (Line& line : script_) {
    if (line.once && line.used) continue;
    if (Matches(line.matcher, request)) {
      line.used = true;
      return line;
    }
    expected.push_back(ToString(line.matcher));
  }
  unexpected_.push_back(absl::StrCat(request.method, " ", request.url));
  return absl::InternalError(
      absl::StrCat("scripted transport: no reply for ", unexpected_.back(),
                   "; expected: ", expected.empty() ? "nothing" : absl::StrJoin(expected, "; ")));
}

absl::StatusOr<httpclient::HttpResponse> ScriptedTransport::RoundTrip(
    const Context& ctx, httpclient::HttpRequest request) {
  if (ctx.done()) return ctx.status();
  const RecordedRequest recorded = Record(request);
  KUBE_ASSIGN_OR_RETURN(Line line, Take(recorded));
  ScriptedReply reply = line.handler == nullptr ? std::move(line.reply) : line.handler(recorded);
  const absl::Duration wait = reply.hang ? absl::InfiniteDuration() : reply.delay;
  KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, std::min(wait, request.header_timeout)));
  if (wait > request.header_timeout) {
    return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kTimeout},
                                          "timeout awaiting response headers");
  }
  if (!reply.error.ok()) return reply.error;
  auto stream = std::make_shared<ScriptedStream>();
  stream->Write(reply.body);
  if (reply.stream == nullptr) {
    stream->End();
  } else {
    stream = reply.stream;
    stream->Write(reply.body);
  }
  return httpclient::HttpResponse{
      .status = reply.status,
      .headers = std::move(reply.headers),
      .body = ScriptedStream::Open(std::move(stream)),
      .connection = reply.connection == nullptr ? nullptr : reply.connection()};
}

void ScriptedTransport::CloseIdleConnections() {
  const base::MutexLock lock(mutex_);
  ++idle_closes_;
}

}  // namespace kube::rest
