#ifndef LISTERS_ANY_CHANGE_H_
#define LISTERS_ANY_CHANGE_H_

#include <memory>

namespace kube::listers {

// A change of one object in a store whose object type is known only at run time.
struct AnyChange {
  // The object to store, or the last state of the object to remove. Never null.
  std::shared_ptr<const void> object = {};
  // Set by the store: the object that it had before, or null.
  std::shared_ptr<const void> old_object = {};
  // Removes the object with this key, if there is one.
  bool is_removal = false;
  // For removals: the store keeps its resource version instead of taking that of `object`.
  bool keeps_resource_version = false;
};

}  // namespace kube::listers

#endif  // LISTERS_ANY_CHANGE_H_
