#include "apiserver/streaming/stream_pairs.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/http/headers.h"
#include "net/spdy/session.h"

namespace kube::apiserver::internal {
namespace {

absl::StatusOr<uint16_t> ParsePort(absl::string_view text) {
  if (text.empty()) return absl::InvalidArgumentError("\"port\" header is required");
  uint32_t port = 0;
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  if (!digits || !absl::SimpleAtoi(text, &port) || port > UINT16_MAX) {
    return absl::InvalidArgumentError(absl::StrCat("unable to parse \"", text, "\" as a port"));
  }
  if (port == 0) return absl::InvalidArgumentError(absl::StrCat("port \"", text, "\" must be > 0"));
  return static_cast<uint16_t>(port);
}

}  // namespace

absl::StatusOr<PortStreamHeaders> ParsePortStream(const http::Headers& headers) {
  PortStreamHeaders parsed;
  const absl::StatusOr<uint16_t> port = ParsePort(headers.Get("port").value_or(""));
  if (!port.ok()) return port.status();
  parsed.port = *port;
  const absl::string_view type = headers.Get("streamtype").value_or("");
  if (type.empty()) return absl::InvalidArgumentError("\"streamType\" header is required");
  if (type != "error" && type != "data") {
    return absl::InvalidArgumentError(absl::StrCat("invalid stream type \"", type, "\""));
  }
  parsed.is_error = type == "error";
  parsed.request_id = std::string(headers.Get("requestid").value_or(""));
  return parsed;
}

StreamPairs::Added StreamPairs::Add(const PortStreamHeaders& headers,
                                    std::unique_ptr<spdy::SessionStream> stream,
                                    base::MonotonicTime now) {
  const int64_t stream_id = next_stream_id_;
  next_stream_id_ += 2;
  std::string id = headers.request_id;
  // An old client opens the data stream directly after the error stream.
  if (id.empty()) id = absl::StrCat(headers.is_error ? stream_id : stream_id - 2);
  const auto [entry, is_new] = waiting_.try_emplace(id);
  Waiting& waiting = entry->second;
  if (is_new) {
    waiting.pair.request_id = id;
    waiting.deadline = now + kTimeout;
  }
  Added added;
  auto& slot = headers.is_error ? waiting.pair.error : waiting.pair.data;
  if (slot != nullptr) {
    added.problem = absl::InvalidArgumentError(
        absl::StrCat("error processing stream for request ", id, ": ",
                     headers.is_error ? "error" : "data", " stream already assigned"));
    added.refused = waiting.pair.error.get();
    stream->Reset();
    return added;
  }
  slot = std::move(stream);
  if (!headers.is_error) waiting.pair.port = headers.port;
  if (waiting.pair.error != nullptr && waiting.pair.data != nullptr) {
    added.complete = std::move(waiting.pair);
    waiting_.erase(entry);
  }
  return added;
}

base::MonotonicTime StreamPairs::NextTimeout() const {
  base::MonotonicTime next = base::MonotonicTime::Infinite();
  for (const auto& [id, waiting] : waiting_) next = std::min(next, waiting.deadline);
  return next;
}

std::vector<StreamPair> StreamPairs::TakeExpired(base::MonotonicTime now) {
  std::vector<StreamPair> expired;
  for (auto each = waiting_.begin(); each != waiting_.end();) {
    if (each->second.deadline <= now) {
      expired.push_back(std::move(each->second.pair));
      each = waiting_.erase(each);
    } else {
      ++each;
    }
  }
  return expired;
}

}  // namespace kube::apiserver::internal
