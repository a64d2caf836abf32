#include "apimachinery/codec/testing/mutate_wire.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/protobuf/wire.h"
#include "tests/dice.h"

namespace kube::codec::internal {

using oracle::Dice;

namespace {

struct Part {
  uint64_t tag;
  std::string value;  // length-delimited: without the length
};

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string Join(const std::vector<Part>& parts) {
  std::string wire;
  for (const Part& part : parts) {
    absl::StrAppend(&wire, Varint(part.tag));
    if ((part.tag & 7) == WireType::kBytes) absl::StrAppend(&wire, Varint(part.value.size()));
    absl::StrAppend(&wire, part.value);
  }
  return wire;
}

// Returns the fields of a message, or nothing if `wire` is not a message.
std::vector<Part> Split(absl::string_view wire) {
  std::vector<Part> parts;
  const char* p = wire.data();
  const char* const end = p + wire.size();
  while (p < end) {
    uint64_t tag = 0;
    p = ReadTag(p, end, tag);
    if (p == nullptr || tag >> 3 == 0) return {};
    const char* value = p;
    p = (tag & 7) == WireType::kBytes ? ReadBytes(p, end, value) : SkipWireValue(p, end, tag);
    if (p == nullptr) return {};
    parts.push_back({tag, std::string(value, static_cast<size_t>(p - value))});
  }
  return parts;
}

std::string MutateBytes(Dice& dice, std::string wire) {
  constexpr unsigned char kNasty[] = {0x00, 0x01, 0x07, 0x0A, 0x7F, 0x80, 0xFF};
  const char nasty = static_cast<char>(kNasty[dice.Below(std::size(kNasty))]);
  const size_t at = dice.Below(wire.size() + 1);
  switch (dice.Below(5)) {
    case 0:
      wire.insert(at, 1, nasty);
      break;
    case 1:
      wire.resize(at);
      break;
    case 2:
      wire.erase(at, 1 + dice.Below(4));
      break;
    case 3:
      if (at < wire.size()) wire[at] = nasty;
      break;
    default:
      if (at < wire.size()) wire[at] = static_cast<char>(wire[at] ^ (1 << dice.Below(8)));
      break;
  }
  return wire;
}

// Returns a field that no type has, well-formed or malformed.
Part UnknownPart(Dice& dice) {
  const uint64_t number = 1000 + dice.Below(5);
  const Part parts[] = {
      {number << 3 | kVarint, std::string(9, '\xFF') + '\x01'},
      {number << 3 | kVarint, std::string(10, '\xFF') + '\x01'},
      {number << 3 | kFixed64, "12345678"},
      {number << 3 | kFixed64, "1234"},
      {number << 3 | WireType::kBytes, "text"},
      {number << 3 | kFixed32, "1234"},
      {number << 3 | kStartGroup, absl::StrCat("\x08\x01", Varint(number << 3 | kEndGroup))},
      {number << 3 | kStartGroup, "\x08\x01"},
      {number << 3 | kEndGroup, ""},
      {number << 3 | 6, ""},
      {uint64_t{0} << 3 | kVarint, "\x01"},
      {(uint64_t{1} << 29) << 3 | kVarint, "\x01"},
      {(uint64_t{1} << 31) << 3 | kVarint, "\x01"},
      {(uint64_t{1} << 32 | 1) << 3 | kVarint, "\x01"},
  };
  return parts[dice.Below(std::size(parts))];
}

void MutateParts(Dice& dice, std::vector<Part>& parts) {
  const size_t at = dice.Below(parts.size());
  Part& part = parts[at];
  switch (dice.Below(9)) {
    case 0:
      parts.insert(parts.begin() + static_cast<ptrdiff_t>(dice.Below(parts.size() + 1)),
                   Part(part));
      break;
    case 1:
      std::swap(part, parts[dice.Below(parts.size())]);
      break;
    case 2:
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 3:
      parts.insert(parts.begin() + static_cast<ptrdiff_t>(at), UnknownPart(dice));
      break;
    case 4:
      part.tag = (part.tag & ~uint64_t{7}) | dice.Below(8);
      break;
    case 5:
      part.tag = (1 + dice.Below(20)) << 3 | (part.tag & 7);
      break;
    case 6:  // A number of any size, or more bytes than it needs.
      if ((part.tag & 7) == kVarint) {
        part.value = Varint(dice.Next() >> dice.Below(64));
        if (dice.Below(2) == 0 && part.value.size() < 10) {
          part.value.back() = static_cast<char>(part.value.back() | 0x80);
          part.value.push_back('\0');
        }
      }
      break;
    case 7:
      if ((part.tag & 7) == WireType::kBytes) part.value.clear();
      break;
    default:  // A run that another field interrupts.
      parts.push_back(part);
      break;
  }
}

}  // namespace

std::string MutateWire(Dice& dice, absl::string_view wire) {
  std::vector<Part> parts = Split(wire);
  if (parts.empty() || dice.Below(8) == 0) return MutateBytes(dice, std::string(wire));
  Part& part = parts[dice.Below(parts.size())];
  if ((part.tag & 7) == WireType::kBytes && dice.Below(3) != 0) {
    part.value = MutateWire(dice, part.value);
  } else {
    MutateParts(dice, parts);
  }
  return Join(parts);
}

}  // namespace kube::codec::internal
