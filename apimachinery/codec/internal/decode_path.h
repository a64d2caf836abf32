#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_

// Tracks where in the object a decoder is, as a chain of frames on the decoder's own stack. A frame
// costs a few stores per struct; text is made from it only if there is something to report.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

struct PathFrame {
  static constexpr uint32_t kNoIndex = UINT32_MAX;

  const PathFrame* parent;
  const kube::table::Message* message;
  const kube::table::Field* field = nullptr;  // null: the struct itself
  uint32_t index = kNoIndex;                  // of the element, if the field is a list
  const char* key = nullptr;                  // of the entry, if the field is a map; or null
  size_t key_size = 0;
  // Not part of the path, but of the same lifetime: a map of the struct must be sorted at its end.
  bool has_unsorted_map = false;
};

// Returns "spec.containers[0].resources.limits.cpu", as Go's strict decoder writes it; "" at the
// top.
std::string PathText(const PathFrame* frame);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_
