#include "codegen/merge_rules.h"

#include <google/protobuf/descriptor.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/leaf_types.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

// The bits of MergeRules::Strategy.
constexpr unsigned kMerge = 1;
constexpr unsigned kRetainKeys = 2;
constexpr unsigned kReplace = 4;
constexpr unsigned kListAtomic = 8;
constexpr unsigned kListSet = 16;
constexpr unsigned kListMap = 32;

void Report(const pb::FieldDescriptor& field, Diagnostics& diagnostics, absl::string_view problem) {
  diagnostics.Error(field, absl::StrCat("field ", field.name(), ": ", problem));
}

bool IsMessage(const pb::FieldDescriptor& field) {
  return field.type() == pb::FieldDescriptor::TYPE_MESSAGE && !field.is_map();
}

bool IsList(const pb::FieldDescriptor& field) {
  if (field.is_map()) return false;
  return field.is_repeated() || (IsMessage(field) && IsListMessage(*field.message_type()));
}

unsigned PatchStrategy(const pb::FieldDescriptor& field, const FieldOptions& options,
                       Diagnostics& diagnostics) {
  unsigned strategy = 0;
  for (const std::string& name : options.patch_strategy()) {
    if (name == "merge") {
      strategy |= kMerge;
    } else if (name == "retainKeys") {
      strategy |= kRetainKeys;
    } else if (name == "replace") {
      strategy |= kReplace;
    } else {
      Report(field, diagnostics,
             absl::StrCat("patch_strategy \"", name, "\": write merge, retainKeys or replace"));
    }
  }
  return strategy;
}

unsigned ApplyStrategy(const pb::FieldDescriptor& field, const FieldOptions& options,
                       Diagnostics& diagnostics) {
  if (options.list_type() != LIST_TYPE_UNSET && !IsList(field)) {
    Report(field, diagnostics, "list_type: field is not a list");
  }
  if ((options.list_type() == MAP) != (options.list_map_key_size() > 0)) {
    Report(field, diagnostics, "list_type MAP and list_map_key: must be set together");
  }
  const bool of_atomic_struct =
      IsMessage(field) && !field.is_repeated() &&
      field.message_type()->options().GetExtension(kube::struct_).atomic();
  unsigned strategy = options.atomic() || of_atomic_struct ? kListAtomic : 0;
  if (options.list_type() == ATOMIC) strategy |= kListAtomic;
  if (options.list_type() == SET) strategy |= kListSet;
  if (options.list_type() == MAP) strategy |= kListMap;
  return strategy;
}

void AppendText(std::string& out, absl::string_view text, const pb::FieldDescriptor& field,
                Diagnostics& diagnostics) {
  if (text.size() > 255) Report(field, diagnostics, "merge keys: longer than 255 bytes");
  out += static_cast<char>(text.size());
  absl::StrAppend(&out, text);
}

}  // namespace

std::string EncodeMergeRules(const pb::FieldDescriptor& field, Diagnostics& diagnostics) {
  const FieldOptions& options = field.options().GetExtension(kube::field);
  const unsigned strategy =
      PatchStrategy(field, options, diagnostics) | ApplyStrategy(field, options, diagnostics);
  if (strategy == 0 && options.patch_merge_key().empty()) return "";
  std::string bytes(1, static_cast<char>(strategy));
  AppendText(bytes, options.patch_merge_key(), field, diagnostics);
  AppendText(bytes, absl::StrJoin(options.list_map_key(), ","), field, diagnostics);
  return bytes;
}

}  // namespace kube::codegen
