#ifndef INFORMERS_INTERNAL_COLLECTED_OBJECTS_H_
#define INFORMERS_INTERNAL_COLLECTED_OBJECTS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "apimachinery/meta/object_access.h"
#include "apimachinery/watch/event.h"

namespace kube::informers::internal {

// The objects of a list or watch-list that is not complete yet. Stores one pointer per object. A
// server sends each object once, so keys are computed only if another event than ADDED arrives.
// Thread-compatible.
class CollectedObjects {
 public:
  explicit CollectedObjects(const meta::ObjectAccess& access) : access_(access) {}

  // Adds the next object of a list.
  void Add(std::shared_ptr<const void> object) { objects_.push_back(std::move(object)); }
  // Applies an event of a watch-list other than a bookmark.
  void Apply(watch::EventType type, std::shared_ptr<const void> object);

  // Returns the objects in the order of arrival and leaves this empty.
  std::vector<std::shared_ptr<const void>> Take();
  // Drops the objects and frees the memory.
  void Forget() { Take(); }

  size_t size() const { return objects_.size(); }

 private:
  std::string KeyOf(const void* object) const;

  const meta::ObjectAccess& access_;  // a static object
  // Null for deleted objects.
  std::vector<std::shared_ptr<const void>> objects_;
  // Index of each key in `objects_`. Empty until an event other than ADDED has arrived.
  std::unordered_map<std::string, size_t> positions_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_COLLECTED_OBJECTS_H_
