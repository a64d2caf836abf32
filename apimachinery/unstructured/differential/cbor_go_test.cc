// Compares with Go's apimachinery on CBOR: what random values become, and what random bytes mean.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/decode_unstructured_cbor.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::unstructured {
namespace {

constexpr uint64_t kSeed = 8949;
constexpr EncodeCborOptions kBare = {.self_described = false};

// Random JSON and random CBOR, most of it valid.
class Maker {
 public:
  std::string Json(int depth = 4) {
    switch (dice_.Below(depth > 0 ? 9 : 7)) {
      case 0:
        return Pick({"null", "true", "false"});
      case 1:
      case 2:
        return Pick({"0", "-1", "23", "24", "-24", "-25", "255", "256", "65535", "65536",
                     "4294967295", "4294967296", "-4294967297", "9223372036854775807",
                     "-9223372036854775808", "9223372036854775808"});
      case 3:
      case 4:
        return RandomDouble();
      case 5:
      case 6:
        return absl::StrCat("\"", Letters(), "\"");
      case 7: {
        std::string text = "[";
        for (size_t n = dice_.Below(5); n > 0; --n) {
          absl::StrAppend(&text, text.size() > 1 ? "," : "", Json(depth - 1));
        }
        return text + "]";
      }
      default: {
        std::string text = "{";
        for (size_t n = dice_.Below(30); n > 0; --n) {
          absl::StrAppend(&text, text.size() > 1 ? "," : "", "\"", Letters(),
                          "\":", Json(depth - 1));
        }
        return text + "}";
      }
    }
  }

  std::string Cbor() {
    std::string data = Item(4);
    if (dice_.Below(3) == 0) data = absl::StrCat(kCborPrefix, data);
    return dice_.Below(4) == 0 ? Damage(data) : data;
  }

  // An object or list, with the members that make it one, most of the time.
  std::string Object() {
    std::string data = "\xbf";
    for (const absl::string_view name : {"kind", "a", "items", "apiVersion", "metadata"}) {
      if (dice_.Below(6) == 0) continue;
      data += StringItem(2 + dice_.Below(2), name);
      if (name == "items" && dice_.Below(8) > 0) {
        data += "\x9f";
        for (size_t i = dice_.Below(3); i > 0; --i)
          data += dice_.Below(9) == 0 ? Item(1) : Object();
        data += "\xff";
      } else if (name == "metadata" && dice_.Below(8) > 0) {
        data += MapItem(2, dice_.Below(2) == 0);
      } else if (name == "apiVersion") {
        data += StringItem(2, Pick({"v1", "a/v1", "v2", "v1", "a/b/c", "", "a/"}));
      } else if (name == "kind") {
        data += StringItem(2, Pick({"PodList", "Pod", "List", "A", "B", ""}));
      } else {
        data += Item(2);
      }
    }
    // A duplicate key.
    if (dice_.Below(20) == 0) data += StringItem(2, "kind") + StringItem(2, "A");
    return data + "\xff";
  }

 private:
  std::string Pick(std::initializer_list<absl::string_view> words) {
    return std::string(words.begin()[dice_.Below(words.size())]);
  }

  std::string Letters() {
    std::string text;
    const size_t size = dice_.Below(20) == 0 ? 20 + dice_.Below(300) : dice_.Below(4);
    while (text.size() < size) text += static_cast<char>('a' + dice_.Below(3));
    return text;
  }

  std::string RandomDouble() {
    if (dice_.Below(2) == 0) {
      return Pick({"0.0", "-0.0", "1.0", "1.5", "0.1", "65504.0", "65505.0", "65536.0", "1e21",
                   "5.960464477539063e-08", "2.9802322387695312e-08", "6.103515625e-05",
                   "6.097555160522461e-05", "3.4028234663852886e+38", "3.4028234663852889e+38",
                   "1.401298464324817e-45", "1e-300", "1e308"});
    }
    // A few bits of fraction, so that some fit into narrow numbers.
    const auto fraction = static_cast<int64_t>(dice_.Below(1 << 13));
    return absl::StrCat(fraction, ".", Pick({"0", "5", "25", "125", "0625", "3"}), "e",
                        static_cast<int>(dice_.Below(20)) - 10);
  }

