#ifndef CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_
#define CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::rest::internal {

// Decodes the encoded words of RFC 2047 in the text of a header, such as "=?utf-8?q?caf=C3=A9?=",
// to UTF-8. Malformed words stay as they are. If a word has a charset other than UTF-8, ISO-8859-1
// and US-ASCII, the whole text is returned unchanged. Pure. (Go:
// `(*mime.WordDecoder).DecodeHeader`)
std::string DecodeEncodedWords(absl::string_view text);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_ENCODED_WORD_H_
