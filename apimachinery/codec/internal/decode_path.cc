#include "apimachinery/codec/internal/decode_path.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

std::string PathText(const PathFrame* frame) {
  std::vector<const PathFrame*> frames;
  for (; frame != nullptr; frame = frame->parent) frames.push_back(frame);
  std::string path;
  for (auto it = frames.rbegin(); it != frames.rend(); ++it) {
    const PathFrame& each = **it;
    // The members of types such as JSONSchemaPropsOrArray have no names in the text.
    if (each.field != nullptr && each.message->json_form == kube::table::JsonForm::kObject) {
      absl::StrAppend(&path, path.empty() ? "" : ".", each.message->field_name(*each.field));
    }
    if (each.key != nullptr) {
      absl::StrAppend(&path, path.empty() ? "" : ".", absl::string_view(each.key, each.key_size));
    }
    // A frame with a key and an index is at an element of a list in a map.
    if (each.index != PathFrame::kNoIndex) absl::StrAppend(&path, "[", each.index, "]");
  }
  return path;
}

}  // namespace kube::codec::internal
