#ifndef INFORMERS_ANY_TRANSFORM_H_
#define INFORMERS_ANY_TRANSFORM_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"

namespace kube::informers {

// A Transform<T> of any T: returns what is stored instead of the object that it is given, which is
// a T, as what it returns must be. Null: the object itself is stored. Options hold it where T is
// not known; users write a Transform<T>, and pass it to SharedInformer::SetTransform or
// TransformOf.
using AnyTransform =
    std::function<absl::StatusOr<std::shared_ptr<const void>>(std::shared_ptr<const void>)>;

}  // namespace kube::informers

#endif  // INFORMERS_ANY_TRANSFORM_H_
