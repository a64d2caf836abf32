#ifndef CONTROLLER_PREDICATES_INTERNAL_FIELD_PATH_H_
#define CONTROLLER_PREDICATES_INTERNAL_FIELD_PATH_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/unstructured/unstructured.h"

// Fields of two objects, compared by their path. Thread-safe.
namespace kube::controller::internal {

// Returns the path with the index 0 instead of each other one.
std::string WithFirstElements(absl::string_view path);

// Returns INVALID_ARGUMENT if no object of kind K can have a field at this path, or if the path is
// empty.
template <meta::Object K>
absl::Status CheckFieldPath(absl::string_view path) {
  if (path.empty()) return absl::InvalidArgumentError("follow path \"\": the path is empty");
  // An empty object has no values on the way at which names could be looked up. SetPath makes them,
  // up to the first name that is wrong. If all are right, it may still fail at the field itself,
  // for the type of its value, which does not matter.
  K example;
  const std::string first = WithFirstElements(path);
  const absl::Status set = codec::SetPath(example, first, "");
  return codec::FindPath(example, first).ok() ? absl::OkStatus() : set;
}

// Returns whether both objects, which are of one type, have equal fields at the path: an absent
// field equals a null one and an empty list or map.
bool SameField(const codec::ValueView& before, const codec::ValueView& after,
               absl::string_view path);

// A step of a path in an object whose type is not known: the name of a member or the text in
// brackets, which is an index if it is applied to a list, and otherwise the name of a member.
struct FieldStep {
  std::string text = {};
  bool bracket = false;

  friend bool operator==(const FieldStep&, const FieldStep&) = default;
};

// Parses "spec.tls[0].hosts" or "metadata.labels[example.com/team]". Returns INVALID_ARGUMENT if a
// name is empty, a bracket is not closed or comes first, or if the path is empty.
absl::StatusOr<std::vector<FieldStep>> ParseFieldPath(absl::string_view path);

// Does what SameField above does.
bool SameField(const unstructured::Unstructured& before, const unstructured::Unstructured& after,
               const std::vector<FieldStep>& path);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_PREDICATES_INTERNAL_FIELD_PATH_H_
