#include "apimachinery/sharding/selector.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::sharding {
namespace {

constexpr uint64_t kFnvOffset = 14695981039346656037u;
constexpr uint64_t kFnvPrime = 1099511628211u;

std::string BoundText(uint64_t bound) {
  return absl::StrCat("0x", absl::Hex(bound, absl::kZeroPad16));
}

std::string EndText(const std::optional<uint64_t>& end) {
  return end.has_value() ? BoundText(*end) : "0x10000000000000000";
}

bool Contains(const HashRange& range, uint64_t hash) {
  return range.start <= hash && (!range.end.has_value() || hash < *range.end);
}

// Returns floor(2^64 * index / count) for index < count, without numbers of more than 64 bits.
uint64_t StartOf(uint64_t index, uint64_t count) {
  // 2^64 = quotient * count + remainder.
  const uint64_t quotient = UINT64_MAX / count + (UINT64_MAX % count == count - 1 ? 1 : 0);
  const uint64_t remainder = (UINT64_MAX % count + 1) % count;
  return quotient * index + remainder * index / count;
}

}  // namespace

absl::string_view ToString(ShardField field) {
  return field == ShardField::kUid ? "object.metadata.uid" : "object.metadata.namespace";
}

uint64_t HashOf(absl::string_view value) {
  uint64_t hash = kFnvOffset;
  for (const char c : value) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kFnvPrime;
  }
  return hash;
}

std::string HashField(absl::string_view value) {
  return absl::StrCat(absl::Hex(HashOf(value), absl::kZeroPad16));
}

absl::StatusOr<Selector> Selector::Make(ShardField field, std::vector<HashRange> ranges) {
  for (const HashRange& range : ranges) {
    if (range.end.has_value() && range.start >= *range.end) {
      return absl::InvalidArgumentError(absl::StrCat("shard range start ", BoundText(range.start),
                                                     " must be less than end ",
                                                     EndText(range.end)));
    }
  }
  Selector selector;
  selector.field_ = field;
  selector.ranges_ = std::move(ranges);
  return selector;
}

bool Selector::Matches(absl::string_view uid, absl::string_view namespace_name) const {
  if (empty()) return true;
  const uint64_t hash = HashOf(field_ == ShardField::kUid ? uid : namespace_name);
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [hash](const HashRange& range) { return Contains(range, hash); });
}

std::string Selector::ToString() const {
  std::string text;
  for (const HashRange& range : ranges_) {
    absl::StrAppend(&text, text.empty() ? "" : " || ", "shardRange(", sharding::ToString(field_),
                    ", '", BoundText(range.start), "', '", EndText(range.end), "')");
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Selector& selector) {
  return out << selector.ToString();
}

absl::StatusOr<Selector> ShardOf(int index, int count, ShardField field) {
  if (index < 0 || index >= count) {
    return absl::InvalidArgumentError(absl::StrCat(
        "shard ", index, " of ", count, ": the index must be at least 0 and less than ", count));
  }
  const uint64_t shares = static_cast<uint64_t>(count);
  const uint64_t share = static_cast<uint64_t>(index);
  HashRange range = {.start = StartOf(share, shares)};
  if (share + 1 < shares) range.end = StartOf(share + 1, shares);
  return Selector::Make(field, {range});
}

}  // namespace kube::sharding
