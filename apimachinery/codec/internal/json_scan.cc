#include "apimachinery/codec/internal/json_scan.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "apimachinery/codec/internal/json_leaf.h"

namespace kube::codec::internal {
namespace {

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// After a backslash.
bool IsEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    default:
      return false;
  }
}

class Skipper {
 public:
  Skipper(const char* end, int max_depth, const char** error)
      : end_(end),
        max_depth_(max_depth < kMaxJsonDepth ? max_depth : kMaxJsonDepth),
        error_(error) {}

  const char* Skip(const char* p) {
    for (;;) {
      // At a value.
      p = Open(p);
      if (p == nullptr) return nullptr;
      if (opened_) continue;
      // After a value.
      do {
        if (depth_ == 0) return p;
        p = Close(SkipSpace(p));
        if (p == nullptr) return nullptr;
      } while (closed_);
    }
  }

 private:
  // A scalar, an empty object or array: after it. The start of others: at their first value.
  const char* Open(const char* p) {
    opened_ = false;
    switch (*p) {
      case '"':
        return String(p);
      case 't':
        return Literal(p, "true", 4);
      case 'f':
        return Literal(p, "false", 5);
      case 'n':
        return Literal(p, "null", 4);
      case '{':
      case '[':
        return OpenNested(p);
      default: {
        const char* after = ScanNumber(p).after;
        return after != nullptr ? after : Fail(p);
      }
    }
  }

  const char* OpenNested(const char* p) {
    const bool object = *p == '{';
    const char* start = p;
    p = SkipSpace(p + 1);
    // "[]" is one level deep, as in Go.
    if (depth_ >= max_depth_) return Fail(start);
    if (*p == (object ? '}' : ']')) return p + 1;
    const uint64_t bit = uint64_t{1} << (depth_ % 64);
    uint64_t& word = is_object_[depth_ / 64];
    word = object ? word | bit : word & ~bit;
    ++depth_;
    opened_ = true;
    return object ? Name(p) : p;
  }

  // At a comma: after it, at the next value. At a bracket that fits: after it, with closed_.
  const char* Close(const char* p) {
    closed_ = false;
    const int innermost = depth_ - 1;
    const bool object = (is_object_[innermost / 64] >> (innermost % 64) & 1) != 0;
    if (*p == ',') {
      p = SkipSpace(p + 1);
      return object ? Name(p) : p;
    }
    if (*p != (object ? '}' : ']')) return Fail(p);
    --depth_;
    closed_ = true;
    return p + 1;
  }

  const char* Name(const char* p) {
    if (*p != '"') return Fail(p);
    p = String(p);
    if (p == nullptr) return nullptr;
    p = SkipSpace(p);
    return *p == ':' ? SkipSpace(p + 1) : Fail(p);
  }

  const char* String(const char* p) {
    ++p;
    for (;;) {
      p = JsonScan::FindSpecial(p);
      if (p >= end_) return Fail(end_);
      if (*p == '"') return p + 1;
      if (*p != '\\') return Fail(p);
      p = Escape(p);
      if (p == nullptr) return nullptr;
    }
  }

  const char* Escape(const char* p) {
    if (p[1] != 'u') return IsEscape(p[1]) ? p + 2 : Fail(p + 1 < end_ ? p : end_);
    for (int i = 2; i < 6; ++i) {
      if (!IsHexDigit(p[i])) return Fail(p + i < end_ ? p : end_);
    }
    return p + 6;
  }

  const char* Literal(const char* p, const char* text, size_t size) {
    return std::memcmp(p, text, size) == 0 ? p + size : Fail(p);
  }

  const char* Fail(const char* p) {
    *error_ = p;
    return nullptr;
  }

  const char* const end_;
  const int max_depth_;
  const char** const error_;
  int depth_ = 0;
  bool opened_ = false;
  bool closed_ = false;
  uint64_t is_object_[kMaxJsonDepth / 64 + 1];  // a bit for each that is open; others say nothing
};

}  // namespace

const char* SkipValue(const char* p, const char* end, int max_depth, const char** error) {
  return Skipper(end, max_depth, error).Skip(p);
}

}  // namespace kube::codec::internal
