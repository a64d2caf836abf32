#include "codegen/struct_builder.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/diagnostics.h"
#include "codegen/leaf_types.h"
#include "codegen/merge_rules.h"
#include "codegen/model.h"
#include "codegen/names.h"
#include "codegen/twins.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

template <typename D>
std::string CommentOf(const D& descriptor) {
  pb::SourceLocation place;
  if (!descriptor.GetSourceLocation(&place)) return "";
  return place.leading_comments.empty() ? place.trailing_comments : place.leading_comments;
}

const char* JsonFormOf(const pb::Descriptor& message) {
  switch (message.options().GetExtension(kube::struct_).json_form()) {
    case OR_BOOL:
      return "kOrBool";
    case OR_ARRAY:
      return "kOrArray";
    case OR_STRING_ARRAY:
      return "kOrStringArray";
    default:
      return "kObject";
  }
}

void SortByNumber(std::vector<WireEntry>& wire) {
  std::sort(wire.begin(), wire.end(),
            [](const WireEntry& a, const WireEntry& b) { return a.number < b.number; });
}

const char* HolderOf(Shape shape) {
  switch (shape) {
    case Shape::kOpt:
      return "::kube::Opt";
    case Shape::kBox:
      return "::kube::Box";
    case Shape::kList:
      return "::kube::List";
    case Shape::kMap:
      return "::kube::Map";
    case Shape::kValue:
      break;
  }
  return "";
}

// Returns whether a field is optional in its struct. In twins all are, except in messages that are
// not objects in JSON: of those exactly one member is written.
bool IsOptional(const pb::FieldDescriptor& field, bool twin) {
  if (field.has_optional_keyword()) return true;
  return twin &&
         field.containing_type()->options().GetExtension(kube::struct_).json_form() == OBJECT;
}

void WrapType(Member& member) {
  if (member.shape == Shape::kValue) return;
  member.type = absl::StrCat(HolderOf(member.shape), "<", member.type, ">");
}

}  // namespace

std::string NameOf(const StructSource& source) {
  const std::string& name = source.message->name();
  return CppName(source.twin ? ApplyConfigurationName(name) : name);
}

BuiltStruct& StructBuilder::Get(const StructSource& source) {
  const auto [place, is_new] = built_.try_emplace(source);
  BuiltStruct& built = place->second;
  if (!is_new) return built;
  const pb::Descriptor& message = *source.message;
  built.out.name = NameOf(source);
  built.out.type_name =
      source.twin ? ApplyConfigurationName(message.name()) : std::string(message.name());
  built.out.comment = CommentOf(message);
  built.out.json_form = JsonFormOf(message);
  if (source.twin) built.out.twin_of = CppName(message.name());
  const StructOptions& options = message.options().GetExtension(kube::struct_);
  built.out.is_atomic = options.atomic();
  if (message.options().HasExtension(kube::kind) || options.type_meta()) {
    AddTypeMeta(built, source.twin);
  }
  AddMembers(built, source, /*on_wire=*/!source.twin, built.out.wire);
  return built;
}

// The members are the first ones (Go: metav1.TypeMeta `json:",inline"`).
void StructBuilder::AddTypeMeta(BuiltStruct& built, bool twin) {
  Member member;
  member.type = StringType().name;
  member.shape = twin ? Shape::kOpt : Shape::kValue;
  member.omit_empty = true;
  WrapType(member);
  member.name = member.json_name = "kind";
  built.out.members.push_back(member);
  member.name = "api_version";
  member.json_name = "apiVersion";
  built.out.members.push_back(std::move(member));
  built.sources.resize(2, {.leaf = &StringType()});
}

