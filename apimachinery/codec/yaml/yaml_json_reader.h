#ifndef APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_
#define APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// A JSON value whose numbers keep their spelling: what they are, YAML's rules decide.
struct JsonValue {
  enum class Kind { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  // The key, where this is a member of an object.
  std::string key;
  // A string without its escapes, or a number's digits.
  std::string text;
  // The elements, or the members in the order of the text, duplicates included.
  std::vector<JsonValue> children;
};

// Reads one JSON value (RFC 8259; nothing may follow it but white space). INVALID_ARGUMENT with
// the offset where the text is not JSON or not UTF-8, holds half of a surrogate pair, or nests
// deeper than kMaxYamlDepth. Pure: thread-safe.
absl::StatusOr<JsonValue> ReadJson(absl::string_view json);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_JSON_READER_H_
