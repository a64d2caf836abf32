#include "apimachinery/codec/testing/random_value.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "tests/dice.h"

namespace kube::codec::internal {
namespace {

using kube::table::JsonForm;
using kube::table::SetValueTag;
using kube::table::Store;
using kube::table::ValueTag;
using kube::table::ValueType;

constexpr absl::string_view kPieces[] = {"a",
                                         "b",
                                         "-",
                                         "/",
                                         "<",
                                         ">",
                                         "&",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "\x7f",
                                         "\x01",
                                         "\u00e9",
                                         "\u2028",
                                         "\u20ac",
                                         "\U0001f600",
                                         "0123456789abcdef",
                                         "kubernetes.io/",
                                         " ",
                                         "null",
                                         "'",
                                         ":",
                                         "{}"};
constexpr absl::string_view kQuantities[] = {"0",        "1",   "-1",    "100m", "1500m",
                                             "1024Mi",   "1Gi", "0.5",   "1e3",  "12E",
                                             "1000000n", "+2",  "1.5Gi", "3000k"};
constexpr absl::string_view kRawJson[] = {
    "{}",
    "[]",
    "\"x\"",
    "true",
    "0",
    "-1.5e3",
    "12345678901234567890",
    "{\"a\":{\"b\":[1,\"\\u003c\"]}}",
    "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:app\":{}}}}"};
constexpr int64_t kIntegers[] = {0,
                                 1,
                                 -1,
                                 127,
                                 128,
                                 300,
                                 16384,
                                 std::numeric_limits<int32_t>::max(),
                                 std::numeric_limits<int32_t>::min(),
                                 std::numeric_limits<int64_t>::max(),
                                 std::numeric_limits<int64_t>::min(),
                                 int64_t{1} << 53};
constexpr double kDoubles[] = {0.0,
                               -0.0,
                               1,
                               -1,
                               0.1,
                               1e21,
                               123456789012345680000.0,
                               1e-7,
                               5e-324,
                               std::numeric_limits<double>::max()};
// The last second of year 9999: times of years 1 to 9999 have a text that can be parsed again.
constexpr int64_t kLastSecond = 315'537'897'599;

class Filler {
 public:
  Filler(oracle::Dice& dice, const RandomValueOptions& options) : dice_(dice), options_(options) {}

  void FillMessage(char* to, const Message& message, int depth) {
    if (message.json_form != JsonForm::kObject) return FillForm(to, message, depth);
    for (uint16_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      if (options_.survives && (field.flags & kube::table::kNoJson) != 0) continue;
      FillField(to + field.offset, ValueType(message, field), field.shape, depth);
    }
  }

 private:
  size_t Below(size_t limit) { return dice_() % limit; }
  bool Chance(size_t percent) { return Below(100) < percent; }

  template <typename T, size_t kSize>
  const T& Pick(const T (&values)[kSize]) {
    return values[Below(kSize)];
  }

  void FillField(char* to, Type type, Shape shape, int depth) {
    switch (shape) {
      case Shape::kValue:
        return FillValue(to, type, depth);
      case Shape::kOpt:
        if (Chance(50)) return;
        to[type.size] = 1;
        FillValue(to, type, depth);
        if (options_.survives && MayBeLost(to, type)) to[type.size] = 0;
        return;
      case Shape::kBox: {
        if (depth >= options_.max_depth || Chance(50)) return;
        char* value = kube::table::Allocate(type.size);
        std::memset(value, 0, type.size);
        Store(to, BoxRep::Owned(value));
        FillValue(value, type, depth);
        if (!options_.survives || !MayBeLost(value, type)) return;
        kube::table::DestroyBox(Load<BoxRep>(to), type);
        return Store(to, BoxRep());
      }
      case Shape::kList:
        return FillList(to, type, depth);
      case Shape::kMap:
        return FillMap(to, type, depth);
    }
  }

  // Returns whether the value is null in JSON, or is omitted by omitzero even if a pointer to it is
  // not null.
  static bool MayBeLost(const char* value, Type type) {
    std::string json;
    return (type.kind == Kind::kQuantity && IsZero(value, type.kind, type.message)) ||
           (AppendJsonValue(json, value, type).ok() && json == "null");
  }

  size_t RandomSize(Type type, int depth) {
    if (type.kind == Kind::kMessage && depth >= options_.max_depth) return 0;
    return Chance(5) ? Below(20) : Below(4);
  }

  void FillList(char* to, Type type, int depth) {
    if (Chance(30)) return;
    const size_t size = RandomSize(type, depth);
    ListBlock* block = kube::table::EmptyListBlock();
    if (size != 0) block = kube::table::GrowList(nullptr, size, type);
    for (size_t i = 0; i < size; ++i) {
      char* element = block->elements() + i * type.size;
      std::memset(element, 0, type.size);
      FillValue(element, type, depth);
      ++block->size;
    }
    Store(to, block);
  }

  void FillMap(char* to, Type type, int depth) {
    if (Chance(30)) return;
    ListBlock* block = kube::table::EmptyListBlock();
    for (size_t i = RandomSize(type, depth); i-- > 0;) {
      const std::string key = RandomText();
      if (kube::table::FindInMap(block, type, key) != nullptr) continue;
      char* value = kube::table::FindOrInsertInMap(block, type, key);
      FillValue(value, type, depth);
      if (options_.survives && MayBeLost(value, type)) {
        kube::table::EraseFromMap(block, type, key);
      }
    }
    Store(to, block);
  }

