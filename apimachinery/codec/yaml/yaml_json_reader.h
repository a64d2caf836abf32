#ifndef APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_
#define APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// A JSON value whose numbers keep their spelling, because YAML's rules decide what they are.
struct JsonValue {
  enum class Kind { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  // The key, if this is a member of an object.
  std::string key;
  // A string without escapes, or the text of a number.
  std::string text;
  // The elements, or the members in the order of the text, including duplicates.
  std::vector<JsonValue> children;
};

// Reads one JSON value (RFC 8259), which only white space may follow. Returns INVALID_ARGUMENT with
// the offset if the text is not JSON or not UTF-8, contains half of a surrogate pair, or is nested
// deeper than kMaxYamlDepth. Pure function: thread-safe.
absl::StatusOr<JsonValue> ReadJson(absl::string_view json);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_
