#ifndef APIMACHINERY_CODEC_INTERNAL_JSON_TREE_H_
#define APIMACHINERY_CODEC_INTERNAL_JSON_TREE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// A JSON value in a JsonTree: its text, and of an object or array what is in it.
struct JsonNode {
  enum class Type : uint8_t { kScalar, kObject, kArray };

  struct Member;

  Type type = Type::kScalar;
  // As it is written, compact. Of strings and names, equal ones have equal texts.
  absl::string_view text = {};
  // Of an object, in the order of the text, each name once; of an array, with names that are empty.
  std::vector<Member> members;

  bool is_null() const { return text == "null"; }
};

struct JsonNode::Member {
  // With its quotes.
  absl::string_view name = {};
  JsonNode value = {};
};

// A JSON text as nodes that refer to it. Numbers stay as they are written. Immutable.
class JsonTree {
 public:
  // How deeply values may be nested.
  static constexpr int kMaxDepth = 1000;

  // Nothing: `json` is not valid, or nested too deeply.
  static std::optional<JsonTree> Parse(absl::string_view json);

  const JsonNode& root() const { return root_; }

 private:
  JsonTree() = default;

  // What nodes refer to: the text, and strings that were written in another way.
  std::unique_ptr<std::deque<std::string>> texts_ = std::make_unique<std::deque<std::string>>();
  JsonNode root_;
};

// The members of an object by name.
using JsonMembers = absl::flat_hash_map<absl::string_view, const JsonNode*>;
JsonMembers MembersOf(const JsonNode& object);

// Whether two values are the same, in whatever order objects have their members.
bool SameJson(const JsonNode& a, const JsonNode& b);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_JSON_TREE_H_
