#ifndef APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_
#define APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kube::codec::internal {

// What a projection says of one struct: for each of its fields, by index, that it is kept whole
// (null), left out (Dropped()), or what of the structs in it is.
class ProjectionNode {
 public:
  // No node: to be compared with only.
  static const ProjectionNode* Dropped() {
    return reinterpret_cast<const ProjectionNode*>(uintptr_t{1});
  }

  explicit ProjectionNode(size_t field_count) : fields_(field_count, nullptr) {}

  const ProjectionNode* field(size_t index) const { return fields_[index]; }
  void set_field(size_t index, const ProjectionNode* node) { fields_[index] = node; }

 private:
  std::vector<const ProjectionNode*> fields_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_PROJECTION_NODE_H_
