#ifndef APIMACHINERY_TYPES_MESSAGE_TYPE_H_
#define APIMACHINERY_TYPES_MESSAGE_TYPE_H_

#include <concepts>
#include <type_traits>

#include "apimachinery/table/message.h"

namespace kube {

// A generated struct of the API: a kind such as corev1::Pod, or a part such as corev1::Container.
//
//   template <ApiStruct T>
//   const table::Message& TableOf() {
//     return T::kMessage;
//   }
template <typename T>
concept ApiStruct = std::is_class_v<T> && std::same_as<T, std::remove_cvref_t<T>> && requires {
  { T::kMessage } -> std::convertible_to<const table::Message&>;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_MESSAGE_TYPE_H_
