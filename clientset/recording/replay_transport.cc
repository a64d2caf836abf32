#include "clientset/recording/replay_transport.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/recording/internal/replayed_body.h"

namespace kube::recording {
namespace {

using httpclient::HttpRequest;
using httpclient::HttpResponse;

// Splits "scheme://host/path?query" before the path.
size_t PathStart(absl::string_view url) {
  const size_t slashes = url.find("://");
  if (slashes == absl::string_view::npos) return 0;
  return std::min(url.find_first_of("/?", slashes + 3), url.size());
}

// Returns whether a value is a replacement of Redactor::Placeholder.
bool IsRedacted(absl::string_view value) {
  return value.substr(0, 9) == "redacted-" && value.size() == 25;
}

std::string Described(const Exchange& exchange) {
  return absl::StrCat("exchange ", exchange.number, ": ", exchange.method, " ",
                      absl::string_view(exchange.url).substr(PathStart(exchange.url)));
}

// Adds the names of parameters whose values were redacted to those that are not compared.
ReplayOptions WithRedactedNames(ReplayOptions options, const Recording& recording) {
  for (const Exchange& exchange : recording.exchanges) {
    const size_t mark = std::min(exchange.url.find('?'), exchange.url.size());
    for (const absl::string_view parameter :
         absl::StrSplit(absl::string_view(exchange.url).substr(mark), absl::ByAnyChar("?&"))) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(parameter, absl::MaxSplits('=', 1));
      if (!IsRedacted(parts.second)) continue;
      if (absl::c_linear_search(options.ignored_parameters, parts.first)) continue;
      options.ignored_parameters.push_back(parts.first);
    }
  }
  return options;
}

// Returns how many characters at the start and at the end of two keys are equal.
size_t Likeness(absl::string_view a, absl::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t start = 0;
  while (start < shorter && a[start] == b[start]) ++start;
  size_t end = 0;
  while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return start + end;
}

}  // namespace

ReplayTransport::ReplayTransport(Recording recording, ReplayOptions options)
    : options_(WithRedactedNames(std::move(options), recording)),
      host_("http://localhost"),
      full_(recording.full) {
  base::MutexLock lock(mutex_);
  for (Exchange& exchange : recording.exchanges) {
    if (exchange.end == ExchangeEnd::kFailed && exchange.error.ok()) {
      exchange.error = absl::UnknownError("the recording does not say why");
    }
    const size_t path = PathStart(exchange.url);
    if (lines_.empty() && path > 0) host_ = exchange.url.substr(0, path);
    const auto group = groups_.try_emplace(KeyOf(exchange.method, exchange.url)).first;
    group->second.lines.push_back(lines_.size());
    lines_.push_back(
        {.exchange = std::make_shared<const Exchange>(std::move(exchange)), .key = &group->first});
  }
}

absl::StatusOr<HttpResponse> ReplayTransport::RoundTrip(const Context& ctx, HttpRequest request) {
  if (request.upgrade) {
    return absl::UnimplementedError(
        "replay: exec, attach and port-forward are not recorded and cannot be replayed");
  }
  const base::MonotonicTime start = base::Now();
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const Exchange> exchange, Take(request));
  if (!exchange->response) {
    if (exchange->end != ExchangeEnd::kFailed) {
      return base::WaitUntilDone(ctx);  // the program gave it up
    }
    KUBE_RETURN_IF_ERROR(
        base::SleepUntil(ctx, start + internal::AtSpeed(exchange->duration, options_.speed)));
    return exchange->error;
  }
  const ResponseHead& head = *exchange->response;
  KUBE_RETURN_IF_ERROR(base::SleepUntil(ctx, start + internal::AtSpeed(head.at, options_.speed)));
  HttpResponse response;
  response.status = head.status;
  response.headers = head.headers;
  response.http_version = head.http_version;
  response.body = internal::MakeReplayedBody(exchange, start, options_.speed);
  return response;
}

std::string ReplayTransport::host() const { return host_; }

std::vector<std::string> ReplayTransport::unused() const {
  base::MutexLock lock(mutex_);
  std::vector<std::string> left;
  for (const Line& line : lines_) {
    if (!line.used) left.push_back(Described(*line.exchange));
  }
  return left;
}

std::vector<std::string> ReplayTransport::unexpected() const {
  base::MutexLock lock(mutex_);
  return unexpected_;
}

absl::Status ReplayTransport::Verify() const {
  std::vector<std::string> problems = unexpected();
  for (const std::string& each : unused()) problems.push_back(absl::StrCat("not used: ", each));
  if (problems.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrJoin(problems, "\n"));
}

