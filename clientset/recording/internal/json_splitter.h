#ifndef CLIENTSET_RECORDING_INTERNAL_JSON_SPLITTER_H_
#define CLIENTSET_RECORDING_INTERNAL_JSON_SPLITTER_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::recording::internal {

// Cuts a stream of JSON objects or arrays, such as a watch, into its documents, however its bytes
// arrive. A document has the white space around it. Does not check the JSON. Thread-compatible.
class JsonSplitter {
 public:
  void Add(absl::string_view bytes) { buffer_.append(bytes.data(), bytes.size()); }

  // Returns the next document that is complete, or nullopt. White space alone counts as one, if
  // nothing else has arrived.
  std::optional<std::string> Next();

  // Returns the bytes that are no complete document, and forgets them.
  std::string Rest();

  // The number of bytes that Next has not returned.
  size_t size() const { return buffer_.size(); }

 private:
  // Advances the state by the byte; returns whether a document ends with it.
  bool EndsWith(char byte);
  std::string Take(size_t size);

  std::string buffer_;
  size_t scanned_ = 0;
  size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace kube::recording::internal

#endif  // CLIENTSET_RECORDING_INTERNAL_JSON_SPLITTER_H_
