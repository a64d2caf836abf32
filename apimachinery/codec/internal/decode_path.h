#ifndef APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_
#define APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_

// Where in the object a decoder is: a chain through its own stack, a few stores a struct. It
// becomes text only where something is to be reported.

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
  const kube::table::Field* field = nullptr;  // null: at the struct itself
  uint32_t index = kNoIndex;                  // in the list that the field is
  const char* key = nullptr;                  // in the map that the field is; null: none
  size_t key_size = 0;
  // Not of the path, but as long-lived: some map of the struct is to be sorted when it is complete.
  bool has_unsorted_map = false;
};

// "spec.containers[0].resources.limits.cpu", as Go's strict decoder writes it; "" at the top.
std::string PathText(const PathFrame* frame);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_DECODE_PATH_H_
