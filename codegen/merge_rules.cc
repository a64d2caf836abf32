#include "codegen/merge_rules.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
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
constexpr unsigned kMapGranular = 64;

// How the items of a list are owned in server-side apply.
struct ListRules {
  ListType type = LIST_TYPE_UNSET;
  std::vector<std::string> keys;  // of MAP
};

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

void CheckApplyOptions(const pb::FieldDescriptor& field, const FieldOptions& options,
                       Diagnostics& diagnostics) {
  if (options.list_type() != LIST_TYPE_UNSET && !IsList(field)) {
    Report(field, diagnostics, "list_type: field is not a list");
  }
  if ((options.list_type() == MAP) != (options.list_map_key_size() > 0)) {
    Report(field, diagnostics, "list_type MAP and list_map_key: must be set together");
  }
  if (options.atomic() && options.granular()) {
    Report(field, diagnostics, "atomic and granular: must not be set together");
  }
}

// Returns the rules of a list. In a release's OpenAPI document a list without a list type has that
// of its patch strategy (kube-openapi: `getListElementRelationship`); schemas of CRDs have no patch
// strategies.
ListRules ListRulesOf(const pb::FieldDescriptor& field, const FieldOptions& options,
                      unsigned patch_strategy) {
  ListRules rules = {.type = options.list_type(),
                     .keys = {options.list_map_key().begin(), options.list_map_key().end()}};
  const bool by_strategy = rules.type == LIST_TYPE_UNSET && IsList(field) &&
                           (patch_strategy & kMerge) != 0 && IsOfRelease(*field.file());
  if (!by_strategy) return rules;
  if (options.patch_merge_key().empty()) return {.type = SET, .keys = {}};
  return {.type = MAP, .keys = {options.patch_merge_key()}};
}

unsigned ApplyStrategy(const FieldOptions& options, ListType list_type) {
  unsigned strategy = options.atomic() ? kListAtomic : 0;
  if (options.granular()) strategy |= kMapGranular;
  if (list_type == ATOMIC) strategy |= kListAtomic;
  if (list_type == SET) strategy |= kListSet;
  if (list_type == MAP) strategy |= kListMap;
  return strategy;
}

// Returns the field with this JSON name, which may be a member of an inlined message, or null.
const pb::FieldDescriptor* FindField(const pb::Descriptor& message, absl::string_view json_name) {
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    if (field.options().GetExtension(kube::field).inline_()) {
      const pb::FieldDescriptor* member = FindField(*field.message_type(), json_name);
      if (member != nullptr) return member;
    } else if (field.json_name() == json_name) {
      return &field;
    }
  }
  return nullptr;
}

// Returns the default of a list-map key as JSON, or "" if it has none. In a release's OpenAPI
// document a value that Go always writes has its zero value as default (kube-openapi:
// `mustEnforceDefault`); schemas of CRDs have only the defaults that the IDL gives them.
std::string DefaultOfKey(const pb::FieldDescriptor& key, bool in_release) {
  const FieldOptions& options = key.options().GetExtension(kube::field);
  if (options.has_default_json()) return options.default_json();
  const bool is_always_written = !key.is_repeated() && !key.has_optional_keyword() &&
                                 (options.omit() == NEVER || options.omit() == ZERO);
  if (!in_release || !is_always_written) return "";
  switch (key.type()) {
    case pb::FieldDescriptor::TYPE_STRING:
      return "\"\"";
    case pb::FieldDescriptor::TYPE_BOOL:
      return "false";
    case pb::FieldDescriptor::TYPE_INT32:
    case pb::FieldDescriptor::TYPE_INT64:
    case pb::FieldDescriptor::TYPE_DOUBLE:
      return "0";
    default:
      return "";
  }
}

// Returns the defaults of the keys, joined by ",", or "" if no key has one.
std::string DefaultsOfKeys(const pb::FieldDescriptor& field, const std::vector<std::string>& keys,
                           Diagnostics& diagnostics) {
  if (!IsMessage(field)) return "";
  std::vector<std::string> defaults;
  bool has_default = false;
  for (const std::string& name : keys) {
    const pb::FieldDescriptor* key = FindField(*field.message_type(), name);
    defaults.push_back(key == nullptr ? "" : DefaultOfKey(*key, IsOfRelease(*field.file())));
    has_default |= !defaults.back().empty();
    if (absl::StrContains(defaults.back(), ",")) {
      Report(field, diagnostics,
             absl::StrCat("list_map_key \"", name, "\": default must not contain a comma"));
    }
  }
  return has_default ? absl::StrJoin(defaults, ",") : "";
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
  CheckApplyOptions(field, options, diagnostics);
  const unsigned patch_strategy = PatchStrategy(field, options, diagnostics);
  const ListRules list = ListRulesOf(field, options, patch_strategy);
  const unsigned strategy = patch_strategy | ApplyStrategy(options, list.type);
  if (strategy == 0 && options.patch_merge_key().empty()) return "";
  std::string bytes(1, static_cast<char>(strategy));
  AppendText(bytes, options.patch_merge_key(), field, diagnostics);
  AppendText(bytes, absl::StrJoin(list.keys, ","), field, diagnostics);
  if (list.type == MAP) {
    AppendText(bytes, DefaultsOfKeys(field, list.keys, diagnostics), field, diagnostics);
  }
  return bytes;
}

}  // namespace kube::codegen
