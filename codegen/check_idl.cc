#include "codegen/check_idl.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/leaf_types.h"
#include "codegen/names.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

constexpr int kMaxNumber = 32767;     // the maximum of Field::number
constexpr size_t kMaxNameSize = 255;  // the maximum of Field::name_size

using Type = pb::FieldDescriptor::Type;

class Checker {
 public:
  explicit Checker(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void CheckFile(const pb::FileDescriptor& file);

 private:
  void CheckPackage(const pb::FileDescriptor& file);
  void CheckMessage(const pb::Descriptor& message);
  void CheckList(const pb::Descriptor& message);
  void CheckJsonForm(const pb::Descriptor& message);
  void CheckField(const pb::FieldDescriptor& field);
  void CheckType(const pb::FieldDescriptor& field);
  void CheckMessageType(const pb::FieldDescriptor& field, const pb::Descriptor& message);
  void CheckMap(const pb::FieldDescriptor& field);
  void CheckOptions(const pb::FieldDescriptor& field);
  void CheckInline(const pb::FieldDescriptor& field);
  void CheckUnknownFields(const pb::FieldDescriptor& field);

  void Error(const pb::Descriptor& message, absl::string_view problem) {
    diagnostics_.Error(message, absl::StrCat("message ", message.name(), ": ", problem));
  }
  void Error(const pb::FieldDescriptor& field, absl::string_view problem) {
    diagnostics_.Error(field, absl::StrCat("field ", field.name(), ": ", problem));
  }

  Diagnostics& diagnostics_;
  std::set<const pb::FileDescriptor*> done_;
};

const StructOptions& OptionsOf(const pb::Descriptor& message) {
  return message.options().GetExtension(kube::struct_);
}

const FieldOptions& OptionsOf(const pb::FieldDescriptor& field) {
  return field.options().GetExtension(kube::field);
}

bool IsKind(const pb::Descriptor& message) { return message.options().HasExtension(kube::kind); }

// ---- files

void Checker::CheckFile(const pb::FileDescriptor& file) {
  if (!IsApiFile(file) || !done_.insert(&file).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) CheckFile(*file.dependency(i));
  CheckPackage(file);
  for (int i = 0; i < file.enum_type_count(); ++i) {
    diagnostics_.Error(*file.enum_type(i), absl::StrCat("enum ", file.enum_type(i)->name(),
                                                        ": write string, with (kube.field)"
                                                        ".enum_value"));
  }
  for (int i = 0; i < file.service_count(); ++i) {
    diagnostics_.Error(*file.service(i),
                       absl::StrCat("service ", file.service(i)->name(),
                                    ": services are not part of an API, see (kube.kind)"));
  }
  for (int i = 0; i < file.extension_count(); ++i) {
    Error(*file.extension(i), "extensions are not part of an API");
  }
  for (int i = 0; i < file.message_type_count(); ++i) CheckMessage(*file.message_type(i));
}

void Checker::CheckPackage(const pb::FileDescriptor& file) {
  if (file.syntax() != pb::FileDescriptor::SYNTAX_PROTO3) {
    diagnostics_.Error(file, {pb::FileDescriptorProto::kSyntaxFieldNumber},
                       "syntax: write \"proto3\"");
  }
  if (file.package().empty()) {
    diagnostics_.Error(file, {}, "package: must be specified, it becomes the C++ namespace");
  }
  const std::string& release = file.options().GetExtension(kube::group_version).release();
  if (!release.empty() && InlineNamespace(release).empty()) {
    diagnostics_.Error(file, {pb::FileDescriptorProto::kOptionsFieldNumber},
                       absl::StrCat("(kube.group_version).release \"", release,
                                    "\": write two numbers, as \"1.36\""));
  }
}

// ---- messages

void Checker::CheckMessage(const pb::Descriptor& message) {
  if (message.name().size() > kMaxNameSize) Error(message, "name is longer than 255 bytes");
  for (int i = 0; i < message.enum_type_count(); ++i) {
    diagnostics_.Error(*message.enum_type(i), absl::StrCat("enum ", message.enum_type(i)->name(),
                                                           ": write string, with (kube.field)"
                                                           ".enum_value"));
  }
  for (int i = 0; i < message.nested_type_count(); ++i) {
    const pb::Descriptor& nested = *message.nested_type(i);
    if (!nested.options().map_entry()) Error(nested, "write it outside of other messages");
  }
  for (int i = 0; i < message.real_oneof_decl_count(); ++i) {
    const pb::OneofDescriptor& oneof = *message.oneof_decl(i);
    diagnostics_.Error(oneof, absl::StrCat("oneof ", oneof.name(), ": write optional fields"));
  }
  for (int i = 0; i < message.extension_count(); ++i) {
    Error(*message.extension(i), "extensions are not part of an API");
  }
  if (message.extension_range_count() > 0) Error(message, "extensions are not part of an API");
  if (IsKind(message) &&
      message.file()->options().GetExtension(kube::group_version).version().empty()) {
    Error(message, "is a kind, but the file has no (kube.group_version) with a version");
  }
  if (OptionsOf(message).list()) CheckList(message);
  CheckJsonForm(message);
  for (int i = 0; i < message.field_count(); ++i) CheckField(*message.field(i));
}

void Checker::CheckList(const pb::Descriptor& message) {
  const bool is_list = message.field_count() == 1 && message.field(0)->is_repeated() &&
                       message.field(0)->type() == Type::TYPE_STRING &&
                       message.field(0)->name() == "items" && message.field(0)->number() == 1;
  if (!is_list) Error(message, "(kube.struct).list: write one field, repeated string items = 1");
  if (IsKind(message) || OptionsOf(message).type_meta()) {
    Error(message, "(kube.struct).list: a list must not have a kind");
  }
}

void Checker::CheckJsonForm(const pb::Descriptor& message) {
  const JsonForm form = OptionsOf(message).json_form();
  if (form == OBJECT) return;
  const pb::FieldDescriptor* a = message.field_count() == 2 ? message.field(0) : nullptr;
  const pb::FieldDescriptor* b = message.field_count() == 2 ? message.field(1) : nullptr;
  const auto is_schema = [](const pb::FieldDescriptor& field) {
    return field.type() == Type::TYPE_MESSAGE && !field.is_repeated();
  };
  bool fits = a != nullptr && !IsKind(message) && !OptionsOf(message).type_meta();
  if (fits && form == OR_BOOL) {
    fits = a->type() == Type::TYPE_BOOL && !a->is_repeated() && !a->has_optional_keyword() &&
           is_schema(*b);
  } else if (fits && form == OR_ARRAY) {
    fits = is_schema(*a) && b->is_repeated() && b->message_type() == a->message_type();
  } else if (fits && form == OR_STRING_ARRAY) {
    fits = is_schema(*a) && b->is_repeated() && b->type() == Type::TYPE_STRING;
  }
  if (!fits) {
    Error(message, absl::StrCat("(kube.struct).json_form ", JsonForm_Name(form),
                                ": fields do not match this form"));
  }
}

// ---- fields

void Checker::CheckField(const pb::FieldDescriptor& field) {
  if (field.is_required()) Error(field, "required: write nothing, or (kube.field).required");
  if (field.number() > kMaxNumber) Error(field, "number is larger than 32767");
  if (field.name().size() > kMaxNameSize || field.json_name().size() > kMaxNameSize) {
    Error(field, "name is longer than 255 bytes");
  }
  if (field.json_name().empty()) Error(field, "json_name: must not be empty");
  if (field.is_map()) {
    CheckMap(field);
  } else {
    CheckType(field);
  }
  CheckOptions(field);
}

void Checker::CheckType(const pb::FieldDescriptor& field) {
  if (field.type() == Type::TYPE_GROUP) return Error(field, "group: write a message");
  if (field.type() == Type::TYPE_ENUM) {
    return Error(field, "enum: write string, with (kube.field).enum_value");
  }
  if (field.type() == Type::TYPE_MESSAGE) return CheckMessageType(field, *field.message_type());
  if (FindLeafType(field) == nullptr) {
    Error(field, absl::StrCat("type ", field.type_name(),
                              ": write string, bool, int32, int64, double or bytes"));
  }
}

void Checker::CheckMessageType(const pb::FieldDescriptor& field, const pb::Descriptor& message) {
  if (IsLeafMessage(message)) {
    if (HoldsValues(field) && field.has_optional_keyword()) {
      Error(field, "optional Value: must not be optional, an absent one is null");
    }
    return;
  }
  if (!IsApiFile(*message.file())) {
    Error(field, absl::StrCat("type ", message.full_name(), ": not part of an API"));
  }
  if (!IsListMessage(message)) return;
  if (field.is_repeated() && !field.is_map()) {
    Error(field, absl::StrCat("repeated ", message.name(), ": already a list"));
  }
  if (field.has_optional_keyword()) {
    Error(field, absl::StrCat("optional ", message.name(),
                              ": must not be optional, an absent list is null"));
  }
}

void Checker::CheckMap(const pb::FieldDescriptor& field) {
  const pb::Descriptor& entry = *field.message_type();
  if (entry.map_key()->type() != Type::TYPE_STRING) {
    Error(field, absl::StrCat("map key ", entry.map_key()->type_name(), ": write string"));
  }
  const pb::FieldDescriptor& value = *entry.map_value();
  if (value.type() == Type::TYPE_MESSAGE) {
    CheckMessageType(field, *value.message_type());
  } else if (FindLeafType(value) == nullptr) {
    Error(field, absl::StrCat("map value ", value.type_name(),
                              ": write string, bool, int32, int64, double, bytes or a message"));
  }
}

void Checker::CheckOptions(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  if (options.no_json() && options.no_wire()) {
    Error(field, "(kube.field): no_json and no_wire must not both be set");
  }
  if (options.no_json() && HoldsValues(field)) {
    Error(field, "(kube.field).no_json: a Value is only in JSON");
  }
  if (options.inline_()) CheckInline(field);
  if (options.holds_unknown_fields()) CheckUnknownFields(field);
}

bool KeepsUnknownFields(const pb::Descriptor& message) {
  const int count = message.field_count();
  return count > 0 && OptionsOf(*message.field(count - 1)).holds_unknown_fields();
}

void Checker::CheckUnknownFields(const pb::FieldDescriptor& field) {
  const pb::Descriptor& message = *field.containing_type();
  if (!field.is_map() || !HoldsValues(field)) {
    Error(field, "(kube.field).holds_unknown_fields: write map<string, kube.Value>");
  }
  if (field.index() + 1 != message.field_count()) {
    Error(field, "(kube.field).holds_unknown_fields: must be the last field of its message");
  }
  if (OptionsOf(message).json_form() != OBJECT) {
    Error(field, "(kube.field).holds_unknown_fields: the message is not an object in JSON");
  }
  if (OptionsOf(field).has_omit() || OptionsOf(field).has_validation()) {
    Error(field, "(kube.field).holds_unknown_fields: omit and validation must not be set");
  }
}

void Checker::CheckInline(const pb::FieldDescriptor& field) {
  const FieldOptions& options = OptionsOf(field);
  if (field.type() != Type::TYPE_MESSAGE || field.is_repeated() || field.has_optional_keyword()) {
    return Error(field,
                 "(kube.field).inline: must be a message that is neither optional nor repeated");
  }
  const pb::Descriptor& message = *field.message_type();
  if (IsLeafMessage(message) || OptionsOf(message).list() ||
      OptionsOf(message).json_form() != OBJECT) {
    Error(field, "(kube.field).inline: the message is not an object in JSON");
  }
  if (IsKind(message) || OptionsOf(message).type_meta()) {
    Error(field, "(kube.field).inline: the message has a kind of its own");
  }
  if (KeepsUnknownFields(message)) {
    Error(field, "(kube.field).inline: the message keeps unknown fields");
  }
  if (options.no_json() || options.has_omit()) {
    Error(field, "(kube.field).inline: no_json and omit must be set on its members");
  }
  // Follows all inline fields, because a message that contains itself inline has no end.
  std::set<const pb::Descriptor*> seen;
  std::vector<const pb::Descriptor*> next = {&message};
  while (!next.empty()) {
    const pb::Descriptor& each = *next.back();
    next.pop_back();
    if (&each == field.containing_type()) {
      return Error(field, "(kube.field).inline: the message contains itself");
    }
    if (!seen.insert(&each).second) continue;
    for (int i = 0; i < each.field_count(); ++i) {
      const pb::FieldDescriptor& inner = *each.field(i);
      if (OptionsOf(inner).inline_() && inner.message_type() != nullptr) {
        next.push_back(inner.message_type());
      }
    }
  }
}

}  // namespace

bool IsApiFile(const pb::FileDescriptor& file) {
  return file.name() != "kube/options.proto" && file.name() != "kube/types.proto" &&
         !absl::StartsWith(file.name(), "google/protobuf/");
}

void CheckIdl(const pb::FileDescriptor& file, Diagnostics& diagnostics) {
  Checker(diagnostics).CheckFile(file);
}

}  // namespace kube::codegen
