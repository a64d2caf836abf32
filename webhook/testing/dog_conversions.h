#ifndef WEBHOOK_TESTING_DOG_CONVERSIONS_H_
#define WEBHOOK_TESTING_DOG_CONVERSIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "webhook/testing/dogs.kube.h"

// Functions that convert Dogs between their versions. Thread-safe.
namespace kube::webhook {

// Keeps the owner of a Dog in versions that have no member for it.
inline constexpr char kOwnerAnnotation[] = "example.com/owner";

// Convert v1. They fail if the size is negative.
absl::Status FromOldDog(const tests::dogs::OldDog& dog, tests::dogs::Dog& hub);
absl::Status ToOldDog(const tests::dogs::Dog& hub, tests::dogs::OldDog& dog);

// Convert v1alpha1. They fail if the size is no number.
absl::Status FromOldestDog(const tests::dogs::OldestDog& dog, tests::dogs::Dog& hub);
absl::Status ToOldestDog(const tests::dogs::Dog& hub, tests::dogs::OldestDog& dog);

// Returns a CustomResourceDefinition of Dogs in JSON, whose stored version is `stored`, and whose
// webhook is /convert of the service "hooks" in the namespace "default".
std::string DogDefinition(absl::string_view stored);

}  // namespace kube::webhook

#endif  // WEBHOOK_TESTING_DOG_CONVERSIONS_H_