  void StoreText(char* to, absl::string_view text) {
    Store(to, StringRep::Copy(text.data(), text.size()));
  }

  std::string RandomText() {
    std::string text;
    if (Chance(20)) return std::string(13 + Below(5), 'x');
    for (size_t i = Below(6); i-- > 0;) {
      const absl::string_view piece = Pick(kPieces);
      text.append(piece.data(), piece.size());
    }
    return text;
  }

  void FillValue(char* to, Type type, int depth) {
    switch (type.kind) {
      case Kind::kString:
        return StoreText(to, RandomText());
      case Kind::kBytes:
        if (Chance(20)) return;
        return Chance(20) ? Store(to, StringRep::PresentEmpty()) : StoreText(to, RandomText());
      case Kind::kQuantity:
        return StoreText(to, Chance(20) ? "" : Pick(kQuantities));
      case Kind::kRawExtension:
      case Kind::kRawJson:
        if (!Chance(20)) StoreText(to, Pick(kRawJson));
        return;
      case Kind::kFieldsV1:
        if (!Chance(20))
          StoreText(to, Chance(50) ? kRawJson[0] : kRawJson[std::size(kRawJson) - 1]);
        return;
      case Kind::kBool:
        *to = static_cast<char>(Below(2));
        return;
      case Kind::kInt32:
        return Store(to, static_cast<int32_t>(Pick(kIntegers)));
      case Kind::kInt64:
      case Kind::kDuration:
        return Store(to, Pick(kIntegers));
      case Kind::kDouble:
        return Store(to, Pick(kDoubles));
      case Kind::kTime:
        return Store(to, Chance(20) ? int64_t{0} : RandomSeconds());
      case Kind::kMicroTime:
        if (Chance(20)) return;
        return Store(to, MicroTimeBits{RandomSeconds(), static_cast<int32_t>(Below(1'000'000)), 0});
      case Kind::kIntOrString:
        return FillIntOrString(to);
      case Kind::kStringList:
        return FillList(to, kube::table::kStringType, depth);
      case Kind::kMessage:
        return FillMessage(to, *type.message, depth + 1);
      case Kind::kValue:
        return FillJsonValue(to, depth + 1);
    }
  }

  // Doubles among them have a fraction or an exponent in JSON, or are too large for an int64,
  // because others would be read as integers.
  void FillJsonValue(char* to, int depth) {
    switch (Below(depth < options_.max_depth ? 7 : 5)) {
      case 0:
        return;
      case 1:
        to[0] = static_cast<char>(Below(2));
        return SetValueTag(to, ValueTag::kBool);
      case 2:
        Store(to, Pick(kIntegers));
        return SetValueTag(to, ValueTag::kInt);
      case 3:
        Store(to, kDoubles[4 + Below(std::size(kDoubles) - 4)]);
        return SetValueTag(to, ValueTag::kDouble);
      case 4: {
        const std::string text = RandomText();
        return text.empty() ? Store(to, StringRep::PresentEmpty()) : StoreText(to, text);
      }
      case 5:
        SetValueTag(to, ValueTag::kList);
        return FillList(to, kube::table::kValueType, depth);
      default:
        SetValueTag(to, ValueTag::kObject);
        return FillMap(to, kube::table::kValueType, depth);
    }
  }

  int64_t RandomSeconds() {
    if (Chance(20)) return kube::text::kUnixEpochSeconds - 1 + static_cast<int64_t>(Below(3));
    return static_cast<int64_t>(dice_() % kLastSecond) + 1;
  }

  void FillIntOrString(char* to) {
    IntOrStringBits bits = {};
    if (Chance(50)) {
      bits.number = static_cast<int32_t>(Pick(kIntegers));
    } else {
      const std::string text = RandomText();
      bits.text = StringRep::Copy(text.data(), text.size());
      bits.type = IntOrStringBits::kString;
    }
    Store(to, bits);
  }

  // Fills one of the alternatives, as the decoder does: a schema implies that it is allowed.
  void FillForm(char* to, const Message& message, int depth) {
    if (message.json_form == JsonForm::kOnlyField) {
      const Field& field = message.fields[0];
      return FillField(to + field.offset, ValueType(message, field), field.shape, depth);
    }
    const bool or_bool = message.json_form == JsonForm::kOrBool;
    const Field& schema = message.fields[or_bool ? 1 : 0];
    const Field& other = message.fields[or_bool ? 0 : 1];
    FillField(to + schema.offset, ValueType(message, schema), schema.shape, depth);
    const bool has_schema = Load<uint64_t>(to + schema.offset) != 0;
    if (or_bool) {
      to[other.offset] = static_cast<char>(has_schema || Chance(50));
    } else if (!has_schema) {
      FillField(to + other.offset, ValueType(message, other), other.shape, depth);
    }
  }

  oracle::Dice& dice_;
  const RandomValueOptions& options_;
};

}  // namespace

void FillRandomly(oracle::Dice& dice, char* to, const Message& message,
                  const RandomValueOptions& options) {
  Filler(dice, options).FillMessage(to, message, 0);
}

}  // namespace kube::codec::internal
