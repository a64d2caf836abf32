#ifndef CLIENTSET_RECORDING_EXCHANGE_H_
#define CLIENTSET_RECORDING_EXCHANGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "net/http/headers.h"

namespace kube::recording {

// How an exchange ended.
enum class ExchangeEnd {
  kOpen,       // it had not ended when the recording did
  kComplete,   // the program has read the whole body
  kFailed,     // a transport error, before the response or within its body
  kAbandoned,  // the program gave it up, such as a watch that it no longer needs
  kTruncated,  // its body exceeded RecorderOptions::max_body_bytes
};

// A part of a body, and when it arrived after the start of the request.
struct BodyPart {
  absl::Duration at = absl::ZeroDuration();
  std::string bytes = {};

  friend bool operator==(const BodyPart&, const BodyPart&) = default;
};

// The header of a response, and when it arrived after the start of the request.
struct ResponseHead {
  absl::Duration at = absl::ZeroDuration();
  int status = 0;
  http::Headers headers = {};
  // 1 or 2.
  int http_version = 1;

  friend bool operator==(const ResponseHead&, const ResponseHead&) = default;
};

// A request and what came back. Times are accurate to a microsecond. A thread-compatible value.
struct Exchange {
  // Counts from 1 in each recording, in the order in which the requests were sent.
  int64_t number = 0;
  // The time of day at which the request was sent, and the time since the recording began.
  absl::Time time = absl::UnixEpoch();
  absl::Duration start = absl::ZeroDuration();

  std::string method = {};
  std::string url = {};
  http::Headers headers = {};
  // If unset, the request has no body.
  std::optional<std::string> body = {};

  // Unset if no response arrived.
  std::optional<ResponseHead> response = {};
  // The body of the response. In a redacted recording each part is one JSON document if the body is
  // JSON, such as an event of a watch; otherwise the parts are those that the program has read.
  std::vector<BodyPart> parts = {};

  ExchangeEnd end = ExchangeEnd::kOpen;
  // The time from the request to the end; zero if the exchange is open.
  absl::Duration duration = absl::ZeroDuration();
  // The transport error if `end` is kFailed, otherwise OK.
  absl::Status error = {};
};

// The exchanges of a program, in the order of their requests.
struct Recording {
  std::vector<Exchange> exchanges = {};
  // Whether all of it was recorded with redaction.
  bool redacted = true;
  // Whether the sink was full, so that later exchanges and the rest of the open ones are missing.
  bool full = false;
};

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_EXCHANGE_H_
