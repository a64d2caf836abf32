#ifndef CLIENTSET_RECORDING_INTERNAL_LINES_H_
#define CLIENTSET_RECORDING_INTERNAL_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/recording/exchange.h"

// The lines of a recording. A recording begins with a line of type "recording"; "request",
// "response", "body" and "end" belong to the exchange whose number is "n"; "full" is the last line
// and says that the sink had no room for more. Times are microseconds. Bytes are a "text", or
// "base64" if they are not UTF-8. Pure functions: thread-safe.
namespace kube::recording::internal {

// The version of the format.
inline constexpr int64_t kVersion = 1;

// Return a line, with "\n".
std::string RecordingLine(bool redacted);
// Takes the request's fields of an exchange.
std::string RequestLine(const Exchange& exchange);
std::string ResponseLine(int64_t number, const ResponseHead& response);
std::string BodyLine(int64_t number, const BodyPart& part);
// `end` is not kOpen, for which there is no line.
std::string EndLine(int64_t number, ExchangeEnd end, absl::Duration duration,
                    const absl::Status& error);

// Collects the exchanges of the lines of a text. Thread-compatible.
class LineReader {
 public:
  // Reads a line without "\n". Returns INVALID_ARGUMENT with the cause if it is not a line of a
  // recording, or is not allowed here.
  absl::Status Add(absl::string_view line);

  // Returns the recording, and is empty afterwards.
  Recording Take();

 private:
  absl::Status AddRecording(const unstructured::Value& line);
  absl::Status AddRequest(const unstructured::Value& line);
  absl::Status AddToExchange(absl::string_view type, const unstructured::Value& line);

  Recording recording_;
  // The first exchange of the current recording: a file may have several.
  size_t first_ = 0;
  bool begun_ = false;
  bool ended_ = false;  // by "full"
};

}  // namespace kube::recording::internal

#endif  // CLIENTSET_RECORDING_INTERNAL_LINES_H_
