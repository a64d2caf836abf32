#ifndef APIMACHINERY_UNSTRUCTURED_CBOR_H_
#define APIMACHINERY_UNSTRUCTURED_CBOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Converts Values from and to CBOR (RFC 8949), as the API server reads and writes application/cbor
// (client-go: `pkg/runtime/serializer/cbor`). Pure functions: thread-safe.
namespace kube::unstructured {

// The head of the tag "self-described CBOR", with which objects of Kubernetes begin.
inline constexpr absl::string_view kCborPrefix("\xd9\xd9\xf7", 3);

// Returns whether the bytes begin with kCborPrefix. CBOR without the prefix is valid, too, but
// cannot be told from other formats. (client-go: `RecognizesData`)
bool IsCbor(absl::string_view data);

// Parses one CBOR data item, as apimachinery's decoder fills an interface{}:
// - Integers are ints, and floating-point numbers of all widths are doubles, also 1.0.
// - Text strings and byte strings are strings. A byte string with one of the tags 21 to 23 around
//   it becomes the base64url, base64 or base16 text of its bytes.
// - Times (the tags 0 and 1) become RFC 3339 texts. Other tags are dropped, their content counts.
// - Lengths may be indefinite, and heads longer than necessary.
//
//   absl::StatusOr<Value> object = ParseCbor(body);
//
// Returns INVALID_ARGUMENT if the bytes are not one whole data item, and for what JSON cannot
// express: duplicate keys, keys that are not strings, integers beyond int64_t, big numbers, NaN,
// infinity, undefined and other simple values, and text that is not UTF-8; also for nesting deeper
// than 10,000, and more than 2,097,152 members in an object. The message has the place: `decode
// CBOR: duplicate key "a" at byte 7`. Byte strings may contain any bytes.
absl::StatusOr<Value> ParseCbor(absl::string_view cbor);

struct EncodeCborOptions {
  // Whether the result begins with kCborPrefix, as objects must in requests and watches. Default:
  // yes. Set it to false for values within other CBOR.
  bool self_described = true;
};

// Returns CBOR, byte for byte as apimachinery writes a map[string]interface{}: integers and
// floating-point numbers in the shortest form that keeps the value, strings as byte strings, keys
// sorted by length and then by their bytes. Equal values give equal bytes. Returns INVALID_ARGUMENT
// if a number is infinite or not a number. (client-go: `Serializer.Encode`)
absl::StatusOr<std::string> EncodeCbor(const Value& value, const EncodeCborOptions& options = {});
absl::StatusOr<std::string> EncodeCbor(const Map<Value>& object,
                                       const EncodeCborOptions& options = {});

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_CBOR_H_
