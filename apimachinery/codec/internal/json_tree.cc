#include "apimachinery/codec/internal/json_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/json_text.h"
#include "apimachinery/codec/internal/output_buffer.h"

namespace kube::codec::internal {
namespace {

uint32_t HexNumber(absl::string_view digits) {
  uint32_t number = 0;
  for (const char c : digits) {
    number = number * 16 + static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return number;
}

void AppendUtf8(std::string& out, uint32_t code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// What the string of `text`, valid and without its quotes, says. As Go, half a surrogate pair is
// U+FFFD.
std::string Unescape(absl::string_view text) {
  constexpr absl::string_view kShort = "b\bf\fn\nr\rt\t";
  std::string out;
  while (!text.empty()) {
    const size_t plain = std::min(text.find('\\'), text.size());
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (text[1] != 'u') {
      const size_t at = kShort.find(text[1]);
      out += at == absl::string_view::npos ? text[1] : kShort[at + 1];
      text.remove_prefix(2);
      continue;
    }
    uint32_t code = HexNumber(text.substr(2, 4));
    text.remove_prefix(6);
    const bool high = code >= 0xD800 && code < 0xDC00;
    if (high && text.substr(0, 2) == "\\u") {
      const uint32_t low = HexNumber(text.substr(2, 4));
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        text.remove_prefix(6);
      }
    }
    AppendUtf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }
  return out;
}

// Reads text that WriteCompactJson wrote.
class Reader {
 public:
  Reader(absl::string_view text, std::deque<std::string>& texts) : rest_(text), texts_(texts) {}

  bool Read(JsonNode& node, int depth) {
    const absl::string_view start = rest_;
    switch (rest_[0]) {
      case '{':
        node.type = JsonNode::Type::kObject;
        if (!ReadMembers(node, '}', depth)) return false;
        break;
      case '[':
        node.type = JsonNode::Type::kArray;
        if (!ReadMembers(node, ']', depth)) return false;
        break;
      case '"':
        node.text = ReadString();
        return true;
      default:
        rest_.remove_prefix(std::min(rest_.find_first_of(",]}"), rest_.size()));
    }
    node.text = start.substr(0, start.size() - rest_.size());
    return true;
  }

 private:
  bool ReadMembers(JsonNode& node, char close, int depth) {
    if (depth == JsonTree::kMaxDepth) return false;
    // Where a name was first: of two members with it the later counts.
    absl::flat_hash_map<absl::string_view, size_t> places;
    do {
      rest_.remove_prefix(1);
      if (rest_[0] == close) break;
      JsonNode::Member member;
      if (close == '}') {
        member.name = ReadString();
        rest_.remove_prefix(1);
      }
      if (!Read(member.value, depth + 1)) return false;
      const auto [place, is_new] = places.try_emplace(member.name, node.members.size());
      if (is_new || close == ']') {
        node.members.push_back(std::move(member));
      } else {
        node.members[place->second] = std::move(member);
      }
    } while (rest_[0] == ',');
    rest_.remove_prefix(1);
    return true;
  }

  // With its quotes, escaped as we escape.
  absl::string_view ReadString() {
    size_t end = 1;
    bool escaped = false;
    for (; rest_[end] != '"'; ++end) {
      if (rest_[end] != '\\') continue;
      escaped = true;
      ++end;
    }
    const absl::string_view text = rest_.substr(0, end + 1);
    rest_.remove_prefix(text.size());
    if (!escaped) return text;
    const std::string plain = Unescape(text.substr(1, text.size() - 2));
    OutputBuffer buffer;
    const absl::string_view written =
        buffer.Written(WriteJsonString(buffer, buffer.begin(), absl::string_view(plain)));
    return texts_.emplace_back(written.data(), written.size());
  }

  absl::string_view rest_;
  std::deque<std::string>& texts_;
};

}  // namespace

std::optional<JsonTree> JsonTree::Parse(absl::string_view json) {
  OutputBuffer buffer;
  const char* end = WriteCompactJson(buffer, buffer.begin(), json);
  if (end == nullptr) return std::nullopt;
  const absl::string_view compact = buffer.Written(end);
  JsonTree tree;
  const std::string& text = tree.texts_->emplace_back(compact.data(), compact.size());
  if (!Reader(text, *tree.texts_).Read(tree.root_, 0)) return std::nullopt;
  return tree;
}

JsonMembers MembersOf(const JsonNode& object) {
  JsonMembers members;
  members.reserve(object.members.size());
  for (const JsonNode::Member& member : object.members) members[member.name] = &member.value;
  return members;
}

bool SameJson(const JsonNode& a, const JsonNode& b) {
  if (a.text == b.text) return true;
  if (a.type != b.type || a.members.size() != b.members.size()) return false;
  if (a.type == JsonNode::Type::kScalar) return false;
  if (a.type == JsonNode::Type::kArray) {
    return std::equal(a.members.begin(), a.members.end(), b.members.begin(),
                      [](const JsonNode::Member& x, const JsonNode::Member& y) {
                        return SameJson(x.value, y.value);
                      });
  }
  const JsonMembers members = MembersOf(b);
  return std::all_of(a.members.begin(), a.members.end(), [&](const JsonNode::Member& member) {
    const auto other = members.find(member.name);
    return other != members.end() && SameJson(member.value, *other->second);
  });
}

}  // namespace kube::codec::internal
