#include "apimachinery/codec/decode_yaml.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/internal/decode_error.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/codec/yaml_to_json.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec::internal {

absl::Status DecodeYamlInto(char* to, const kube::internal::Message& message,
                            absl::string_view yaml, const DecodeOptions& options, int first_line) {
  if (LooksLikeJson(yaml)) {
    const PaddedBuffer json(yaml);
    return DecodeText(to, message, json.view(), options, [&](size_t offset) {
      TextPosition position = PositionOf(json.view(), offset);
      position.line += static_cast<size_t>(first_line) - 1;
      return position;
    });
  }
  const bool strict = options.field_validation == FieldValidation::kStrict;
  KUBE_ASSIGN_OR_RETURN(const JsonFromYaml converted,
                        YamlToJson(yaml, {.strict = strict, .first_line = first_line}));
  const PaddedBuffer json(converted.json);
  return DecodeText(to, message, json.view(), options, [&](size_t offset) {
    const YamlPosition position = converted.positions.Find(offset);
    return TextPosition{static_cast<size_t>(position.line), static_cast<size_t>(position.column)};
  });
}

}  // namespace kube::codec::internal
