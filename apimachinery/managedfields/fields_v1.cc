#include "apimachinery/managedfields/fields_v1.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/json_iterator.h"
#include "apimachinery/managedfields/path_element.h"

namespace kube::managedfields {
namespace {

using codec::internal::Scanned;
using codec::internal::SkipSpace;
using internal::kMaxDepth;
using Node = FieldSet::Node;

// `is_member` says whether the node whose children `set` are is a member.
void AppendSet(std::string& out, const FieldSet& set, bool is_member) {
  bool is_first = true;
  out += '{';
  if (is_member && !set.empty()) {
    out += R"(".":{})";
    is_first = false;
  }
  for (const Node& node : set.nodes()) {
    out += std::exchange(is_first, false) ? "\"" : ",\"";
    if (node.element.type() == PathElement::Type::kField) {
      out += "f:";
      internal::AppendFieldText(out, node.element.field_name());
    } else {
      internal::AppendFieldText(out, node.element.Serialize());
    }
    out += "\":";
    AppendSet(out, node.children, node.is_member);
  }
  out += '}';
}

// Sorts nodes and unites those of one element: it is a member if one of them is, and has the
// children of the last one that has any, as upstream.
void SortNodes(std::vector<Node>& nodes) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node& a, const Node& b) { return a.element < b.element; });
  size_t last = 0;
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[last].element < nodes[i].element) {
      if (++last != i) nodes[last] = std::move(nodes[i]);
      continue;
    }
    if (nodes[i].is_member) nodes[last].is_member = true;
    if (!nodes[i].children.empty()) nodes[last].children = std::move(nodes[i].children);
  }
  nodes.resize(last + 1);
}

// Reads a set in one pass. Functions take the position of what they read, and return the position
// after it, or null after Fail.
class SetReader {
 public:
  explicit SetReader(const codec::PaddedBuffer& json)
      : begin_(json.data()), end_(json.data() + json.size()), reader_(end_) {}

  absl::StatusOr<FieldSet> Read() {
    Children root;
    // Whatever follows the set is ignored, as upstream.
    if (ReadSet(SkipSpace(begin_), 1, root) == nullptr) return error_;
    return TakeSet(root);
  }

 private:
  // What an object of the JSON says of its node.
  struct Children {
    std::vector<Node> nodes;
    bool are_sorted = true;
    bool is_member = false;  // the node itself
  };

  static FieldSet TakeSet(Children& children) {
    // Adding each node at its place instead would take quadratic time.
    if (!children.are_sorted) SortNodes(children.nodes);
    return FieldSet::FromSorted(std::move(children.nodes));
  }

  // Reads the object at `p`; `depth` is the number of open objects with it.
  const char* ReadSet(const char* p, int depth, Children& children) {
    if (depth > kMaxDepth) return Fail(p, "exceeded max depth");
    if (*p == 'n') {
      children.is_member = true;
      return std::memcmp(p, "null", 4) == 0 ? p + 4 : Fail(p, "expected null");
    }
    if (*p != '{') return Fail(p, "expected { or null");
    p = SkipSpace(p + 1);
    for (bool is_first = true; *p != '}' || !is_first; p = SkipSpace(p + 1), is_first = false) {
      p = ReadMember(p, depth, children);
      if (p == nullptr) return nullptr;
      p = SkipSpace(p);
      if (*p == '}') break;
      if (*p != ',') return Fail(p, "expected , or } after a member");
    }
    if (children.nodes.empty()) children.is_member = true;
    return p + 1;
  }

  const char* ReadMember(const char* p, int depth, Children& children) {
    absl::string_view key;
    const Scanned scanned = reader_.ReadString(p, key);
    if (scanned.after == nullptr) return Fail(p, scanned.error);
    const char* value = SkipSpace(scanned.after);
    if (*value != ':') return Fail(value, "expected : after a key");
    value = SkipSpace(value + 1);
    if (key == ".") {
      children.is_member = true;
      return Skip(value, depth);
    }
    absl::StatusOr<PathElement> element = PathElement::Parse(key);
    if (absl::IsNotFound(element.status())) return Skip(value, depth);
    if (!element.ok()) {
      return Fail(p, absl::StrCat("parsing key as path element: ", element.status().message()));
    }
    return ReadNode(value, depth, *std::move(element), children);
  }

  const char* ReadNode(const char* p, int depth, PathElement element, Children& siblings) {
    Children children;
    p = ReadSet(p, depth + 1, children);
    if (p == nullptr) return nullptr;
    std::vector<Node>& nodes = siblings.nodes;
    if (nodes.empty()) {
      nodes.reserve(4);
    } else if (!(nodes.back().element < element)) {
      siblings.are_sorted = false;
    }
    nodes.push_back(Node{std::move(element), children.is_member, TakeSet(children)});
    return p;
  }

  // Skips any value in an object that is `depth` deep.
  const char* Skip(const char* p, int depth) {
    if (p[0] == '{' && p[1] == '}') return p + 2;
    const char* error = nullptr;
    const char* after = codec::internal::SkipValue(p, end_, kMaxDepth - depth, &error);
    return after != nullptr ? after : Fail(error, "expected a value");
  }

  const char* Fail(const char* p, absl::string_view cause) {
    error_ = absl::InvalidArgumentError(absl::StrCat(cause, ", error found at byte ", p - begin_));
    return nullptr;
  }

  const char* const begin_;
  const char* const end_;
  internal::JsonReader reader_;
  absl::Status error_;
};

}  // namespace

std::string EncodeFieldsV1(const FieldSet& set) {
  std::string out;
  AppendSet(out, set, /*is_member=*/false);
  return out;
}

absl::StatusOr<FieldSet> DecodeFieldsV1(absl::string_view json) {
  const codec::PaddedBuffer padded(json);
  return SetReader(padded).Read();
}

}  // namespace kube::managedfields
