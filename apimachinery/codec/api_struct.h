#ifndef APIMACHINERY_CODEC_API_STRUCT_H_
#define APIMACHINERY_CODEC_API_STRUCT_H_

#include <concepts>

#include "apimachinery/types/internal/message.h"

namespace kube::codec {

// A generated struct of an API: a kind, or a part of one. Hand-written types are none.
template <typename T>
concept ApiStruct = std::same_as<decltype(T::kMessage), const kube::internal::Message>;

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_API_STRUCT_H_
