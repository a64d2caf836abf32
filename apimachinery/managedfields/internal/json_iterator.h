#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_JSON_ITERATOR_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_JSON_ITERATOR_H_

// JSON as json-iterator reads and writes it, the library of structured-merge-diff. It differs from
// encoding/json, and so from our codec: the fields of a set and of a key are written without HTML
// escapes, exponents have two digits, every number is read as a double, and invalid UTF-8 in a
// string is kept. Thread-compatible.

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// Sets, and values in path elements, that are nested more deeply are refused.
inline constexpr int kMaxDepth = 1000;

// Appends `text` to a string that the caller begins and ends with a quote. The characters <, > and
// & and invalid UTF-8 are not escaped (json-iterator: `Stream.WriteObjectField`).
void AppendFieldText(std::string& out, absl::string_view text);

// Appends a value. Strings, also the names of members, have HTML escapes
// (json-iterator: `Stream.WriteVal`).
void AppendValue(std::string& out, const unstructured::Value& value);

// Reads JSON text, which must be padded as codec/json/json_scan.h says. Functions read what begins
// at `p`, and return the position after it or what is wrong.
class JsonReader {
 public:
  // `end` is the end of the text.
  explicit JsonReader(const char* end) : end_(end) {}

  // Reads a string. `text` becomes a part of the input, or of a buffer that the next call changes.
  codec::internal::Scanned ReadString(const char* p, absl::string_view& text);

  // Reads a value into `value`, which must be null. Of a member that occurs twice the last one
  // counts. After an error the reader must not be used again.
  codec::internal::Scanned ReadValue(const char* p, unstructured::Value& value);

 private:
  codec::internal::Scanned ReadList(const char* p, unstructured::Value& value);
  codec::internal::Scanned ReadObject(const char* p, unstructured::Value& value);

  const char* const end_;
  int depth_ = 0;  // the number of open lists and objects
  std::string unescaped_;
};

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_JSON_ITERATOR_H_
