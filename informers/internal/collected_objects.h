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

// What has come of all objects, before it is known that it is all. One pointer an object: a server
// gives each once, and only where it goes on to tell of changes is it looked up which one that is.
// Thread-compatible.
class CollectedObjects {
 public:
  explicit CollectedObjects(const meta::ObjectAccess& access) : access_(access) {}

  // The next of a list.
  void Add(std::shared_ptr<const void> object) { objects_.push_back(std::move(object)); }
  // An event of a watch-list, no bookmark.
  void Apply(watch::EventType type, std::shared_ptr<const void> object);

  // In the order in which they came. Nothing is left.
  std::vector<std::shared_ptr<const void>> Take();
  // Gives the memory back, too.
  void Forget() { Take(); }

  size_t size() const { return objects_.size(); }

 private:
  std::string KeyOf(const void* object) const;

  const meta::ObjectAccess& access_;  // lives for ever
  // Null: it was deleted.
  std::vector<std::shared_ptr<const void>> objects_;
  // Where an object is. Empty until there was another event than ADDED.
  std::unordered_map<std::string, size_t> positions_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_COLLECTED_OBJECTS_H_
