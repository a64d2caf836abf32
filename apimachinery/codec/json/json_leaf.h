#ifndef APIMACHINERY_CODEC_JSON_JSON_LEAF_H_
#define APIMACHINERY_CODEC_JSON_JSON_LEAF_H_

// Reads numbers and strings of JSON text. The text is padded, as in json_scan.h.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The position after what was read, or why it could not be read.
struct Scanned {
  const char* after = nullptr;  // null: an error
  const char* error = nullptr;  // static text: "expected an integer"
};

// Reads true or false.
Scanned ScanBool(const char* p, bool& value);

// Read an integer without a fraction or an exponent, in the range of its type. As Go for an int
// field, they accept no other form, not even 1.0.
Scanned ScanInt64(const char* p, int64_t& value);
Scanned ScanInt32(const char* p, int32_t& value);

// Reads a number and rounds it to the nearest double; a number that is too large is an error. (Go:
// `strconv.ParseFloat`)
Scanned ScanDouble(const char* p, double& value);

// Returns the end of a number by JSON's grammar.
Scanned ScanNumber(const char* p);

// Reads an array of bytes as numbers into `bytes`. A null keeps the old byte at its index, or is
// zero.
Scanned ScanByteList(const char* p, std::string& bytes);

// Appends the meaning of a string whose text between the quotes is `raw`. Invalid UTF-8 becomes
// U+FFFD byte by byte, as in Go, and so does a lone surrogate. Returns null, or what is wrong with
// the text.
const char* AppendUnescaped(absl::string_view raw, std::string& out);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_LEAF_H_
