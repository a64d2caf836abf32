#include "apimachinery/unstructured/internal/cbor_decoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "absl/strings/escaping.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/internal/cbor_time.h"

namespace kube::unstructured::internal {

// The decoder keeps the arrays and maps that are open in `frames_` instead of calling itself, since
// input may be nested 10,000 deep. Decode looks at the innermost frame: it ends it, reads a key, or
// reads an item, which is either a value for the frame or a frame of its own. Upstream checks the
// whole input before it decodes; since either refuses it as a whole, one pass gives the same.

namespace {

// Major types.
constexpr uint8_t kUnsigned = 0;
constexpr uint8_t kNegative = 1;
constexpr uint8_t kBytes = 2;
constexpr uint8_t kText = 3;
constexpr uint8_t kArray = 4;
constexpr uint8_t kMap = 5;
constexpr uint8_t kTag = 6;
constexpr uint8_t kPrimitive = 7;

constexpr char kBreak = '\xff';

constexpr uint64_t kTimeText = 0;
constexpr uint64_t kTimeNumber = 1;
constexpr uint64_t kBase64UrlTag = 21;
constexpr uint64_t kBase64Tag = 22;
constexpr uint64_t kBase16Tag = 23;

// Upstream's limits.
constexpr int kMaxDepth = 10'000;
constexpr uint64_t kMaxElements = 2'147'483'647;
constexpr uint64_t kMaxPairs = 2'097'152;

constexpr uint64_t kMaxInt = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

uint8_t MajorOf(char head) { return static_cast<uint8_t>(static_cast<unsigned char>(head) >> 5); }

absl::string_view NameOf(uint8_t major) {
  constexpr absl::string_view kNames[] = {"positive integer",
                                          "negative integer",
                                          "byte string",
                                          "UTF-8 text string",
                                          "array",
                                          "map",
                                          "tag",
                                          "primitives"};
  return kNames[major];
}

// Returns the number that a head of floating-point kind has.
double FloatOf(uint8_t info, uint64_t bits) {
  if (info == 25) return HalfToDouble(static_cast<uint16_t>(bits));
  if (info == 26) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

}  // namespace

double HalfToDouble(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  double number = 0;
  if (exponent == 31) {
    number = fraction == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    number = std::ldexp(fraction, -24);
  } else {
    number = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -number : number;
}

absl::StatusOr<Value> CborDecoder::Decode() && {
  KUBE_RETURN_IF_ERROR(ReadItem());
  while (!frames_.empty()) {
    KUBE_ASSIGN_OR_RETURN(const bool at_end, AtEnd());
    if (at_end) {
      KUBE_RETURN_IF_ERROR(Close());
    } else if (frames_.back().is_map && !frames_.back().has_key) {
      KUBE_RETURN_IF_ERROR(ReadKey());
    } else {
      KUBE_RETURN_IF_ERROR(ReadItem());
    }
  }
  if (pos_ != data_.size()) return Failed(data_.size() - pos_, " bytes of extraneous data");
  return std::move(result_);
}

absl::StatusOr<CborDecoder::Head> CborDecoder::ReadHead() {
  if (pos_ >= data_.size()) return Truncated();
  const auto first = static_cast<unsigned char>(data_[pos_++]);
  Head head{.major = static_cast<uint8_t>(first >> 5),
            .info = static_cast<uint8_t>(first & 31),
            .value = static_cast<uint64_t>(first & 31)};
  if (head.info < 24) return head;
  if (head.info == 31) {
    if (head.major == kPrimitive) return Failed("unexpected \"break\" code");
    if (head.major >= kBytes && head.major <= kMap) return head;
  }
  if (head.info > 27) {
    return Failed("invalid additional information ", static_cast<int>(head.info), " for type ",
                  NameOf(head.major));
  }
  const size_t size = size_t{1} << (head.info - 24);
  if (data_.size() - pos_ < size) return Truncated();
  head.value = 0;
  for (size_t i = 0; i < size; ++i) {
    head.value = head.value << 8 | static_cast<unsigned char>(data_[pos_++]);
  }
  if (head.major != kPrimitive) return head;
  if (head.info == 24 && head.value < 32) return Failed("invalid simple value ", head.value);
  if (head.info != 24 && std::isnan(FloatOf(head.info, head.value))) {
    return Failed("floating-point NaN");
  }
  if (head.info != 24 && std::isinf(FloatOf(head.info, head.value))) {
    return Failed("floating-point infinity");
  }
  return head;
}

// Checks a tag whose content begins at `pos_`. (fxamacker/cbor: `validBuiltinTag`)
absl::Status CborDecoder::CheckTag(uint64_t tag) const {
  if (pos_ >= data_.size()) return Truncated();
  const uint8_t major = MajorOf(data_[pos_]);
  const auto first = static_cast<unsigned char>(data_[pos_]);
  if (tag == 2 || tag == 3) return Failed("bignum");
  if (tag == kTimeText && major != kText) {
    return Failed("tag number 0 must be followed by text string, got ", NameOf(major));
  }
  const bool is_number =
      major == kUnsigned || major == kNegative || (first >= 0xf9 && first <= 0xfb);
  if (tag == kTimeNumber && !is_number) {
    return Failed("tag number 1 must be followed by integer or floating-point number, got ",
                  NameOf(major));
  }
  return absl::OkStatus();
}

absl::StatusOr<CborDecoder::Item> CborDecoder::ReadItemHead(int depth, Encoding encoding) {
  Item item{.head = {}, .depth = depth, .encoding = encoding, .time_tag = std::nullopt};
  for (int tags = 0;; ++tags) {
    KUBE_ASSIGN_OR_RETURN(item.head, ReadHead());
    if (item.head.major != kTag) return item;
    const uint64_t tag = item.head.value;
    // A single tag is not a level.
    if (tags > 0 && ++item.depth > kMaxDepth) {
      return Failed("exceeded max nested level ", kMaxDepth);
    }
    KUBE_RETURN_IF_ERROR(CheckTag(tag));
    if (tag == kTimeText || tag == kTimeNumber) item.time_tag = tag;
    if (tag == kBase64UrlTag) item.encoding = Encoding::kBase64Url;
    if (tag == kBase64Tag) item.encoding = Encoding::kBase64;
    if (tag == kBase16Tag) item.encoding = Encoding::kBase16;
  }
}

absl::StatusOr<std::string> CborDecoder::ReadString(const Item& item) {
  const uint8_t major = item.head.major;
  std::string text;
  Head chunk = item.head;
  while (true) {
    if (item.head.indefinite()) {
      if (pos_ >= data_.size()) return Truncated();
      if (data_[pos_] == kBreak) {
        ++pos_;
        break;
      }
      KUBE_ASSIGN_OR_RETURN(chunk, ReadHead());
      if (chunk.major != major || chunk.indefinite()) {
        return Failed("wrong chunk of an indefinite-length ", NameOf(major));
      }
    }
    if (chunk.value > data_.size() - pos_) return Truncated();
    const absl::string_view part = data_.substr(pos_, static_cast<size_t>(chunk.value));
    if (major == kText && !text::IsValidUtf8(part)) return Failed("invalid UTF-8 string");
    text.append(part.data(), part.size());
    pos_ += part.size();
    if (!item.head.indefinite()) break;
  }
  if (major == kText) return text;
  switch (item.encoding) {
    case Encoding::kBase64Url:
      return absl::WebSafeBase64Escape(text);
    case Encoding::kBase64:
      return absl::Base64Escape(text);
    case Encoding::kBase16:
      return absl::BytesToHexString(text);
    case Encoding::kNone:
      break;
  }
  return text;
}

absl::Status CborDecoder::ReadItem() {
  int depth = 0;
  Encoding encoding = Encoding::kNone;
  if (!frames_.empty()) {
    Frame& frame = frames_.back();
    depth = frame.depth;
    encoding = frame.encoding;
    if (!frame.is_map && !frame.indefinite) --frame.left;
  }
  KUBE_ASSIGN_OR_RETURN(const Item item, ReadItemHead(depth, encoding));
  if (item.head.major == kArray || item.head.major == kMap) return Open(item);
  KUBE_ASSIGN_OR_RETURN(Value value, item.time_tag ? ReadTime(item) : ReadScalar(item));
  Deliver(std::move(value));
  return absl::OkStatus();
}

// A key may be null: then it is the key before it, or empty, as the decoder of upstream leaves it.
absl::Status CborDecoder::ReadKey() {
  Frame& frame = frames_.back();
  if (!frame.indefinite) --frame.left;
  if (frame.members.size() >= kMaxPairs) {
    return Failed("exceeded max number of key-value pairs ", kMaxPairs);
  }
  KUBE_ASSIGN_OR_RETURN(const Item item, ReadItemHead(frame.depth, frame.encoding));
  frame.has_key = true;
  if (item.head.major == kPrimitive && item.head.info == 22) return absl::OkStatus();
  if (item.head.major != kBytes && item.head.major != kText) {
    return Failed("cannot unmarshal ", NameOf(item.head.major), " into a key");
  }
  KUBE_ASSIGN_OR_RETURN(frame.key, ReadString(item));
  return absl::OkStatus();
}

absl::Status CborDecoder::Open(const Item& item) {
  const bool is_map = item.head.major == kMap;
  if (item.depth >= kMaxDepth) return Failed("exceeded max nested level ", kMaxDepth);
  if (!item.head.indefinite() && item.head.value > (is_map ? kMaxPairs : kMaxElements)) {
    return Failed("exceeded max number of ", is_map ? "key-value pairs " : "elements ",
                  is_map ? kMaxPairs : kMaxElements);
  }
  Frame& frame = frames_.emplace_back();
  frame.is_map = is_map;
  frame.indefinite = item.head.indefinite();
  frame.left = item.head.value;
  frame.depth = item.depth + 1;
  frame.encoding = item.encoding;
  return absl::OkStatus();
}

absl::StatusOr<bool> CborDecoder::AtEnd() {
  const Frame& frame = frames_.back();
  if (!frame.indefinite) return frame.left == 0 && !frame.has_key;
  if (pos_ >= data_.size()) return Truncated();
  if (data_[pos_] != kBreak) return false;
  if (frame.has_key) return Failed("unexpected \"break\" code");
  ++pos_;
  return true;
}

absl::Status CborDecoder::Close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (!frame.is_map) {
    Deliver(Value(std::move(frame.elements)));
    return absl::OkStatus();
  }
  // Sorted first, because a Map moves its entries for every key that is not its last one.
  std::sort(frame.members.begin(), frame.members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Map<Value> object = Map<Value>::Empty();
  for (size_t i = 0; i < frame.members.size(); ++i) {
    auto& [key, value] = frame.members[i];
    if (i > 0 && key == frame.members[i - 1].first) {
      return Failed("duplicate key \"", absl::Utf8SafeCHexEscape(key), "\"");
    }
    object.insert_or_assign(key, std::move(value));
  }
  Deliver(Value(std::move(object)));
  return absl::OkStatus();
}

void CborDecoder::Deliver(Value value) {
  if (frames_.empty()) {
    result_ = std::move(value);
    return;
  }
  Frame& frame = frames_.back();
  if (frame.is_map) {
    frame.members.emplace_back(frame.key, std::move(value));
    frame.has_key = false;
  } else {
    frame.elements.push_back(std::move(value));
  }
}

absl::StatusOr<Value> CborDecoder::ReadTime(const Item& item) {
  std::optional<std::string> time;
  const Head& head = item.head;
  if (head.major == kText) {
    KUBE_ASSIGN_OR_RETURN(const std::string text, ReadString(item));
    time = NormalRfc3339(text);
  } else if (head.major == kPrimitive) {
    time = UnixToRfc3339(FloatOf(head.info, head.value));
  } else if (head.value <= kMaxInt) {
    const auto seconds = static_cast<int64_t>(head.value);
    time = UnixToRfc3339(head.major == kUnsigned ? seconds : -1 - seconds);
  }
  if (!time.has_value()) return Failed("time without an RFC 3339 form");
  return Value(*time);
}

absl::StatusOr<Value> CborDecoder::ReadScalar(const Item& item) {
  const Head& head = item.head;
  switch (head.major) {
    case kUnsigned:
    case kNegative: {
      if (head.value > kMaxInt) {
        return Failed(NameOf(head.major), " ", head.value, " overflows int64");
      }
      const auto number = static_cast<int64_t>(head.value);
      return Value(head.major == kUnsigned ? number : -1 - number);
    }
    case kBytes:
    case kText: {
      KUBE_ASSIGN_OR_RETURN(const std::string text, ReadString(item));
      return Value(text);
    }
    default:
      return ReadPrimitive(head);
  }
}

absl::StatusOr<Value> CborDecoder::ReadPrimitive(const Head& head) {
  if (head.info >= 25) return Value(FloatOf(head.info, head.value));
  if (head.value == 20 || head.value == 21) return Value(head.value == 21);
  if (head.value == 22) return Value();
  return Failed("simple value ", head.value, " is not recognized");
}

}  // namespace kube::unstructured::internal
