#ifndef APIMACHINERY_SHARDING_SELECTOR_H_
#define APIMACHINERY_SHARDING_SELECTOR_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Shares of the objects of a resource: a list or a watch with `ListOptions::shard_selector` gets
// only the objects for which the hash of a field lies in certain ranges, so that several replicas
// divide the objects among them. (client-go: package `sharding` of apimachinery)
//
// API servers evaluate it since 1.36, if the alpha feature gate ShardedListAndWatch is on; others
// ignore it and send all objects. A server that has evaluated it says so in the list's
// `metadata.shard_info`. Informers filter in either case: informers/sharded_lister_watcher.h.
namespace kube::sharding {

// The field whose hash decides.
enum class ShardField : uint8_t {
  kUid,        // object.metadata.uid: the shares are about equal
  kNamespace,  // object.metadata.namespace: all objects of a namespace are in one share
};

// Returns the name of the field in the text of a selector: "object.metadata.uid".
absl::string_view ToString(ShardField field);

// Returns the FNV-1a hash of 64 bits of the value of a field.
uint64_t HashOf(absl::string_view value);
// Returns the hash as 16 digits in lower case. (client-go: `sharding.HashField`)
std::string HashField(absl::string_view value);

// Hashes from `start` on, and below `end`. (client-go: `sharding.ShardRangeRequirement`)
struct HashRange {
  uint64_t start = 0;
  // Unset: 2^64, so that the largest hash belongs to the range.
  std::optional<uint64_t> end = {};

  friend bool operator==(const HashRange&, const HashRange&) = default;
};

// Selects objects by the hash of a field. The default selector selects everything. A value;
// const methods are thread-safe. (client-go: `sharding.Selector`)
//
//   KUBE_ASSIGN_OR_RETURN(const sharding::Selector mine, sharding::ShardOf(replica, replicas));
//   return mine.ToString();  // for ListOptions::shard_selector
class Selector {
 public:
  Selector() = default;

  // Selects the objects whose hash lies in one of the ranges; without ranges, everything. Returns
  // INVALID_ARGUMENT if a range is empty. (client-go: `sharding.NewSelector`)
  static absl::StatusOr<Selector> Make(ShardField field, std::vector<HashRange> ranges);

  // Returns whether the selector selects an object with this UID in this namespace, which is empty
  // for cluster-scoped objects.
  bool Matches(absl::string_view uid, absl::string_view namespace_name) const;

  // Returns whether the selector selects all objects because it has no ranges.
  bool empty() const { return ranges_.empty(); }
  ShardField field() const { return field_; }
  // (client-go: `Requirements`)
  const std::vector<HashRange>& ranges() const { return ranges_; }

  // Returns the text for `shard_selector`: "shardRange(object.metadata.uid, '0x0000000000000000',
  // '0x8000000000000000')", with " || " between ranges; "" if the selector selects everything.
  // ParseSelector (parse_selector.h) reads it.
  std::string ToString() const;

  friend bool operator==(const Selector&, const Selector&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Selector& selector);

 private:
  ShardField field_ = ShardField::kUid;
  std::vector<HashRange> ranges_;
};

// Returns the selector of one of `count` shares of about the same number of hashes. The selectors
// of 0 to `count` - 1 select each object exactly once. With a `count` of 1 it selects everything
// and is not empty. Returns INVALID_ARGUMENT unless 0 <= `index` < `count`.
absl::StatusOr<Selector> ShardOf(int index, int count, ShardField field = ShardField::kUid);

}  // namespace kube::sharding

#endif  // APIMACHINERY_SHARDING_SELECTOR_H_
