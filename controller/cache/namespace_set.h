#ifndef CONTROLLER_CACHE_NAMESPACE_SET_H_
#define CONTROLLER_CACHE_NAMESPACE_SET_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::controller {

// The namespaces that a watch covers: all, or a few that are named. A cluster-scoped kind is
// covered as a whole. A watch has one informer for each element of names().
//
// Immutable and thread-safe.
class NamespaceSet {
 public:
  // Covers all namespaces, or a cluster-scoped kind.
  NamespaceSet() : names_{""} {}
  // Covers these namespaces. An empty list, or one that contains "", covers all.
  explicit NamespaceSet(std::vector<std::string> names);

  bool covers_all() const { return names_.front().empty(); }
  bool Covers(absl::string_view namespace_name) const { return Find(namespace_name).has_value(); }
  // Returns the position in names() of the element that covers the namespace, or nullopt.
  std::optional<size_t> Find(absl::string_view namespace_name) const;

  // Returns the namespaces, sorted and each once; one empty text if all are covered. Never empty.
  const std::vector<std::string>& names() const { return names_; }
  // Returns a text for messages, such as "all namespaces" or "namespaces a, b".
  std::string ToString() const;

 private:
  std::vector<std::string> names_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_NAMESPACE_SET_H_
