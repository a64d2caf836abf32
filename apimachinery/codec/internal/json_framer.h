#ifndef APIMACHINERY_CODEC_INTERNAL_JSON_FRAMER_H_
#define APIMACHINERY_CODEC_INTERNAL_JSON_FRAMER_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// Finds the end of a JSON object that arrives in pieces. It looks at brackets and strings only, and
// at each byte once. Thread-compatible.
class JsonFramer {
 public:
  // `text` is the object from its opening brace on, as far as it is there; it only grows from call
  // to call. The object's size, or 0 if its end is not there yet.
  size_t FindEnd(absl::string_view text);

  // For the next object.
  void Reset() { *this = JsonFramer(); }

 private:
  size_t seen_ = 0;
  size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_JSON_FRAMER_H_
