#ifndef APIMACHINERY_CODEC_DIFF_H_
#define APIMACHINERY_CODEC_DIFF_H_

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::codec {

// One difference between two objects: a leaf, or a whole value that only one of them has.
struct Change {
  // The path, as in reflect.h: "spec.containers[0].image".
  std::string path = {};
  // The values as JSON, or a placeholder for values that must not be shown. Null if the value is
  // absent.
  std::optional<std::string> before = {};
  std::optional<std::string> after = {};

  friend bool operator==(const Change&, const Change&) = default;
  // Prints `spec.replicas: 2 -> 3` or `metadata.labels[app]: absent -> "web"`.
  friend std::ostream& operator<<(std::ostream& out, const Change& change);
};

// Limits of what Diff returns.
struct DiffOptions {
  // Maximum number of bytes of JSON shown per value; longer values are cut and end in "...".
  // Default: 200. Zero means no limit.
  size_t max_value_size = 200;

  // Maximum number of changes to find. Zero, the default, means no limit.
  size_t max_changes = 0;
};

namespace internal {

std::vector<Change> Diff(const void* before, const void* after, const kube::table::Message& message,
                         const DiffOptions& options);

}  // namespace internal

// Returns the differences between `before` and `after`, in the order of their JSON. The result is
// empty if and only if the objects are equal by ==, which compares semantically. List elements are
// compared by index.
//
// The result is meant for messages of failed tests and for logs. Instead of bytes, of the strings
// of a Secret, and of the last-applied-configuration annotation of kubectl, only sizes or "{...}"
// are shown. This holds for an Unstructured too, whose values are printed as operator<< prints
// them. Values of all other members are shown, for example a password in an environment variable.
//
//   appsv1::Deployment after = before;
//   after.spec.replicas = 3;
//   after.metadata.labels["app"] = "web";
//   EXPECT_EQ(ToString(codec::Diff(before, after)),
//             "metadata.labels[app]: absent -> \"web\"\nspec.replicas: 2 -> 3\n");
//
// Thread-safe as long as no other thread changes the objects.
template <ApiStruct T>
std::vector<Change> Diff(const T& before, const T& after, const DiffOptions& options = {}) {
  return internal::Diff(&before, &after, T::kMessage, options);
}

// Returns one line per change.
std::string ToString(const std::vector<Change>& changes);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DIFF_H_
