#ifndef WEBHOOK_INTERNAL_OBJECT_PATCH_H_
#define WEBHOOK_INTERNAL_OBJECT_PATCH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::webhook::internal {

// Returns the JSON patch of an object `raw` that makes the changes that lead from `before` to
// `after`, which are what a type keeps of the object, before and after a function has changed it.
// What the type does not know, and what the type writes but `raw` does not have, stays as it is:
// the patch has what the function has changed and nothing else. The result is empty if that is
// nothing.
//
// Elements of lists are found again by equality, then by their member "name", then by their place.
//
// Returns INVALID_ARGUMENT if `raw` is not the JSON of an object or a list. Pure and thread-safe.
absl::StatusOr<std::string> ObjectPatch(absl::string_view raw, const unstructured::Value& before,
                                        const unstructured::Value& after);

}  // namespace kube::webhook::internal

#endif  // WEBHOOK_INTERNAL_OBJECT_PATCH_H_
