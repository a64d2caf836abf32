#include "apimachinery/unstructured/value_json.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/table.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

using kube::table::Field;
using kube::table::JsonForm;
using kube::table::Message;

// For the codec a Value is a struct with one member, whose JSON is that of the member.
constexpr char kNames[] = "valueJSON\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
constexpr Field kFields[] = {kube::table::FieldOf<Value>(
    {.name = 0, .name_size = 5, .flags = 0, .offset = 0, .number = 0, .sub = 0})};
constexpr Message kJson = {.fields = kFields,
                           .names = kNames,
                           .size = sizeof(Value),
                           .field_count = 1,
                           .wire_count = 0,
                           .name = 5,
                           .name_size = 4,
                           .json_form = JsonForm::kOnlyField,
                           .all_optional = 0,
                           .wire_start = 0,
                           .is_atomic = 0,
                           .reserved = {}};

char* BytesOf(Value& value) { return reinterpret_cast<char*>(&value); }

}  // namespace

absl::StatusOr<Value> ParseJson(const codec::PaddedBuffer& json) {
  Value value;
  KUBE_RETURN_IF_ERROR(
      codec::DecodeInto(BytesOf(value), kJson, codec::Encoding::kJson, json.view(), {}));
  return value;
}

absl::StatusOr<Value> ParseJson(absl::string_view json) {
  return ParseJson(codec::PaddedBuffer(json));
}

absl::StatusOr<std::string> EncodeJson(const Value& value) {
  std::string json;
  KUBE_RETURN_IF_ERROR(codec::AppendJson(json, &value, kJson));
  return json;
}

absl::StatusOr<Value> ParseYaml(absl::string_view yaml) {
  Value value;
  KUBE_RETURN_IF_ERROR(codec::DecodeYamlInto(BytesOf(value), kJson, yaml, {}, 1));
  return value;
}

absl::StatusOr<std::string> EncodeYaml(const Value& value,
                                       const codec::JsonToYamlOptions& options) {
  absl::StatusOr<std::string> json = EncodeJson(value);
  if (!json.ok()) return json.status();
  return codec::JsonToYaml(*json, options);
}

}  // namespace kube::unstructured
