#ifndef APIMACHINERY_CODEC_JSON_JSON_LEAF_H_
#define APIMACHINERY_CODEC_JSON_JSON_LEAF_H_

// Numbers and strings of JSON text. The text is padded, as in json_scan.h.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// How far something read, and why not, where it did not.
struct Scanned {
  const char* after = nullptr;  // null: an error
  const char* error = nullptr;  // static text: "want an integer"
};

// true or false.
Scanned ScanBool(const char* p, bool& value);

// An integer: digits without a fraction or an exponent, in the range of its type. Go takes no other
// form for an int field, not even 1.0.
Scanned ScanInt64(const char* p, int64_t& value);
Scanned ScanInt32(const char* p, int32_t& value);

// A number, rounded to the nearest double; too large is an error. (strconv.ParseFloat)
Scanned ScanDouble(const char* p, double& value);

// The end of a number by JSON's grammar.
Scanned ScanNumber(const char* p);

// A list of bytes as numbers, into `bytes`: null leaves what is there at its index, or is zero.
Scanned ScanByteList(const char* p, std::string& bytes);

// Appends what a string between its quotes means. Invalid UTF-8 and lone surrogates become U+FFFD,
// byte by byte as Go does it. Null, or what is wrong with it.
const char* AppendUnescaped(absl::string_view raw, std::string& out);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_LEAF_H_
