#include "clientset/dynamic/internal/cbor_item_finder.h"

#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"

namespace kube::dynamic::internal {
namespace {

constexpr uint64_t kIndefinite = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kMaxCount = uint64_t{1} << 40;
// More than any valid item.
constexpr size_t kMaxDepth = 20'000;

absl::Status Invalid(absl::string_view problem, size_t pos) {
  return absl::InvalidArgumentError(absl::StrCat("read CBOR: ", problem, " at byte ", pos));
}

}  // namespace

void CborItemFinder::CountItem() {
  if (left_.back() != kIndefinite) --left_.back();
}

absl::StatusOr<size_t> CborItemFinder::Find(absl::string_view data) {
  while (true) {
    while (!left_.empty() && left_.back() == 0) left_.pop_back();
    if (left_.empty()) return pos_;
    KUBE_ASSIGN_OR_RETURN(const bool complete, ReadHead(data));
    if (!complete) return size_t{0};
  }
}

absl::StatusOr<bool> CborItemFinder::ReadHead(absl::string_view data) {
  if (pos_ >= data.size()) return false;
  const auto first = static_cast<unsigned char>(data[pos_]);
  const int major = first >> 5;
  const int info = first & 31;
  if (first == 0xff) {
    if (left_.back() != kIndefinite) return Invalid("unexpected \"break\" code", pos_);
    ++pos_;
    left_.pop_back();
    return true;
  }
  const bool indefinite = info == 31;
  if ((info > 27 && !indefinite) || (indefinite && (major < 2 || major > 5))) {
    return Invalid("invalid additional information", pos_);
  }
  const size_t argument = info < 24 || indefinite ? 0 : size_t{1} << (info - 24);
  if (data.size() - pos_ <= argument) return false;
  uint64_t value = static_cast<uint64_t>(info);
  if (argument > 0) value = 0;
  for (size_t i = 1; i <= argument; ++i) {
    value = value << 8 | static_cast<unsigned char>(data[pos_ + i]);
  }
  const size_t after = pos_ + 1 + argument;
  const bool is_string = major == 2 || major == 3;
  if (is_string && !indefinite) {
    if (value > kMaxCount) return Invalid("string too long", pos_);
    if (value > data.size() - after) return false;
    pos_ = after + static_cast<size_t>(value);
    CountItem();
    return true;
  }
  pos_ = after;
  // A tag is a part of the item behind it.
  if (major == 6) return true;
  CountItem();
  if (major < 2 || major > 5) return true;
  if (left_.size() >= kMaxDepth) return Invalid("nested too deep", pos_);
  if (!indefinite && value > kMaxCount) return Invalid("array or map too long", pos_);
  left_.push_back(indefinite ? kIndefinite : major == 5 ? value * 2 : value);
  return true;
}

}  // namespace kube::dynamic::internal
