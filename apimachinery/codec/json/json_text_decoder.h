#ifndef APIMACHINERY_CODEC_JSON_JSON_TEXT_DECODER_H_
#define APIMACHINERY_CODEC_JSON_JSON_TEXT_DECODER_H_

// Decodes what needs no field table: strings, and values of any type (Kind::kValue).

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_path.h"
#include "apimachinery/codec/json/json_decode_state.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {

// The base of JsonDecoder. Functions return the position after what they read in the padded text,
// or null after Fail.
template <typename BuilderT>
class JsonTextDecoder : public JsonDecodeState {
 public:
  JsonTextDecoder(BuilderT& builder, absl::string_view text, bool valid_utf8,
                  const DecodeContext& context)
      : JsonDecodeState(text, valid_utf8, context), builder_(builder) {}

  // Decodes the value at `p` into `to`, which has zero bits. Returns null if it is nested more than
  // `max_depth` deep.
  const char* DecodeShallowValue(char* to, const char* p, int max_depth) {
    return JsonValue(to, p, max_value_depth() - max_depth);
  }

 protected:
  using Kind = kube::table::Kind;
  using StringRep = kube::table::StringRep;
  using ValueTag = kube::table::ValueTag;

  // ---- strings

  const char* String(char* to, const char* p) {
    if (*p != '"') [[unlikely]] {
      return *p == 'n' ? Null(p) : Fail(p, "expected a string");
    }
    const StringEnd string = JsonScan::FindStringEnd(p + 1);
    if (*string.quote == '"' && !string.has_backslash && valid_utf8_) [[likely]] {
      builder_.KeepString(to, p + 1, static_cast<size_t>(string.quote - p - 1));
      return string.quote + 1;
    }
    absl::string_view text;
    p = Text(p, text);
    if (p != nullptr) builder_.CopyString(to, text.data(), text.size());
    return p;
  }

  // Sets `text` to the meaning of the string whose opening quote is at `p`: a view of the input, or
  // of a buffer that is valid until the next call.
  const char* Text(const char* p, absl::string_view& text, bool* in_input = nullptr) {
    bool has_backslash = false;
    const char* after = RawString(p, text, has_backslash);
    if (after == nullptr) return nullptr;
    const bool plain = !has_backslash && valid_utf8_;
    if (in_input != nullptr) *in_input = plain;
    if (plain) return after;
    unescaped_.clear();
    if (const char* error = AppendUnescaped(text, unescaped_)) return Fail(p, error);
    text = unescaped_;
    return after;
  }

  // Sets `text` to what stands between the quotes, without unescaping it.
  const char* RawString(const char* p, absl::string_view& text, bool& has_backslash) {
    const StringEnd string = JsonScan::FindStringEnd(p + 1);
    if (string.quote >= end_) return Fail(end_, "");
    if (*string.quote != '"') return Fail(string.quote, "control character in a string");
    text = {p + 1, static_cast<size_t>(string.quote - p - 1)};
    has_backslash = string.has_backslash;
    return string.quote + 1;
  }

  // ---- values of any type, into zero bits; `depth` is the number of open objects and arrays

  const char* JsonValue(char* to, const char* p, int depth) {
    switch (*p) {
      case '"':
        return JsonString(to, p);
      case '{':
      case '[':
        if constexpr (BuilderT::kShares) {
          builder_.EnterJsonPath(json_path_);
          if (const char* after = builder_.ShareJsonValue(*this, to, p, depth)) return after;
        }
        return *p == '{' ? JsonObject(to, p, depth) : JsonArray(to, p, depth);
      case 't':
      case 'f':
        SetValueTag(to, ValueTag::kBool);
        return Done(p, ScanBool(p, *reinterpret_cast<bool*>(to)));
      case 'n':
        return Null(p);
      default:
        return JsonNumber(to, p);
    }
  }

  // A name in the text that was not found as it is written, unescaped; a view that is valid until
  // the next call of Text.
  struct OtherName {
    absl::string_view text = {};
    bool in_input = false;
  };

  // Decodes the value at `p` into the entry `name` of a map of values of any type. For the builder,
  // it is a run of its own, as if the map occurred several times in the text. `frame` is that of
  // the struct that has the map.
  const char* OneEntry(char* map, kube::table::Type type, const OtherName& name, const char* p,
                       PathFrame& frame) {
    builder_.MakeMapMutable(map, type);
    const size_t old_size = builder_.ListSize(map);
    char* const value = name.in_input ? builder_.KeepKey(map, type, name.text)
                                      : builder_.CopyKey(map, type, name.text);
    const StringRep& key = *reinterpret_cast<const StringRep*>(value - sizeof(StringRep));
    const int depth = TextDepth();
    PathFrame* const enclosing = path_;
    PathFrame inner{enclosing, nullptr};
    inner.key = key.data();
    inner.key_size = key.size();
    path_ = &inner;
    p = JsonValue(value, p, depth);
    path_ = enclosing;
    if (p == nullptr) return nullptr;
    if (!builder_.CloseMap(map, type, old_size)) frame.has_unsorted_map = true;
    return p;
  }

