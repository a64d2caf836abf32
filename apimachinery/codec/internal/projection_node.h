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

// What a projection says of one struct: for each of its fields, by index, that it is kept whole
// (null), left out (Dropped()), or what of the structs in it is. Of a map also which keys.
class ProjectionNode {
 public:
  // No node: to be compared with only.
  static const ProjectionNode* Dropped() {
    return reinterpret_cast<const ProjectionNode*>(uintptr_t{1});
  }

  explicit ProjectionNode(size_t field_count) : fields_(field_count, nullptr) {}

  const ProjectionNode* field(size_t index) const { return fields_[index]; }
  void set_field(size_t index, const ProjectionNode* node) { fields_[index] = node; }

  // Of a map: whether the entry is left out.
  bool DropsKey(absl::string_view key) const {
    return Contains(dropped_keys_, key) || (!kept_keys_.empty() && !Contains(kept_keys_, key));
  }
  // `kept`: the only ones to keep; none: all.
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
