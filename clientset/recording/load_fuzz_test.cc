// Random recordings: no crash, no hang, and what is read can be written and read again unchanged.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "clientset/recording/exchange.h"
#include "clientset/recording/internal/lines.h"
#include "clientset/recording/load.h"

namespace kube::recording {
namespace {

// Writes the exchanges as one recording, with new numbers: a file may hold several recordings.
std::string Write(const Recording& recording) {
  std::string text = internal::RecordingLine(recording.redacted);
  int64_t number = 0;
  for (Exchange exchange : recording.exchanges) {
    exchange.number = ++number;
    absl::StrAppend(&text, internal::RequestLine(exchange));
    if (exchange.response) {
      absl::StrAppend(&text, internal::ResponseLine(number, *exchange.response));
    }
    for (const BodyPart& part : exchange.parts) {
      absl::StrAppend(&text, internal::BodyLine(number, part));
    }
    if (exchange.end != ExchangeEnd::kOpen) {
      absl::StrAppend(&text,
                      internal::EndLine(number, exchange.end, exchange.duration, exchange.error));
    }
  }
  return text;
}

void Use(absl::string_view text) {
  const absl::StatusOr<Recording> recording = ParseRecording(text);
  if (!recording.ok()) return;
  const std::string written = Write(*recording);
  const absl::StatusOr<Recording> again = ParseRecording(written);
  KUBE_CHECK_OK(again.status());
  KUBE_CHECK_EQ(Write(*again), written);
}

}  // namespace
}  // namespace kube::recording

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::recording::Use(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
