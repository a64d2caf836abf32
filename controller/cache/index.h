#ifndef CONTROLLER_CACHE_INDEX_H_
#define CONTROLLER_CACHE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/object_range.h"
#include "controller/cache/view.h"
#include "controller/cache/watched_core.h"
#include "listers/snapshot.h"
#include "listers/stored_object.h"

namespace kube::controller {

// An index of a watch: finds objects by the values that a function gives them. Made by
// Watched::AddIndex. Nobody else can use or name it, so two controllers may choose the same name.
// (controller-runtime: `client.FieldIndexer` with `client.MatchingFields`, which find an index by a
// text at run time)
//
// A handle: cheap to copy. It keeps the watch alive. Thread-safe.
template <listers::StoredObject K>
class Index {
 public:
  // Made by Watched. `name` is that of the stores.
  Index(std::shared_ptr<WatchedCore> core, std::string name)
      : core_(std::move(core)), name_(std::move(name)) {}

  // Returns the objects with this value, of all namespaces of the watch. Does not block. A view
  // that is older than the index does not have it, so that the result is empty.
  ObjectRange<K> Get(const View& view, absl::string_view value) const {
    std::vector<listers::ObjectList<K>> lists;
    for (size_t i = 0; i < core_->informer_count(); ++i) {
      const auto snapshot =
          std::static_pointer_cast<const listers::Snapshot<K>>(view.SnapshotOf(*core_, i));
      absl::StatusOr<listers::ObjectList<K>> list = snapshot->ByIndex(name_, value);
      if (list.ok()) lists.push_back(*std::move(list));
    }
    return ObjectRange<K>(std::move(lists));
  }

  // Returns the names of these objects as the stores are now, sorted. For triggers.
  std::vector<meta::ObjectName> Names(absl::string_view value) const {
    std::vector<meta::ObjectName> names;
    for (const K& object : Get(View(), value)) names.push_back(meta::ObjectNameOf(object));
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::shared_ptr<WatchedCore> core_;
  std::string name_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_INDEX_H_
