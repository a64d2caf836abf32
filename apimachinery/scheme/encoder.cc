#include "apimachinery/scheme/encoder.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scheme {

namespace {

using kube::table::Field;
using kube::table::Message;
using schema::GroupVersionKind;

// A bitwise copy of an object with another apiVersion and kind. All other members still belong to
// the original object: nothing else is copied, and only the two strings are destroyed here.
class Relabelled {
 public:
  Relabelled(const void* object, const Message& message, const GroupVersionKind& kind)
      : bits_(std::make_unique<char[]>(message.size)) {
    std::memcpy(bits_.get(), object, message.size);
    // These two fields have no protobuf number, and the table lists such fields first.
    for (size_t i = 0; i < message.field_count && message.fields[i].number == 0; ++i) {
      const absl::string_view name = message.field_name(message.fields[i]);
      if (name == "kind") Set(message.fields[i], kind.kind);
      if (name == "apiVersion") Set(message.fields[i], kind.group_version().ToString());
    }
  }
  Relabelled(const Relabelled&) = delete;
  Relabelled& operator=(const Relabelled&) = delete;
  ~Relabelled() {
    for (String* text : texts_) *text = String();
  }

  const void* get() const { return bits_.get(); }

 private:
  // Overwrites the copied bits without freeing the original's string.
  void Set(const Field& field, const std::string& text) {
    std::memset(bits_.get() + field.offset, 0, sizeof(String));
    String& member = *reinterpret_cast<String*>(bits_.get() + field.offset);
    member = text;
    texts_.push_back(&member);
  }

  std::unique_ptr<char[]> bits_;
  std::vector<String*> texts_;
};

absl::StatusOr<std::string> EncodeText(const GroupVersionKind& kind, const void* object,
                                       const Message& message, Format format,
                                       const EncodeOptions& options) {
  const bool pretty = options.pretty && format == Format::kJson;
  const Relabelled relabelled(object, message, kind);
  std::string json;
  KUBE_RETURN_IF_ERROR(codec::AppendJson(
      json, relabelled.get(), message,
      {.indent = pretty ? "  " : "", .final_newline = format == Format::kJson && !pretty}));
  return format == Format::kYaml ? codec::JsonToYaml(json) : std::move(json);
}

}  // namespace

namespace internal {

absl::StatusOr<std::string> Encode(const GroupVersionKind& kind, const void* object,
                                   const Message& message, Format format,
                                   const EncodeOptions& options) {
  if (format != Format::kProtobuf) return EncodeText(kind, object, message, format, options);
  if (message.wire_count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("encode ", message.type_name(), ": kind has no protobuf encoding"));
  }
  const std::string api_version = kind.group_version().ToString();
  std::string body;
  KUBE_RETURN_IF_ERROR(codec::AppendKubernetesProtobuf(
      body, object, message, {.api_version = api_version, .kind = kind.kind}));
  return body;
}

absl::StatusOr<GroupVersionKind> KindToEncode(const Scheme& scheme, const Message& message,
                                              const std::optional<schema::GroupVersion>& version) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<GroupVersionKind> kinds, scheme.ObjectKinds(message));
  if (version.has_value()) {
    if (std::optional<GroupVersionKind> kind = schema::KindFor(*version, kinds)) return *kind;
  }
  return kinds[0];
}

}  // namespace internal

absl::StatusOr<std::string> Encode(const codec::AnyObject& object, Format format,
                                   const EncodeOptions& options) {
  const KindInfo& info = object.kind();
  const GroupVersionKind kind = {.group = std::string(info.group),
                                 .version = std::string(info.version),
                                 .kind = std::string(info.kind)};
  return internal::Encode(kind, object.data(), *info.message, format, options);
}

absl::StatusOr<std::string> Encode(const unstructured::Unstructured& object, Format format,
                                   const EncodeOptions& options) {
  return internal::Encode(object.gvk(), &object, unstructured::Unstructured::kMessage, format,
                          options);
}

}  // namespace kube::scheme
