#include "apimachinery/managedfields/internal/cap_managers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apimachinery/managedfields/managers.h"

// The updaters are visited from the oldest to the latest. The first one of a version is only
// remembered. The second one founds the bucket of the version: the first one becomes the bucket,
// and the second one is united with it, as are all later ones. Each union leaves one updater less.
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

// Unites `updater` with the bucket of its version, which `first` becomes if there is none.
void MoveToBucket(Managed& managed, const ManagerId& updater, const ManagerId& first) {
  const OwnedFields owned = managed.managers.at(updater);
  const ManagerId bucket = {
      .name = kBucketName, .operation = Operation::kUpdate, .api_version = owned.api_version};
  if (managed.managers.find(bucket) == managed.managers.end()) {
    auto oldest = managed.managers.extract(first);
    oldest.key() = bucket;
    managed.managers.insert(std::move(oldest));
  }
  OwnedFields& united = managed.managers.at(bucket);
  united.fields = owned.fields.Union(united.fields);
  managed.managers.erase(updater);
  if (const auto time = managed.times.find(updater); time != managed.times.end()) {
    managed.times.insert_or_assign(bucket, time->second);
  } else {
    managed.times.erase(bucket);
  }
}

}  // namespace

Managed CapManagers(Managed managed) {
  size_t count = static_cast<size_t>(
      std::count_if(managed.managers.begin(), managed.managers.end(), IsUpdater));
  if (count <= kMaxUpdaters) return managed;
  std::map<std::string, ManagerId> first_of_version;
  for (const DatedUpdater& updater : UpdatersFromOldest(managed)) {
    if (count <= kMaxUpdaters) break;
    const auto [first, is_first] =
        first_of_version.try_emplace(managed.managers.at(updater.id).api_version, updater.id);
    if (is_first) continue;
    MoveToBucket(managed, updater.id, first->second);
    --count;
  }
  return managed;
}

}  // namespace kube::managedfields::internal
