#ifndef INFORMERS_ANY_TRANSFORM_H_
#define INFORMERS_ANY_TRANSFORM_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"

namespace kube::informers {

// A Transform<T> whose T is erased: takes an object of type T and returns the object of type T to
// store in its place. Null stores objects unchanged. Options use it where T is not known. Users
// write a Transform<T> and pass it to SharedInformer::SetTransform or TransformOf.
using AnyTransform =
    std::function<absl::StatusOr<std::shared_ptr<const void>>(std::shared_ptr<const void>)>;

}  // namespace kube::informers

#endif  // INFORMERS_ANY_TRANSFORM_H_
