#include "apimachinery/codec/merge_patch.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/internal/json_tree.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec {
namespace {

using internal::JsonMembers;
using internal::JsonNode;
using internal::JsonTree;
using internal::MembersOf;
using internal::SameJson;

bool IsObject(const JsonNode& node) { return node.type == JsonNode::Type::kObject; }

// Writes members with commas between them.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }

  // What follows is the value of `name`.
  void Name(absl::string_view name) {
    absl::StrAppend(&out_, empty_ ? "" : ",", name, ":");
    empty_ = false;
  }
  void Close() { out_ += '}'; }

 private:
  std::string& out_;
  bool empty_ = true;
};

// Appends the patch from one object to another.
void AppendDifference(std::string& out, const JsonNode& from, const JsonNode& to) {
  const JsonMembers old = MembersOf(from);
  const JsonMembers kept = MembersOf(to);
  ObjectWriter writer(out);
  for (const JsonNode::Member& member : to.members) {
    const auto before = old.find(member.name);
    if (before != old.end() && SameJson(*before->second, member.value)) continue;
    writer.Name(member.name);
    if (before != old.end() && IsObject(*before->second) && IsObject(member.value)) {
      AppendDifference(out, *before->second, member.value);
    } else {
      absl::StrAppend(&out, member.value.text);
    }
  }
  for (const JsonNode::Member& member : from.members) {
    if (kept.contains(member.name)) continue;
    writer.Name(member.name);
    out += "null";
  }
  writer.Close();
}

// Appends a value of a patch that takes a place where no object is: without the nulls that objects
// in it have.
void AppendPruned(std::string& out, const JsonNode& node) {
  if (node.type == JsonNode::Type::kScalar) {
    absl::StrAppend(&out, node.text);
    return;
  }
  if (IsObject(node)) {
    ObjectWriter writer(out);
    for (const JsonNode::Member& member : node.members) {
      if (member.value.is_null()) continue;
      writer.Name(member.name);
      AppendPruned(out, member.value);
    }
    writer.Close();
    return;
  }
  out += '[';
  for (const JsonNode::Member& member : node.members) {
    if (&member != &node.members.front()) out += ',';
    AppendPruned(out, member.value);
  }
  out += ']';
}

void AppendMerged(std::string& out, const JsonNode& object, const JsonNode& patch) {
  const JsonMembers changes = MembersOf(patch);
  const JsonMembers old = MembersOf(object);
  ObjectWriter writer(out);
  for (const JsonNode::Member& member : object.members) {
    const auto change = changes.find(member.name);
    if (change != changes.end() && change->second->is_null()) continue;
    writer.Name(member.name);
    if (change == changes.end()) {
      absl::StrAppend(&out, member.value.text);
    } else if (!IsObject(member.value)) {
      AppendPruned(out, *change->second);
    } else if (IsObject(*change->second)) {
      AppendMerged(out, member.value, *change->second);
    } else {
      absl::StrAppend(&out, change->second->text);
    }
  }
  for (const JsonNode::Member& member : patch.members) {
    if (member.value.is_null() || old.contains(member.name)) continue;
    writer.Name(member.name);
    AppendPruned(out, member.value);
  }
  writer.Close();
}

absl::StatusOr<JsonTree> ParseObject(absl::string_view json, absl::string_view what) {
  std::optional<JsonTree> tree = JsonTree::Parse(json);
  if (tree.has_value() && IsObject(tree->root())) return *std::move(tree);
  return absl::InvalidArgumentError(
      absl::StrCat("read ", what, ": ",
                   tree.has_value() ? "it is not an object" : "it is not valid JSON, or too deep"));
}

}  // namespace

absl::StatusOr<std::string> MakeJsonMergePatch(absl::string_view from, absl::string_view to) {
  KUBE_ASSIGN_OR_RETURN(const JsonTree old, ParseObject(from, "original"));
  KUBE_ASSIGN_OR_RETURN(const JsonTree changed, ParseObject(to, "changed object"));
  std::string patch;
  AppendDifference(patch, old.root(), changed.root());
  return patch;
}

absl::StatusOr<std::string> ApplyJsonMergePatch(absl::string_view json, absl::string_view patch) {
  KUBE_ASSIGN_OR_RETURN(const JsonTree object, ParseObject(json, "object"));
  KUBE_ASSIGN_OR_RETURN(const JsonTree change, ParseObject(patch, "merge patch"));
  std::string merged;
  AppendMerged(merged, object.root(), change.root());
  return merged;
}

namespace internal {

absl::StatusOr<std::string> MakeMergePatch(const void* from, const void* to,
                                           const kube::internal::Message& message) {
  std::string old;
  KUBE_RETURN_IF_ERROR(AppendJson(old, from, message));
  std::string changed;
  KUBE_RETURN_IF_ERROR(AppendJson(changed, to, message));
  return MakeJsonMergePatch(old, changed);
}

absl::Status ApplyMergePatch(void* to, const void* object, const kube::internal::Message& message,
                             absl::string_view patch, const DecodeOptions& options) {
  std::string json;
  KUBE_RETURN_IF_ERROR(AppendJson(json, object, message));
  KUBE_ASSIGN_OR_RETURN(const std::string merged, ApplyJsonMergePatch(json, patch));
  const PaddedBuffer buffer(merged);
  return DecodeInto(static_cast<char*>(to), message, Encoding::kJson, buffer.view(), options);
}

}  // namespace internal
}  // namespace kube::codec