  // A head, sometimes longer than necessary.
  std::string Head(size_t major, uint64_t value) {
    size_t power = value < 24 ? 0 : value <= 0xff ? 1 : value <= 0xffff ? 2 : 3;
    if (value > 0xffff'ffff) power = 4;
    if (dice_.Below(8) == 0) power = power + dice_.Below(5 - power);
    if (power == 0) return std::string(1, static_cast<char>(major << 5 | value));
    std::string head(1, static_cast<char>(major << 5 | (23 + power)));
    for (size_t i = size_t{1} << (power - 1); i > 0; --i) {
      head += static_cast<char>(value >> (8 * (i - 1)) & 0xff);
    }
    return head;
  }

  std::string StringItem(size_t major, absl::string_view text) {
    return absl::StrCat(Head(major, text.size()), text);
  }

  std::string Chunks(size_t major) {
    std::string data(1, static_cast<char>(major << 5 | 31));
    for (size_t n = dice_.Below(3); n > 0; --n) data += StringItem(major, Letters());
    return data + "\xff";
  }

  std::string MapItem(int depth, bool indefinite) {
    const size_t pairs = dice_.Below(4);
    std::string data = indefinite ? "\xbf" : Head(5, pairs);
    for (size_t i = 0; i < pairs; ++i) {
      data += dice_.Below(12) == 0 ? Item(1) : StringItem(2 + dice_.Below(2), Letters());
      data += Item(depth - 1);
    }
    return indefinite ? data + "\xff" : data;
  }

  std::string ListItem(int depth, bool indefinite) {
    const size_t size = dice_.Below(4);
    std::string data = indefinite ? "\x9f" : Head(4, size);
    for (size_t i = 0; i < size; ++i) data += Item(depth - 1);
    return indefinite ? data + "\xff" : data;
  }

  std::string IntegerItem(size_t major) {
    constexpr uint64_t kValues[] = {0,          1,
                                    23,         24,
                                    255,        256,
                                    65536,      4294967295,
                                    4294967296, uint64_t{1} << 62,
                                    INT64_MAX,  uint64_t{1} << 63,
                                    UINT64_MAX, 100};
    return Head(major, kValues[dice_.Below(14)]);
  }

  std::string TimeItem() {
    const std::string text =
        Pick({"2020-01-02T03:04:05Z", "2020-01-02T03:04:05.120+02:00", "2020-01-02T3:04:05,5Z",
              "2020-01-02T03:04:05-00:00", "2020-01-02T03:04:05+23:59", "2020-02-30T03:04:05Z",
              "0000-01-01T00:00:00+10:00", "9999-12-31T23:59:59.999999999999-10:00", "x",
              "2020-01-02T03:04:05+24:00", "2020-01-02T03:04:05.000Z"});
    if (dice_.Below(2) == 0) return Head(6, 0) + StringItem(3, text);
    return Head(6, 1) + (dice_.Below(2) == 0 ? IntegerItem(dice_.Below(2)) : FloatItem());
  }

  std::string FloatItem() {
    const size_t power = 1 + dice_.Below(3);
    std::string data(1, static_cast<char>(0xf8 + power));
    const uint64_t bits = dice_.Next();
    for (size_t i = size_t{1} << power; i > 0; --i) {
      data += static_cast<char>(bits >> (8 * (i - 1)) & 0xff);
    }
    return data;
  }

  std::string Item(int depth) {
    switch (dice_.Below(depth > 0 ? 16 : 10)) {
      case 0:
        return IntegerItem(0);
      case 1:
        return IntegerItem(1);
      case 2:
        return StringItem(2, Letters());
      case 3:
        return StringItem(3, Letters());
      case 4:
        return FloatItem();
      case 5:
        return Pick({"\xf4", "\xf5", "\xf6", "\xf6", "\xf9\x3c\x01", "\xf7", "\xe0", "\xf8\xff"});
      case 6:
        return Chunks(2 + dice_.Below(2));
      case 7:
        return TimeItem();
      case 8:
        return StringItem(2 + dice_.Below(2), Pick({"\xff", "\xc3\xa9", "\xed\xa0\x80", "a"}));
      case 9:
        return Head(0, dice_.Below(300));
      case 10:
      case 11:
        return ListItem(depth, dice_.Below(3) == 0);
      case 12:
      case 13:
        return MapItem(depth, dice_.Below(3) == 0);
      default: {
        constexpr uint64_t kTags[] = {21, 22, 23, 22, 55799, 0, 1, 2, 24, 30, 1000};
        return Head(6, kTags[dice_.Below(11)]) + Item(depth - 1);
      }
    }
  }

  std::string Damage(std::string data) {
    const size_t i = dice_.Below(data.size());
    switch (dice_.Below(3)) {
      case 0:
        data[i] = static_cast<char>(dice_.Below(256));
        break;
      case 1:
        data.resize(i);
        break;
      default:
        data.insert(i, 1, static_cast<char>(dice_.Below(256)));
    }
    return data;
  }

  oracle::Dice dice_{kSeed};
};

std::string HexOf(const absl::StatusOr<std::string>& bytes) {
  return bytes.ok() ? oracle::Hex(*bytes) : oracle::GoCases::kError;
}

std::string Recode(absl::string_view data) {
  const absl::StatusOr<Value> value = ParseCbor(data);
  return value.ok() ? HexOf(EncodeCbor(*value, kBare)) : oracle::GoCases::kError;
}

std::string RecodeObject(absl::string_view data) {
  const absl::StatusOr<Unstructured> object = DecodeUnstructuredCbor(data);
  return object.ok() ? HexOf(EncodeCbor(object->object)) : oracle::GoCases::kError;
}

std::string ListAsJson(absl::string_view data) {
  const absl::StatusOr<UnstructuredList> list = DecodeUnstructuredListCbor(data);
  return list.ok() ? HexOf(codec::EncodeJson(*list, {.final_newline = true}))
                   : oracle::GoCases::kError;
}

// behaviour.md: COD-17
TEST(CborGoTest, Encodes) {
  Maker maker;
  oracle::GoCases cases("unstructured_oracle");
  for (int i = 0; i < 4'000; ++i) {
    const std::string json = maker.Json();
    cases.Add("cbor_encode", json, HexOf(EncodeCbor(ParseJson(json).value(), kBare)));
  }
  cases.Check();
}

// behaviour.md: COD-18, COD-19
TEST(CborGoTest, Decodes) {
  Maker maker;
  oracle::GoCases cases("unstructured_oracle");
  for (int i = 0; i < 20'000; ++i) {
    const std::string data = maker.Cbor();
    cases.Add("cbor_recode", data, Recode(data));
  }
  // Deep, and too deep.
  for (const size_t depth : {9'999, 10'000, 10'001}) {
    for (const char* tags : {"", "\xd6", "\xd6\xd6"}) {
      const std::string deep = absl::StrCat(tags, std::string(depth, '\x81'), "\xf6");
      cases.Add("cbor_recode", deep, Recode(deep));
    }
  }
  cases.Check();
}

// behaviour.md: COD-2, COD-20
TEST(CborGoTest, Objects) {
  Maker maker;
  oracle::GoCases cases("unstructured_oracle");
  for (const char* json :
       {R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"n":[1,1.0,1.5]})",
        R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{}},{"a":1}],"b":2})"}) {
    const std::string data = EncodeCbor(ParseJson(json).value()).value();
    cases.Add("cbor_object", data, RecodeObject(data));
    cases.Add("cbor_list", data, ListAsJson(data));
  }
  for (int i = 0; i < 8'000; ++i) {
    const std::string data = maker.Object();
    cases.Add("cbor_object", data, RecodeObject(data));
    cases.Add("cbor_list", data, ListAsJson(data));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::unstructured
