#ifndef BENCHMARKS_INFORMER_POD_TEMPLATE_H_
#define BENCHMARKS_INFORMER_POD_TEMPLATE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/scheme/media_type.h"

namespace kube::benchmarks {

// The bytes of a pod, in which an update writes over what an update changes: its resource version,
// the annotation bench/sent-ns, and how often its first container was restarted. So an event costs
// the server no more than a copy. Thread-compatible.
class PodTemplate {
 public:
  // INVALID_ARGUMENT: a pod without the status of a container.
  static absl::StatusOr<PodTemplate> Make(api::core::v1::Pod pod, scheme::Format format);

  // `version` has ten digits, `sent_ns` nineteen.
  void Update(int64_t version, int64_t sent_ns);

  absl::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
  size_t version_at_ = 0;
  size_t sent_at_ = 0;
  size_t restarts_at_ = 0;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_POD_TEMPLATE_H_
