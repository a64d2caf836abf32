#include "apimachinery/unstructured/cbor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/internal/cbor_decoder.h"

namespace kube::unstructured {
namespace {

// Major types, and the heads of simple values and floating-point numbers.
constexpr uint8_t kUnsigned = 0;
constexpr uint8_t kNegative = 1;
constexpr uint8_t kBytes = 2;
constexpr uint8_t kArray = 4;
constexpr uint8_t kMap = 5;
constexpr char kFalse = '\xf4';
constexpr char kTrue = '\xf5';
constexpr char kNull = '\xf6';
constexpr char kHalf = '\xf9';
constexpr char kFloat = '\xfa';
constexpr char kDouble = '\xfb';

// Returns the half-precision number that is exactly `number`, if there is one.
std::optional<uint16_t> ToHalf(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t fraction = bits & 0x7f'ffff;
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
  if ((bits & 0x7fff'ffff) == 0) return static_cast<uint16_t>(sign);
  if (exponent < -24 || exponent > 15) return std::nullopt;
  if (exponent >= -14) {
    if ((fraction & 0x1fff) != 0) return std::nullopt;
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent + 15) << 10 |
                                 fraction >> 13);
  }
  // A subnormal number.
  const uint32_t whole = fraction | 0x80'0000;
  const int shift = -1 - exponent;
  if ((whole & ((uint32_t{1} << shift) - 1)) != 0) return std::nullopt;
  return static_cast<uint16_t>(sign | whole >> shift);
}

// Writes values without recursion, since they may be nested deeply: an open list or object is a
// frame, which gives the value that is written next.
class CborEncoder {
 public:
  explicit CborEncoder(const EncodeCborOptions& options) {
    if (options.self_described) out_.append(kCborPrefix.data(), kCborPrefix.size());
  }

  absl::StatusOr<std::string> Encode(const Value& value) && {
    KUBE_RETURN_IF_ERROR(Write(value));
    return std::move(*this).Finish();
  }

  absl::StatusOr<std::string> Encode(const Map<Value>& object) && {
    Open(object);
    return std::move(*this).Finish();
  }

 private:
  // A list, or the members of an object in their order.
  struct Frame {
    const List<Value>* list = nullptr;
    std::vector<const Map<Value>::Entry*> members;
    size_t next = 0;
  };

  absl::StatusOr<std::string> Finish() && {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next == (frame.list != nullptr ? frame.list->size() : frame.members.size())) {
        frames_.pop_back();
        continue;
      }
      const size_t i = frame.next++;
      if (frame.list != nullptr) {
        KUBE_RETURN_IF_ERROR(Write((*frame.list)[i]));
      } else {
        const Map<Value>::Entry* member = frame.members[i];
        WriteString(member->key.view());
        KUBE_RETURN_IF_ERROR(Write(member->value));
      }
    }
    return std::move(out_);
  }

  absl::Status Write(const Value& value) {
    switch (value.type()) {
      case ValueType::kNull:
        out_ += kNull;
        return absl::OkStatus();
      case ValueType::kBool:
        out_ += *value.boolean() ? kTrue : kFalse;
        return absl::OkStatus();
      case ValueType::kInt:
        WriteInt(*value.integer());
        return absl::OkStatus();
      case ValueType::kDouble:
        return WriteDouble(*value.number());
      case ValueType::kString:
        WriteString(*value.text());
        return absl::OkStatus();
      case ValueType::kList:
        WriteHead(kArray, value.list()->size());
        frames_.push_back({.list = value.list(), .members = {}, .next = 0});
        return absl::OkStatus();
      case ValueType::kObject:
        Open(*value.object());
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  // The order of keys is that of their encoding, which begins with the length.
  void Open(const Map<Value>& object) {
    WriteHead(kMap, object.size());
    Frame& frame = frames_.emplace_back();
    frame.members.reserve(object.size());
    for (const auto& member : object) frame.members.push_back(&member);
    std::stable_sort(frame.members.begin(), frame.members.end(), [](const auto* a, const auto* b) {
      return a->key.view().size() < b->key.view().size();
    });
  }

  void WriteHead(uint8_t major, uint64_t value) {
    const auto type = static_cast<uint8_t>(major << 5);
    if (value < 24) {
      out_ += static_cast<char>(type | value);
      return;
    }
    const int power = value <= 0xff ? 0 : value <= 0xffff ? 1 : value <= 0xffff'ffff ? 2 : 3;
    out_ += static_cast<char>(type | (24 + power));
    WriteBits(value, 1 << power);
  }

  void WriteBits(uint64_t bits, int size) {
    for (int i = size - 1; i >= 0; --i) out_ += static_cast<char>(bits >> (8 * i) & 0xff);
  }

  void WriteInt(int64_t number) {
    if (number >= 0) {
      WriteHead(kUnsigned, static_cast<uint64_t>(number));
    } else {
      WriteHead(kNegative, ~static_cast<uint64_t>(number));
    }
  }

  absl::Status WriteDouble(double number) {
    if (!std::isfinite(number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("encode CBOR: floating-point ", std::isnan(number) ? "NaN" : "infinity"));
    }
    const bool is_small = std::abs(number) <= std::numeric_limits<float>::max();
    const float narrow = is_small ? static_cast<float>(number) : 0;
    if (!is_small || static_cast<double>(narrow) != number) {
      out_ += kDouble;
      WriteBits(std::bit_cast<uint64_t>(number), 8);
    } else if (const std::optional<uint16_t> half = ToHalf(narrow)) {
      out_ += kHalf;
      WriteBits(*half, 2);
    } else {
      out_ += kFloat;
      WriteBits(std::bit_cast<uint32_t>(narrow), 4);
    }
    return absl::OkStatus();
  }

  void WriteString(absl::string_view text) {
    WriteHead(kBytes, text.size());
    out_.append(text.data(), text.size());
  }

  std::string out_;
  std::vector<Frame> frames_;
};

}  // namespace

bool IsCbor(absl::string_view data) { return absl::StartsWith(data, kCborPrefix); }

absl::StatusOr<Value> ParseCbor(absl::string_view cbor) {
  return internal::CborDecoder(cbor).Decode();
}

absl::StatusOr<std::string> EncodeCbor(const Value& value, const EncodeCborOptions& options) {
  return CborEncoder(options).Encode(value);
}

absl::StatusOr<std::string> EncodeCbor(const Map<Value>& object, const EncodeCborOptions& options) {
  return CborEncoder(options).Encode(object);
}

}  // namespace kube::unstructured
