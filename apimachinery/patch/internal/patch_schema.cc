#include "apimachinery/patch/internal/patch_schema.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/table/message.h"

namespace kube::patch::internal {
namespace {

using kube::table::Field;
using kube::table::Kind;
using kube::table::MergeRules;
using kube::table::Message;
using kube::table::Shape;

// Compares as bytes.EqualFold does with an ASCII name: a long s is an s, and the Kelvin sign is a
// k.
bool EqualFold(absl::string_view name, absl::string_view key) {
  for (const char letter : name) {
    const char lower = absl::ascii_tolower(letter);
    if (!key.empty() && absl::ascii_tolower(key.front()) == lower) {
      key.remove_prefix(1);
    } else if (lower == 's' && absl::StartsWith(key, "\u017f")) {
      key.remove_prefix(2);
    } else if (lower == 'k' && absl::StartsWith(key, "\u212a")) {
      key.remove_prefix(3);
    } else {
      return false;
    }
  }
  return key.empty();
}

const Field* FindField(const Message& message, absl::string_view name) {
  const Field* folded = nullptr;
  for (uint16_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    if ((field.flags & kube::table::kNoJson) != 0) continue;
    const absl::string_view own = message.field_name(field);
    if (own == name) return &field;
    if (folded == nullptr && EqualFold(own, name)) folded = &field;
  }
  return folded;
}

}  // namespace

PatchSchema PatchSchema::OfValue(Kind kind, const Message* message) {
  switch (kind) {
    case Kind::kString:
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
      return {Form::kLeaf, kind, nullptr};
    case Kind::kBytes:
    case Kind::kStringList:
      return {Form::kSlice, kind, nullptr};
    default:
      return {Form::kStruct, kind, message};
  }
}

PatchSchema PatchSchema::OfField(const Message& message, const Field& field) {
  switch (field.shape) {
    case Shape::kValue:
      return OfValue(field.kind, message.sub(field));
    case Shape::kOpt:
    case Shape::kBox:
      return {Form::kPointer, field.kind, message.sub(field)};
    case Shape::kList:
      if (OfValue(field.kind, nullptr).form_ == Form::kSlice) {
        return {Form::kSliceOfSlices, field.kind, nullptr};
      }
      return {Form::kSlice, field.kind == Kind::kString ? Kind::kStringList : field.kind,
              message.sub(field)};
    case Shape::kMap:
      return {Form::kMap, field.kind, message.sub(field)};
  }
  return {Form::kLeaf, field.kind, nullptr};
}

absl::string_view PatchSchema::kind_name() const {
  switch (form_) {
    case Form::kByte:
      return "uint8";
    case Form::kStruct:
      return "struct";
    case Form::kPointer:
      return "ptr";
    case Form::kSlice:
    case Form::kSliceOfSlices:
      return "slice";
    case Form::kMap:
      return "map";
    case Form::kLeaf:
      break;
  }
  switch (kind_) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt32:
      return "int32";
    case Kind::kInt64:
      return "int64";
    case Kind::kDouble:
      return "float64";
    default:
      return "string";
  }
}

absl::string_view PatchSchema::type_name() const {
  switch (kind_) {
    case Kind::kMessage:
      return message_->type_name();
    case Kind::kQuantity:
      return "Quantity";
    case Kind::kRawExtension:
      return "RawExtension";
    case Kind::kFieldsV1:
      return "FieldsV1";
    case Kind::kRawJson:
      return "JSON";
    case Kind::kTime:
      return "Time";
    case Kind::kMicroTime:
      return "MicroTime";
    case Kind::kDuration:
      return "Duration";
    case Kind::kIntOrString:
      return "IntOrString";
    default:
      return "";
  }
}

// Finds the fields of the Go struct whose JSON such a value is.
absl::StatusOr<MemberSchema> PatchSchema::FindMemberOfLeaf(absl::string_view name) const {
  const auto leaf = [](Kind kind) { return MemberSchema{.schema = OfValue(kind, nullptr)}; };
  if (kind_ == Kind::kIntOrString) {
    if (EqualFold("type", name)) return leaf(Kind::kInt64);
    if (EqualFold("intval", name)) return leaf(Kind::kInt32);
    if (EqualFold("strval", name)) return leaf(Kind::kString);
  }
  if (kind_ == Kind::kDuration && EqualFold("duration", name)) return leaf(Kind::kInt64);
  return absl::InvalidArgumentError(absl::StrCat("unable to find api field in struct ", type_name(),
                                                 " for the json field \"", name, "\""));
}

PatchSchema PatchSchema::Inner() const {
  if (form_ == Form::kPointer) return OfValue(kind_, message_);
  if (kind_ == Kind::kBytes) return {Form::kByte, kind_, nullptr};
  return OfValue(kind_ == Kind::kStringList ? Kind::kString : kind_, message_);
}

absl::StatusOr<MemberSchema> PatchSchema::FindMember(absl::string_view name) const {
  if (form_ == Form::kPointer) return Inner().FindMember(name);
  if (form_ != Form::kStruct) {
    return absl::InvalidArgumentError(absl::StrCat(
        "merging an object in json but data type is not struct, instead is: ", kind_name()));
  }
  if (kind_ != Kind::kMessage) return FindMemberOfLeaf(name);
  const Field* field = FindField(*message_, name);
  if (field == nullptr) return FindMemberOfLeaf(name);
  const MergeRules rules = kube::table::MergeRulesOf(*message_, *field);
  return MemberSchema{.schema = OfField(*message_, *field),
                      .merge = (rules.strategy & MergeRules::kMerge) != 0,
                      .replace = (rules.strategy & MergeRules::kReplace) != 0,
                      .retain_keys = (rules.strategy & MergeRules::kRetainKeys) != 0,
                      .merge_key = rules.merge_key};
}

absl::StatusOr<MemberSchema> PatchSchema::FindList(absl::string_view name) const {
  KUBE_ASSIGN_OR_RETURN(MemberSchema member, FindMember(name));
  const PatchSchema list = member.schema;
  if (list.form_ == Form::kSliceOfSlices) {
    return absl::InvalidArgumentError("unexpected slice of slice");
  }
  if (list.form_ != Form::kSlice && list.form_ != Form::kPointer) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected slice or array type, but got: ", kind_name()));
  }
  member.schema = list.Inner();
  return member;
}

}  // namespace kube::patch::internal