std::string ReplayTransport::KeyOf(const std::string& method, const std::string& url) const {
  const size_t path = options_.match_hosts ? 0 : PathStart(url);
  const absl::string_view rest = absl::string_view(url).substr(path);
  const size_t mark = rest.find('?');
  std::string key = absl::StrCat(method, " ", rest.substr(0, mark));
  if (mark == absl::string_view::npos) return key;
  std::vector<absl::string_view> parameters;
  for (const absl::string_view parameter :
       absl::StrSplit(rest.substr(mark + 1), '&', absl::SkipEmpty())) {
    const absl::string_view name = parameter.substr(0, parameter.find('='));
    if (absl::c_linear_search(options_.ignored_parameters, name)) continue;
    parameters.push_back(parameter);
  }
  absl::c_sort(parameters);
  if (!parameters.empty()) absl::StrAppend(&key, "?", absl::StrJoin(parameters, "&"));
  return key;
}

bool ReplayTransport::BodyMatches(const Exchange& exchange, const HttpRequest& request) const {
  if (!options_.match_bodies) return true;
  const std::string recorded = exchange.body.value_or("");
  const std::string sent = request.body == nullptr ? "" : *request.body;
  if (recorded == sent) return true;
  const absl::StatusOr<unstructured::Value> a = unstructured::ParseJson(recorded);
  const absl::StatusOr<unstructured::Value> b = unstructured::ParseJson(sent);
  return a.ok() && b.ok() && *a == *b;
}

absl::StatusOr<std::shared_ptr<const Exchange>> ReplayTransport::Take(const HttpRequest& request) {
  const std::string key = KeyOf(request.method, request.url);
  base::MutexLock lock(mutex_);
  Line* line = Find(key, request);
  if (line == nullptr) return NotRecorded(key, request);
  line->used = true;
  while (next_ < lines_.size() && lines_[next_].used) ++next_;
  return line->exchange;
}

ReplayTransport::Line* ReplayTransport::Find(const std::string& key, const HttpRequest& request) {
  const auto found = groups_.find(key);
  if (found == groups_.end()) return nullptr;
  Group& group = found->second;
  while (group.used < group.lines.size() && lines_[group.lines[group.used]].used) ++group.used;
  const bool strict = options_.order == ReplayOrder::kStrict;
  for (size_t i = group.used; i < group.lines.size(); ++i) {
    if (strict && group.lines[i] != next_) break;
    Line& line = lines_[group.lines[i]];
    if (!line.used && BodyMatches(*line.exchange, request)) return &line;
  }
  if (!options_.repeat_last) return nullptr;
  for (size_t i = group.lines.size(); i > 0; --i) {
    Line& line = lines_[group.lines[i - 1]];
    if (line.used && BodyMatches(*line.exchange, request)) return &line;
  }
  return nullptr;
}

absl::Status ReplayTransport::NotRecorded(const std::string& key, const HttpRequest& request) {
  const Line* nearest = nullptr;
  size_t likeness = 0;
  for (const Line& line : lines_) {
    // Of equal ones, one that is not used up; in strict order, the one whose turn it is.
    const bool is_next = options_.order == ReplayOrder::kStrict && !line.used;
    const size_t found = Likeness(key, *line.key);
    const bool is_better =
        nearest == nullptr || found > likeness || (found == likeness && nearest->used);
    if (is_better || is_next) {
      nearest = &line;
      likeness = found;
    }
    if (is_next) break;
  }
  const absl::string_view target = absl::string_view(key).substr(key.find(' ') + 1);
  std::string text = absl::StrCat("replay ", request.method, " ", target, ": ");
  if (nearest == nullptr) {
    absl::StrAppend(&text, "the recording is empty");
  } else if (options_.order == ReplayOrder::kStrict && !nearest->used) {
    absl::StrAppend(&text, "not the next request of the recording, which is ",
                    Described(*nearest->exchange));
  } else {
    absl::StrAppend(&text,
                    *nearest->key != key ? "not in the recording"
                    : nearest->used      ? "not recorded again"
                                         : "recorded only with another body",
                    "; the nearest is ", Described(*nearest->exchange),
                    nearest->used ? " (used)" : "");
  }
  if (full_) absl::StrAppend(&text, "; the recording is incomplete: its sink was full");
  if (unexpected_.size() < kMostUnexpected) unexpected_.push_back(text);
  return absl::InternalError(text);
}

rest::Config ReplayConfig(std::shared_ptr<ReplayTransport> transport) {
  rest::Config config;
  config.host = transport->host();
  config.content_type = "application/json";
  config.transport = std::move(transport);
  return config;
}

}  // namespace kube::recording
