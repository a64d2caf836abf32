#ifndef APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_
#define APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_

// Checks leaf values that are text in JSON, and converts them to what the value types hold.

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

// Returns null, or what is wrong with the text of a Quantity.
const char* CheckQuantity(absl::string_view text);

// Parses a Time, MicroTime or Duration into the memory of one at `to`. Returns null, or what is
// wrong.
const char* ParseTextual(kube::table::Kind kind, absl::string_view text, char* to);

// Decodes standard base64. Returns false if `text` is not base64.
bool DecodeBase64Text(absl::string_view text, std::string& bytes);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_LEAF_TEXT_H_
