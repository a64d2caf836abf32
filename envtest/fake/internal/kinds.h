#ifndef ENVTEST_FAKE_INTERNAL_KINDS_H_
#define ENVTEST_FAKE_INTERNAL_KINDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/watch/event.h"

namespace kube::fake::internal {

// Returns the built-in kind with this type, or null.
const KindInfo* KindOf(const kube::table::Message& message);

// Adds kind and apiVersion to the object if they are missing, as they are not part of its type.
absl::StatusOr<std::string> WithKind(absl::StatusOr<std::string> json,
                                     const kube::table::Message& message);

struct EncodedEvent {
  watch::EventType type = watch::EventType::kAdded;
  absl::Status error = {};
  absl::StatusOr<std::string> object = std::string();
};

// Returns the body of a watch with these events.
absl::StatusOr<std::string> EncodeEvents(const std::vector<EncodedEvent>& events);

// The metav1.Status of an error as JSON, with its HTTP code.
struct EncodedError {
  int code = 0;
  std::string json = {};
};
// Returns NOT_FOUND if the error carries no metav1.Status.
absl::StatusOr<EncodedError> EncodeError(const absl::Status& error);

}  // namespace kube::fake::internal

#endif  // ENVTEST_FAKE_INTERNAL_KINDS_H_
