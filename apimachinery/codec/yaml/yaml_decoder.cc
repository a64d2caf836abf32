#include "apimachinery/codec/yaml/yaml_decoder.h"

// Turns the tree of nodes into values for JSON by a recursive walk.
//
// Aliases are expanded where they stand, so a small document may become large. As in go-yaml, each
// decoded node costs a step; a node that is reached through an alias costs an alias step too, and
// the share of alias steps is limited, to 99% in small documents and 10% in large ones. In addition
// the text that aliases repeat is limited. `followed_` has the aliases that are being expanded;
// meeting one of them again means that an anchor contains itself.
//
// The members of a map are collected in the order of the text, and a merge key (`<<`) adds the
// members of its maps at its own place. Deduplicate then sorts the members by key with a stable
// sort, so that of equal keys the last one can be kept, or, in strict mode, an error be returned.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/yaml/yaml_resolve.h"
#include "apimachinery/codec/yaml/yaml_text.h"

namespace kube::codec::internal {
namespace {

// go-yaml limits only the number of nodes, but a few nodes can be long texts.
constexpr size_t kMaxAliasBytes = size_t{64} << 20;

constexpr absl::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr absl::string_view kMergeTag = "tag:yaml.org,2002:merge";

absl::Status ErrorAt(const YamlNode& node, absl::string_view cause) {
  return YamlError(node.line, node.column, cause);
}

// Returns the share of steps that aliases may cause: 99% in small documents, 10% in large ones.
double AllowedAliasRatio(int steps) {
  constexpr int kLow = 400000;
  constexpr int kHigh = 4000000;
  if (steps <= kLow) return 0.99;
  if (steps >= kHigh) return 0.10;
  return 0.99 - 0.89 * (static_cast<double>(steps - kLow) / (kHigh - kLow));
}

bool IsMerge(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar && node.text == "<<" &&
         (node.plain || node.tag == "!" || node.tag == kMergeTag);
}

// Decodes as Go's base64.StdEncoding: skips line breaks and nothing else, and requires padding.
bool DecodeBase64(absl::string_view encoded, std::string* decoded) {
  const std::string text = absl::StrReplaceAll(encoded, {{"\r", ""}, {"\n", ""}});
  const size_t end =
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  const absl::string_view padding = absl::ClippedSubstr(text, std::min(end, text.size()));
  const bool well_formed = padding.empty() || padding == "=" || padding == "==";
  return text.size() % 4 == 0 && well_formed && absl::Base64Unescape(text, decoded);
}

// The meaning of a scalar, and its text, which for !!binary differs from the node's.
struct Scalar {
  YamlScalar meaning;
  std::string text;
};

absl::StatusOr<Scalar> ResolveNode(const YamlNode& node) {
  if (node.plain) return Scalar{ResolveYamlScalar(node.text), node.text};
  Scalar result{{.kind = YamlScalar::Kind::kString}, node.text};
  absl::string_view tag = node.tag;
  if (!absl::ConsumePrefix(&tag, kTagPrefix)) return result;
  if (tag == "binary") {
    if (!DecodeBase64(node.text, &result.text)) {
      return ErrorAt(node, "!!binary value contains invalid base64 data");
    }
    result.text = text::ReplaceInvalidUtf8(result.text);
  } else if (tag == "bool" || tag == "int" || tag == "float" || tag == "null" ||
             tag == "timestamp") {
    if (!ResolveTaggedYamlScalar(tag, node.text, result.meaning)) {
      return ErrorAt(node, absl::StrCat("cannot decode ", YamlTagOf(result.meaning.kind), " `",
                                        node.text, "` as a !!", tag));
    }
  }
  return result;
}

class Decoder {
 public:
  explicit Decoder(bool strict) : strict_(strict) {}

  absl::Status Decode(const YamlNode& node, YamlValue& value, int depth);

 private:
  absl::Status Step(const YamlNode& node);
  absl::Status DecodeScalar(const YamlNode& node, YamlValue& value);
  absl::Status DecodeList(const YamlNode& node, YamlValue& value, int depth);
  absl::Status DecodeMap(const YamlNode& node, YamlValue& value, int depth);
  absl::Status DecodeMembers(const YamlNode& node, YamlValue& map, int depth);
  absl::Status DecodeKey(const YamlNode& node, std::string& key);
  absl::Status Merge(const YamlNode& node, YamlValue& map, int depth);
  absl::Status MergeMap(const YamlNode& node, YamlValue& map, int depth);
  absl::Status Deduplicate(YamlValue& map) const;