  const char* Null(const char* p) {
    return std::memcmp(p, "null", 4) == 0 ? p + 4 : Fail(p, "expected a value");
  }

  const char* Done(const char* p, Scanned scanned, const char* error = nullptr) {
    if (scanned.after != nullptr) [[likely]] {
      return scanned.after;
    }
    return Fail(p, error != nullptr ? error : scanned.error);
  }

  const char* AfterColon(const char* p) {
    p = SkipSpace(p);
    return *p == ':' ? SkipSpace(p + 1) : Fail(p, "expected ':' after a name");
  }

  BuilderT& builder_;
  std::string unescaped_;

 private:
  // An empty string must be marked as present, because zero bits are null.
  const char* JsonString(char* to, const char* p) {
    const StringEnd string = JsonScan::FindStringEnd(p + 1);
    if (*string.quote == '"' && !string.has_backslash && valid_utf8_) [[likely]] {
      builder_.KeepBytes(to, p + 1, static_cast<size_t>(string.quote - p - 1));
      return string.quote + 1;
    }
    absl::string_view text;
    p = Text(p, text);
    if (p != nullptr) builder_.CopyBytes(to, text.data(), text.size());
    return p;
  }

  // As in Go, integers that do not fit into 64 bits become doubles.
  const char* JsonNumber(char* to, const char* p) {
    int64_t integer = 0;
    const Scanned scanned = ScanInt64(p, integer);
    if (scanned.after != nullptr) [[likely]] {
      kube::table::Store(to, integer);
      SetValueTag(to, ValueTag::kInt);
      return scanned.after;
    }
    double number = 0;
    p = Done(p, ScanDouble(p, number), *p == '-' || IsDigit(*p) ? nullptr : "expected a value");
    kube::table::Store(to, number);
    SetValueTag(to, ValueTag::kDouble);
    return p;
  }

  // Enters the member `key` of the object at `path`; its value comes next.
  void EnterMember(uint64_t path, const StringRep& key) {
    if constexpr (BuilderT::kShares) {
      constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
      uint64_t words[2] = {};
      std::memcpy(words, key.data(), key.size() < sizeof(words) ? key.size() : sizeof(words));
      path = (path ^ words[0]) * kOdd;
      path = (path ^ (path >> 32) ^ words[1] ^ key.size()) * kOdd;
      json_path_ = path ^ (path >> 32);
      builder_.EnterJsonPath(json_path_);
    }
  }

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  const char* JsonArray(char* to, const char* p, int depth) {
    if (depth >= max_value_depth()) return Fail(p, "nested too deeply");
    // Set first, so that after an error the value can be destroyed as a list.
    SetValueTag(to, ValueTag::kList);
    builder_.OpenList(to);
    p = SkipSpace(p + 1);
    if (*p == ']') return p + 1;
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, nullptr, nullptr, 0};
    path_ = &frame;
    for (;; ++frame.index) {
      p = JsonValue(builder_.AddElement(to, kube::table::kValueType.size), p, depth + 1);
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        continue;
      }
      if (*p != ']') return Fail(p, "expected ',' or ']' after an element");
      break;
    }
    path_ = enclosing;
    builder_.CloseList(to, kube::table::kValueType.size);
    return p + 1;
  }

  const char* JsonObject(char* to, const char* p, int depth) {
    if (depth >= max_value_depth()) return Fail(p, "nested too deeply");
    SetValueTag(to, ValueTag::kObject);
    builder_.OpenList(to);
    p = SkipSpace(p + 1);
    if (*p == '}') return p + 1;
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, nullptr};
    path_ = &frame;
    const uint64_t json_path = json_path_;
    for (;;) {
      if (*p != '"') return Fail(p, "expected a key in quotes");
      bool in_input = false;
      absl::string_view key;
      p = Text(p, key, &in_input);
      if (p == nullptr) return nullptr;
      if constexpr (BuilderT::kShares) builder_.EnterJsonPath(json_path);
      char* value = in_input ? builder_.KeepKey(to, kube::table::kValueType, key)
                             : builder_.CopyKey(to, kube::table::kValueType, key);
      p = AfterColon(p);
      if (p == nullptr) return nullptr;
      const auto& kept = *reinterpret_cast<const StringRep*>(value - sizeof(StringRep));
      frame.key = kept.data();
      frame.key_size = kept.size();
      EnterMember(json_path, kept);
      p = JsonValue(value, p, depth + 1);
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
      frame.key = nullptr;
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        continue;
      }
      if (*p != '}') return Fail(p, "expected ',' or '}' after a value");
      break;
    }
    path_ = enclosing;
    json_path_ = json_path;
    // The object was empty before, so its entries are sorted now.
    static_cast<void>(builder_.CloseMap(to, kube::table::kValueType));
    return p + 1;
  }

  // A hash of the names of the members that lead from the field to the value that is being read. A
  // sharing builder keeps its statistics by it.
  uint64_t json_path_ = 0;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_TEXT_DECODER_H_
