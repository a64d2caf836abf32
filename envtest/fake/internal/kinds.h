#ifndef ENVTEST_FAKE_INTERNAL_KINDS_H_
#define ENVTEST_FAKE_INTERNAL_KINDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/watch/event.h"

namespace kube::fake::internal {

// The kind of Kubernetes' own that has this type; null: there is none.
const KindInfo* KindOf(const kube::table::Message& message);

// The object with its kind and apiVersion, where it lacks them: a type does not say them.
absl::StatusOr<std::string> WithKind(absl::StatusOr<std::string> json,
                                     const kube::table::Message& message);

struct EncodedEvent {
  watch::EventType type = watch::EventType::kAdded;
  absl::Status error = {};
  absl::StatusOr<std::string> object = std::string();
};

// The body of a watch.
absl::StatusOr<std::string> EncodeEvents(const std::vector<EncodedEvent>& events);

// The metav1.Status of an error, in JSON, and its HTTP code. NOT_FOUND: it has none.
struct EncodedError {
  int code = 0;
  std::string json = {};
};
absl::StatusOr<EncodedError> EncodeError(const absl::Status& error);

}  // namespace kube::fake::internal

#endif  // ENVTEST_FAKE_INTERNAL_KINDS_H_
