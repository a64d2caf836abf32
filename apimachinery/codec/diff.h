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

// One difference between two objects: a leaf, or the whole of what only one of them has.
struct Change {
  // As reflect.h's: "spec.containers[0].image".
  std::string path = {};
  // JSON, or what stands for it where that must not be seen. Nothing: it is not there.
  std::optional<std::string> before = {};
  std::optional<std::string> after = {};

  friend bool operator==(const Change&, const Change&) = default;
  // `spec.replicas: 2 -> 3`, `metadata.labels[app]: absent -> "web"`
  friend std::ostream& operator<<(std::ostream& out, const Change& change);
};

struct DiffOptions {
  // Of values that are longer in JSON, so many bytes are shown, and then "...". Default: 200. Zero:
  // all.
  size_t max_value_size = 200;

  // Not more changes than these are found. Default and zero: all.
  size_t max_changes = 0;
};

namespace internal {

std::vector<Change> Diff(const void* before, const void* after, const kube::table::Message& message,
                         const DiffOptions& options);

}  // namespace internal

// In what `after` differs from `before`, in the order of JSON: empty if and only if they are equal
// (==, which is semantic). Elements of lists are compared by their place. For the messages of
// failed tests and for logs: bytes, the strings of a Secret, and the configuration that kubectl
// keeps in an annotation are never shown, only their sizes. Other fields are: a password in an
// environment variable, for one.
//
//   for (const Change& change : Diff(*before, *after)) Log(change);
//
// Thread-safe where nobody changes the objects meanwhile.
template <ApiStruct T>
std::vector<Change> Diff(const T& before, const T& after, const DiffOptions& options = {}) {
  return internal::Diff(&before, &after, T::kMessage, options);
}

// One change a line.
std::string ToString(const std::vector<Change>& changes);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_DIFF_H_
