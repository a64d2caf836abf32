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

// The bytes of a pod in which Update overwrites what an update changes: the resource version, the
// annotation bench/sent-ns, and the restart count of the first container. An event then costs the
// server no more than a copy. Thread-compatible.
class PodTemplate {
 public:
  // Returns INVALID_ARGUMENT if the pod has no container status.
  static absl::StatusOr<PodTemplate> Make(api::core::v1::Pod pod, scheme::Format format);

  // `version` must have ten digits, `sent_ns` nineteen.
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
