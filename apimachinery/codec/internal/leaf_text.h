#ifndef APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_
#define APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_

// Leaf values that are text in JSON, checked and turned into what the value types hold.

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Null, or what is wrong with the text of a Quantity.
const char* CheckQuantity(absl::string_view text);

// The text of a Time, MicroTime or Duration into the memory of one. Null, or what is wrong.
const char* ParseTextual(kube::table::Kind kind, absl::string_view text, char* to);

// The bytes that standard base64 stands for; false if it is none.
bool DecodeBase64Text(absl::string_view text, std::string& bytes);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_
