#include "apimachinery/codec/decode_yaml.h"

// YAML is never decoded directly: YamlToJson converts it to JSON, and the JSON decoder's errors are
// mapped back to positions in the YAML.
//
// 1. Text that begins like JSON and is valid JSON as a whole is decoded as it is.
// 2. Otherwise the first document is converted. The converter's position table translates the
//    offset of an error in the JSON into a line and column of the YAML.
// 3. If the conversion fails and the text begins like JSON, the JSON decoder reads it again,
//    because its error is more precise than that of the YAML parser.
//
// In strict mode the converter fails at the first duplicate key. The text is then converted again
// without strict mode, and the first failure becomes one strict error.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

namespace {

// Returns whether the whole text is JSON. A flow mapping of YAML begins in the same way.
bool IsJson(const PaddedBuffer& text) {
  constexpr int kMaxDepth = 10000;
  const char* const end = text.data() + text.size();
  const char* error = nullptr;
  const char* after = SkipValue(SkipSpace(text.data()), end, kMaxDepth, &error);
  return after != nullptr && SkipSpace(after) == end;
}

absl::Status DecodeJsonOfFile(char* to, const kube::table::Message& message, absl::string_view json,
                              const DecodeOptions& options, int first_line,
                              std::vector<std::string>* strict_errors) {
  const auto place_of = [&](size_t offset) {
    TextPosition position = PositionOf(json, offset);
    position.line += static_cast<size_t>(first_line) - 1;
    return position;
  };
  return DecodeText(to, message, json, options, place_of, strict_errors);
}

absl::Status DecodeConverted(char* to, const kube::table::Message& message,
                             const JsonFromYaml& converted, const DecodeOptions& options,
                             std::vector<std::string>* strict_errors) {
  const PaddedBuffer json(converted.json);
  const auto place_of = [&](size_t offset) {
    const YamlPosition position = converted.positions.Find(offset);
    return TextPosition{static_cast<size_t>(position.line), static_cast<size_t>(position.column)};
  };
  return DecodeText(to, message, json.view(), options, place_of, strict_errors);
}

}  // namespace
}  // namespace kube::codec::internal

namespace kube::codec {

absl::Status DecodeYamlInto(char* to, const kube::table::Message& message, absl::string_view yaml,
                            const DecodeOptions& options, int first_line,
                            std::vector<std::string>* strict_errors) {
  std::optional<PaddedBuffer> json;
  if (LooksLikeJson(yaml)) {
    json.emplace(yaml);
    if (internal::IsJson(*json)) {
      return internal::DecodeJsonOfFile(to, message, json->view(), options, first_line,
                                        strict_errors);
    }
  }
  std::vector<std::string> own_strict_errors;
  const bool is_error = strict_errors == nullptr;
  if (is_error) strict_errors = &own_strict_errors;
  const bool strict = !is_error || options.field_validation == FieldValidation::kStrict;
  absl::StatusOr<JsonFromYaml> converted =
      YamlToJson(yaml, {.strict = strict, .first_line = first_line});
  if (!converted.ok() && strict) {
    // A duplicate key is a strict error; text that is not YAML fails the second time as well.
    const std::string report(converted.status().message());
    converted = YamlToJson(yaml, {.first_line = first_line});
    if (converted.ok()) strict_errors->push_back(report);
  }
  if (!converted.ok()) {
    // The JSON decoder reports errors in such text more precisely.
    if (!json.has_value()) return converted.status();
    return internal::DecodeJsonOfFile(to, message, json->view(), options, first_line,
                                      strict_errors);
  }
  KUBE_RETURN_IF_ERROR(internal::DecodeConverted(to, message, *converted, options,
                                                 strict ? strict_errors : nullptr));
  return internal::StrictStatus(message, own_strict_errors);
}

}  // namespace kube::codec
