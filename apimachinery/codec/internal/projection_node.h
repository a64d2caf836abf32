#ifndef APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_
#define APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// What a projection says about one struct. Each field, by index, has null if it is kept whole,
// Dropped() if it is skipped, or the node of the structs in it. For a field that is a map, the node
// also has the keys to keep and to drop.
class ProjectionNode {
 public:
  // A marker that is only compared with and never dereferenced.
  static const ProjectionNode* Dropped() {
    return reinterpret_cast<const ProjectionNode*>(uintptr_t{1});
  }

  explicit ProjectionNode(size_t field_count) : fields_(field_count, nullptr) {}

  const ProjectionNode* field(size_t index) const { return fields_[index]; }
  void set_field(size_t index, const ProjectionNode* node) { fields_[index] = node; }

  // For a map: returns whether the entry with this key is skipped.
  bool DropsKey(absl::string_view key) const {
    return Contains(dropped_keys_, key) || (!kept_keys_.empty() && !Contains(kept_keys_, key));
  }
  // If `kept` is empty, all keys are kept that are not in `dropped`.
  void set_keys(std::vector<std::string> dropped, std::vector<std::string> kept) {
    dropped_keys_ = std::move(dropped);
    kept_keys_ = std::move(kept);
  }

 private:
  static bool Contains(const std::vector<std::string>& keys, absl::string_view key) {
    return std::any_of(keys.begin(), keys.end(), [key](const auto& each) { return each == key; });
  }

  std::vector<const ProjectionNode*> fields_;
  std::vector<std::string> dropped_keys_;
  std::vector<std::string> kept_keys_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_
