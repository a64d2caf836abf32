#include "apimachinery/managedfields/internal/cap_managers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"

// The updaters are visited from the oldest to the latest. The first one of a version is only
// remembered. The second one founds the bucket of the version: the first one becomes the bucket,
// and the second one is united with it, as are all later ones. Each union leaves one updater less.
// The sets of a bucket are united at the end, all at once: an object may come with tens of
// thousands of updaters.
//
// A bucket that is there from the beginning is visited as one of the updaters. As upstream, if it
// is not the oldest of its version, the oldest one stays outside, and the bucket, united with
// itself, disappears.
namespace kube::managedfields::internal {
namespace {

constexpr char kBucketName[] = "ancient-changes";

struct DatedUpdater {
  int64_t seconds;   // since 1970; 0 without a time
  std::string text;  // of the identity: decides between equal times
  ManagerId id;
};

bool IsUpdater(const Managers::value_type& entry) {
  return entry.first.operation == Operation::kUpdate;
}

std::vector<DatedUpdater> UpdatersFromOldest(const Managed& managed) {
  std::vector<DatedUpdater> updaters;
  for (const auto& entry : managed.managers) {
    if (!IsUpdater(entry)) continue;
    const auto time = managed.times.find(entry.first);
    const int64_t seconds = time == managed.times.end() ? 0 : time->second.ToUnixSeconds();
    updaters.push_back({.seconds = seconds, .text = entry.first.ToString(), .id = entry.first});
  }
  std::sort(updaters.begin(), updaters.end(), [](const DatedUpdater& a, const DatedUpdater& b) {
    return std::tie(a.seconds, a.text) < std::tie(b.seconds, b.text);
  });
  return updaters;
}

// Unites updaters with the buckets of their versions.
class Buckets {
 public:
  // `managed` must outlive this.
  explicit Buckets(Managed& managed) : managed_(managed) {}

  // Moves `updater` to the bucket of its version, which `first` becomes if the version has no
  // bucket. The fields of the bucket are those of Finish.
  void Move(const ManagerId& updater, const ManagerId& first);
  // Gives the buckets the fields of those that were moved to them.
  void Finish();

 private:
  Managed& managed_;
  // The sets that each bucket is to be united with, from the oldest to the latest.
  std::map<ManagerId, std::vector<FieldSet>> moved_;
};

void Buckets::Move(const ManagerId& updater, const ManagerId& first) {
  const OwnedFields owned = managed_.managers.at(updater);
  const ManagerId bucket = {
      .name = kBucketName, .operation = Operation::kUpdate, .api_version = owned.api_version};
  if (managed_.managers.find(bucket) == managed_.managers.end()) {
    auto oldest = managed_.managers.extract(first);
    oldest.key() = bucket;
    managed_.managers.insert(std::move(oldest));
  }
  if (updater == bucket) {
    moved_.erase(bucket);
  } else {
    moved_[bucket].push_back(owned.fields);
  }
  managed_.managers.erase(updater);
  if (const auto time = managed_.times.find(updater); time != managed_.times.end()) {
    managed_.times.insert_or_assign(bucket, time->second);
  } else {
    managed_.times.erase(bucket);
  }
}

void Buckets::Finish() {
  for (auto& [bucket, sets] : moved_) {
    FieldSet& fields = managed_.managers.at(bucket).fields;
    sets.insert(sets.begin(), std::move(fields));
    std::reverse(sets.begin(), sets.end());  // what a later updater has written counts
    fields = UnionOfAll(std::move(sets));
  }
  moved_.clear();
}

}  // namespace

Managed CapManagers(Managed managed) {
  size_t count = static_cast<size_t>(
      std::count_if(managed.managers.begin(), managed.managers.end(), IsUpdater));
  if (count <= kMaxUpdaters) return managed;
  std::map<std::string, ManagerId> first_of_version;
  Buckets buckets(managed);
  for (const DatedUpdater& updater : UpdatersFromOldest(managed)) {
    if (count <= kMaxUpdaters) break;
    const auto [first, is_first] =
        first_of_version.try_emplace(managed.managers.at(updater.id).api_version, updater.id);
    if (is_first) continue;
    buckets.Move(updater.id, first->second);
    --count;
  }
  buckets.Finish();
  return managed;
}

}  // namespace kube::managedfields::internal