void StructBuilder::AddMembers(BuiltStruct& built, const StructSource& source, bool on_wire,
                               std::vector<WireEntry>& wire) {
  for (int i = 0; i < source.message->field_count(); ++i) {
    const pb::FieldDescriptor& field = *source.message->field(i);
    const FieldOptions& options = field.options().GetExtension(kube::field);
    if (source.twin && !IsInTwin(field)) continue;
    const bool field_on_wire = on_wire && !options.no_wire() && !HoldsValues(field);
    if (!options.inline_()) {
      AddField(built, field, source.twin, field_on_wire, wire);
      continue;
    }
    std::vector<WireEntry> group;
    AddMembers(built, {field.message_type(), source.twin}, field_on_wire, group);
    if (!group.empty()) wire.push_back({.number = field.number(), .group = std::move(group)});
  }
  SortByNumber(wire);
}

void StructBuilder::AddField(BuiltStruct& built, const pb::FieldDescriptor& field, bool twin,
                             bool on_wire, std::vector<WireEntry>& wire) {
  const FieldOptions& options = field.options().GetExtension(kube::field);
  Member member;
  member.name = CppName(field.name());
  member.json_name = field.json_name();
  member.comment = CommentOf(field);
  member.number = on_wire ? field.number() : 0;
  member.omit_empty = twin || options.omit() == EMPTY || options.omit() == EMPTY_OR_ZERO;
  member.omit_zero = !twin && (options.omit() == ZERO || options.omit() == EMPTY_OR_ZERO);
  // The only empty Value is null.
  if (HoldsValues(field) && !field.is_repeated())
    member.omit_zero = twin || options.omit() != NEVER;
  member.unknown_fields = options.holds_unknown_fields();
  member.no_json = options.no_json() || member.unknown_fields;
  // Only the server merges configurations.
  if (!twin) member.merge_rules = EncodeMergeRules(field, diagnostics_);
  MemberSource source = {.field = &field};
  SetType(member, source, twin);
  Check(built, member, field);
  const int index = static_cast<int>(built.out.members.size());
  if (on_wire) wire.push_back({.number = member.number, .member = index});
  built.out.members.push_back(std::move(member));
  built.sources.push_back(source);
}

void StructBuilder::Check(const BuiltStruct& built, const Member& member,
                          const pb::FieldDescriptor& field) {
  const std::string subject = absl::StrCat("field ", field.name(), " in ", built.out.type_name);
  for (const Member& other : built.out.members) {
    if (other.name == member.name) {
      diagnostics_.Error(field,
                         absl::StrCat(subject, ": duplicate C++ member \"", member.name, "\""));
    }
    if (!member.no_json && !other.no_json && other.json_name == member.json_name) {
      diagnostics_.Error(field,
                         absl::StrCat(subject, ": duplicate JSON name \"", member.json_name, "\""));
    }
  }
}

void StructBuilder::SetType(Member& member, MemberSource& source, bool twin) {
  const pb::FieldDescriptor& field = *source.field;
  const pb::FieldDescriptor& value = field.is_map() ? *field.message_type()->map_value() : field;
  if (const pb::Descriptor* message = StructOf(field); message != nullptr) {
    source.held = {message, twin && HasTwin(*message)};
    member.type = member.sub = TypeName(source.held);
  } else if (value.message_type() != nullptr && IsListMessage(*value.message_type())) {
    source.leaf = &StringListType();
    member.type = source.leaf->name;
    member.is_string_list = !field.is_map();
  } else {
    source.leaf = FindLeafType(value);
    member.type = source.leaf->name;
  }
  if (field.is_map()) {
    member.shape = Shape::kMap;
  } else if (field.is_repeated()) {
    member.shape = Shape::kList;
  } else if (IsOptional(field, twin) && !member.is_string_list && !HoldsValues(field)) {
    member.shape = source.leaf != nullptr ? Shape::kOpt : Shape::kBox;
  }
  WrapType(member);
}

std::string StructBuilder::TypeName(const StructSource& source) const {
  const pb::FileDescriptor& file = *source.message->file();
  if (&file == &file_) return NameOf(source);
  return absl::StrCat("::", CppNamespace(file.package()), "::", NameOf(source));
}

}  // namespace kube::codegen
