#ifndef LISTERS_ANY_CHANGE_H_
#define LISTERS_ANY_CHANGE_H_

#include <memory>
#include <optional>
#include <string>

namespace kube::listers {

// A change of one object in a store whose type is known only at run time: the object that is to be
// stored, or the key of an object that is to be removed.
struct AnyChange {
  // Null means a removal.
  std::shared_ptr<const void> object = {};
  // The key of the object to remove; ignored if `object` is set.
  std::string namespace_name = {};
  std::string name = {};
  // The resource version of the removal, which becomes the store's. If it is not set, the store
  // keeps its own. Ignored if `object` is set.
  std::optional<std::string> resource_version = {};
};

}  // namespace kube::listers

#endif  // LISTERS_ANY_CHANGE_H_
