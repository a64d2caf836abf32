#ifndef CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_
#define CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::rest::internal {

// A header's text, of whose words some are encoded as RFC 2047 says, "=?utf-8?q?caf=C3=A9?=", in
// UTF-8. One with a word of an alphabet other than UTF-8, ISO-8859-1 and US-ASCII stays as it is,
// as do words that are malformed. ((*mime.WordDecoder).DecodeHeader) Pure.
std::string DecodeEncodedWords(absl::string_view text);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_
