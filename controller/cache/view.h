#ifndef CONTROLLER_CACHE_VIEW_H_
#define CONTROLLER_CACHE_VIEW_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "controller/cache/watched_core.h"

namespace kube::controller {

// The stores of several watches as they were at one moment, and the namespace of names that have
// none. Reads that are given the same View agree with each other: an object that one of them finds
// is not gone in the next. controller-runtime has no such class; there each read takes the store as
// it is.
//
//   const kube::controller::View view("default", {configs.core(), teams.core()});
//   KUBE_ASSIGN_OR_RETURN(const auto team, teams.Get(view, name));
//
// The stores are not of one moment of the server: each watch has its own delay. A watch that is not
// part of the view is read as it is now; so is every watch through View().
//
// Costs a small allocation for each informer, and keeps the objects of its moment alive, but
// no watch. Copyable; thread-compatible.
class View {
 public:
  // Reads what the stores have now, and has no namespace.
  View() = default;
  // Takes the snapshots.
  View(std::string namespace_name, absl::Span<const std::shared_ptr<WatchedCore>> watched)
      : namespace_name_(std::move(namespace_name)) {
    for (const std::shared_ptr<WatchedCore>& core : watched) {
      Entry entry = {.core = core};
      for (size_t i = 0; i < core->informer_count(); ++i) {
        entry.snapshots.push_back(core->Snapshot(i));
      }
      entries_.push_back(std::move(entry));
    }
  }

  // The namespace of names without a namespace, such as that of a request; empty for
  // a cluster-scoped object and for View().
  const std::string& namespace_name() const { return namespace_name_; }

  // For Watched and Index: returns the listers::Snapshot of the store of informer `i`.
  std::shared_ptr<const void> SnapshotOf(const WatchedCore& core, size_t i) const {
    for (const Entry& entry : entries_) {
      // Another watch may have the address of one that has ended, but not its control block.
      if (entry.core.lock().get() == &core) return entry.snapshots[i];
    }
    return core.Snapshot(i);
  }

 private:
  struct Entry {
    std::weak_ptr<const WatchedCore> core = {};
    std::vector<std::shared_ptr<const void>> snapshots = {};
  };

  std::string namespace_name_;
  std::vector<Entry> entries_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_VIEW_H_
