#include "benchmarks/informer/pod_template.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/scheme/encoder.h"
#include "apimachinery/scheme/media_type.h"

namespace kube::benchmarks {
namespace {

constexpr size_t kVersionDigits = 10;
constexpr size_t kSentDigits = 19;

// Encodes the pod with `digit` in every place that an update overwrites.
absl::StatusOr<std::string> EncodeWith(int digit, api::core::v1::Pod& pod, scheme::Format format) {
  const auto text = static_cast<char>('0' + digit);
  pod.metadata.resource_version = std::string(kVersionDigits, text);
  pod.metadata.annotations["bench/sent-ns"] = std::string(kSentDigits, text);
  pod.status.container_statuses[0].restart_count = digit;
  KUBE_ASSIGN_OR_RETURN(std::string bytes, scheme::Encode({"", "v1", "Pod"}, pod, format));
  return std::string(absl::StripSuffix(bytes, "\n"));
}

// Returns position and length of the next difference.
std::pair<size_t, size_t> NextDifference(absl::string_view a, absl::string_view b, size_t from) {
  while (from < a.size() && a[from] == b[from]) ++from;
  size_t end = from;
  while (end < a.size() && a[end] != b[end]) ++end;
  return {from, end - from};
}

void WriteDigits(int64_t number, absl::string_view::size_type at, size_t digits,
                 std::string& bytes) {
  for (size_t i = digits; i > 0; --i, number /= 10) {
    bytes[at + i - 1] = static_cast<char>('0' + number % 10);
  }
}

}  // namespace

absl::StatusOr<PodTemplate> PodTemplate::Make(api::core::v1::Pod pod, scheme::Format format) {
  if (pod.status.container_statuses.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("pod ", pod.metadata.name.view(), " has no status of a container"));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string other, EncodeWith(2, pod, format));
  PodTemplate made;
  KUBE_ASSIGN_OR_RETURN(made.bytes_, EncodeWith(1, pod, format));
  for (size_t from = 0;;) {
    const auto [at, length] = NextDifference(made.bytes_, other, from);
    if (length == 0) break;
    if (length == kVersionDigits) made.version_at_ = at;
    if (length == kSentDigits) made.sent_at_ = at;
    if (length == 1) made.restarts_at_ = at;
    from = at + length;
  }
  return made;
}

void PodTemplate::Update(int64_t version, int64_t sent_ns) {
  WriteDigits(version, version_at_, kVersionDigits, bytes_);
  WriteDigits(sent_ns, sent_at_, kSentDigits, bytes_);
  bytes_[restarts_at_] = static_cast<char>(bytes_[restarts_at_] ^ 3);  // 1, 2, 1: as text or number
}

}  // namespace kube::benchmarks