  // Calls `decode` with the node that an alias refers to.
  template <typename F>
  absl::Status Follow(const YamlNode& alias, F decode) {
    if (!followed_.insert(&alias).second) return ErrorAt(alias, "anchor's value contains itself");
    ++alias_depth_;
    KUBE_RETURN_IF_ERROR(decode(*alias.target));
    --alias_depth_;
    followed_.erase(&alias);
    return absl::OkStatus();
  }

  const bool strict_;
  // go-yaml's decodeCount and aliasCount; the document itself costs one step.
  int steps_ = 1;
  int alias_steps_ = 0;
  int alias_depth_ = 0;
  // The number of bytes of text that aliases have repeated.
  size_t alias_bytes_ = 0;
  std::set<const YamlNode*> followed_;
};

// Counts a node, each time that it is decoded.
absl::Status Decoder::Step(const YamlNode& node) {
  ++steps_;
  if (alias_depth_ > 0) {
    ++alias_steps_;
    alias_bytes_ += node.text.size();
  }
  if (alias_bytes_ > kMaxAliasBytes) {
    return ErrorAt(node, "document contains excessive aliasing");
  }
  if (alias_steps_ > 100 && steps_ > 1000 &&
      static_cast<double>(alias_steps_) / steps_ > AllowedAliasRatio(steps_)) {
    return ErrorAt(node, "document contains excessive aliasing");
  }
  return absl::OkStatus();
}

absl::Status Decoder::Decode(const YamlNode& node, YamlValue& value, int depth) {
  KUBE_RETURN_IF_ERROR(Step(node));
  value.node = &node;
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return DecodeScalar(node, value);
    case YamlNode::Kind::kList:
      return DecodeList(node, value, depth + 1);
    case YamlNode::Kind::kMap:
      return DecodeMap(node, value, depth + 1);
    case YamlNode::Kind::kAlias:
      break;
  }
  return Follow(node, [&](const YamlNode& target) { return Decode(target, value, depth); });
}

absl::Status Decoder::DecodeScalar(const YamlNode& node, YamlValue& value) {
  KUBE_ASSIGN_OR_RETURN(Scalar scalar, ResolveNode(node));
  const YamlScalar& meaning = scalar.meaning;
  switch (meaning.kind) {
    case YamlScalar::Kind::kNull:
      value.text = "null";
      break;
    case YamlScalar::Kind::kBool:
      value.text = meaning.boolean ? "true" : "false";
      break;
    case YamlScalar::Kind::kInt:
      value.text = absl::StrCat(meaning.integer);
      break;
    case YamlScalar::Kind::kUint:
      value.text = absl::StrCat(meaning.unsigned_integer);
      break;
    case YamlScalar::Kind::kFloat:
      if (!std::isfinite(meaning.real)) {
        return ErrorAt(node, absl::StrCat("unsupported value for JSON: ", node.text));
      }
      value.text = text::FormatJson(meaning.real);
      break;
    case YamlScalar::Kind::kTimestamp:
    case YamlScalar::Kind::kString:
      value.kind = YamlValue::Kind::kString;
      value.text = std::move(scalar.text);
      break;
  }
  return absl::OkStatus();
}

absl::Status Decoder::DecodeList(const YamlNode& node, YamlValue& value, int depth) {
  if (depth > kMaxYamlDepth) return ErrorAt(node, "nested too deep");
  value.kind = YamlValue::Kind::kList;
  value.children.reserve(node.children.size());
  for (const YamlNode* item : node.children) {
    KUBE_RETURN_IF_ERROR(Decode(*item, value.children.emplace_back(), depth));
  }
  return absl::OkStatus();
}

absl::Status Decoder::DecodeMap(const YamlNode& node, YamlValue& value, int depth) {
  if (depth > kMaxYamlDepth) return ErrorAt(node, "nested too deep");
  value.kind = YamlValue::Kind::kMap;
  value.children.reserve(node.children.size() / 2);
  KUBE_RETURN_IF_ERROR(DecodeMembers(node, value, depth));
  return Deduplicate(value);
}

absl::Status Decoder::DecodeMembers(const YamlNode& node, YamlValue& map, int depth) {
  for (size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const YamlNode& key = *node.children[i];
    const YamlNode& value = *node.children[i + 1];
    if (IsMerge(key)) {
      KUBE_RETURN_IF_ERROR(Merge(value, map, depth));
      continue;
    }
    YamlValue& member = map.children.emplace_back();
    member.key_node = &key;
    KUBE_RETURN_IF_ERROR(DecodeKey(key, member.key));
    KUBE_RETURN_IF_ERROR(Decode(value, member, depth));
  }
  return absl::OkStatus();
}

absl::Status Decoder::DecodeKey(const YamlNode& node, std::string& key) {
  KUBE_RETURN_IF_ERROR(Step(node));
  if (node.kind == YamlNode::Kind::kAlias) {
    return Follow(node, [&](const YamlNode& target) { return DecodeKey(target, key); });
  }
  if (node.kind != YamlNode::Kind::kScalar) {
    return ErrorAt(node, "a map or a list is not supported as a key");
  }
  KUBE_ASSIGN_OR_RETURN(Scalar scalar, ResolveNode(node));
  switch (scalar.meaning.kind) {
    case YamlScalar::Kind::kNull:
      return ErrorAt(node, "null is not supported as a key");
    case YamlScalar::Kind::kUint:
      return ErrorAt(node, "a number out of range of int64 is not supported as a key");
    case YamlScalar::Kind::kBool:
      key = scalar.meaning.boolean ? "true" : "false";
      break;
    case YamlScalar::Kind::kInt:
      key = absl::StrCat(scalar.meaning.integer);
      break;
    case YamlScalar::Kind::kFloat:
      key = FormatYamlFloatKey(scalar.meaning.real);
      break;
    case YamlScalar::Kind::kTimestamp:
    case YamlScalar::Kind::kString:
      key = std::move(scalar.text);
      break;
  }
  return absl::OkStatus();
}

absl::Status Decoder::Merge(const YamlNode& node, YamlValue& map, int depth) {
  if (node.kind != YamlNode::Kind::kList) return MergeMap(node, map, depth);
  // In reverse order, because earlier maps take precedence.
  for (auto item = node.children.rbegin(); item != node.children.rend(); ++item) {
    KUBE_RETURN_IF_ERROR(MergeMap(**item, map, depth));
  }
  return absl::OkStatus();
}

absl::Status Decoder::MergeMap(const YamlNode& node, YamlValue& map, int depth) {
  const bool is_alias = node.kind == YamlNode::Kind::kAlias;
  if ((is_alias ? *node.target : node).kind != YamlNode::Kind::kMap) {
    return ErrorAt(node, "map merge requires map or sequence of maps as the value");
  }
  if (depth > kMaxYamlDepth) return ErrorAt(node, "nested too deep");
  KUBE_RETURN_IF_ERROR(Step(node));
  if (!is_alias) return DecodeMembers(node, map, depth + 1);
  return Follow(node, [&](const YamlNode& target) {
    KUBE_RETURN_IF_ERROR(Step(target));
    return DecodeMembers(target, map, depth + 1);
  });
}

absl::Status Decoder::Deduplicate(YamlValue& map) const {
  std::vector<YamlValue>& members = map.children;
  std::stable_sort(members.begin(), members.end(),
                   [](const YamlValue& a, const YamlValue& b) { return a.key < b.key; });
  const auto same = [](const YamlValue& a, const YamlValue& b) { return a.key == b.key; };
  auto found = std::adjacent_find(members.begin(), members.end(), same);
  if (found == members.end()) return absl::OkStatus();
  if (strict_) {
    return ErrorAt(
        *std::next(found)->key_node,
        absl::StrCat("key \"", absl::Utf8SafeCEscape(found->key), "\" already set in map"));
  }
  // std::unique keeps the first of equal elements, so it runs backwards to keep the last.
  members.erase(members.begin(), std::unique(members.rbegin(), members.rend(), same).base());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<YamlValue> DecodeYaml(const YamlTree& tree, bool strict) {
  YamlValue value;
  if (tree.root == nullptr) return value;
  Decoder decoder(strict);
  KUBE_RETURN_IF_ERROR(decoder.Decode(*tree.root, value, 0));
  return value;
}

}  // namespace kube::codec::internal
