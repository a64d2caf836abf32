#ifndef APIMACHINERY_TYPES_RAW_H_
#define APIMACHINERY_TYPES_RAW_H_

#include <iosfwd>

#include "absl/strings/string_view.h"
#include "apimachinery/types/internal/raw_value.h"

// Parts of API objects that are kept as the bytes they were received in. The three classes are null
// at first and after reset() (in Go, Raw is nil), and null in JSON then; an assigned text is not
// null, even if it is empty. operator== compares bytes, so {"a":1} and { "a": 1 } differ; null and
// empty are equal, as in apimachinery's semantic equality. The classes do not check the text: the
// encoder does, and returns an error if it is not JSON.
//
//   revision.data = R"({"replicas": 3})";
//   const absl::string_view json = revision.data.view();
//   const bool is_null = revision.data.is_null();
//
// view() is valid until the value is assigned to or destroyed. Thread-compatible.
namespace kube {

// Any JSON value. apiextensions: `JSON`.
class RawJson : public internal::RawValue {
 public:
  using RawValue::RawValue;

  friend bool operator==(const RawJson& a, const RawJson& b) { return a.view() == b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const RawJson& json);
};
static_assert(sizeof(RawJson) == 16);

// Any API object. It is the Raw part of Go's type; encode an object that Go would keep in its
// Object part. apimachinery: `runtime.RawExtension`.
class RawExtension : public internal::RawValue {
 public:
  using RawValue::RawValue;

  // Returns the content type, guessed from the first bytes: "application/vnd.kubernetes.protobuf"
  // for "k8s" and a zero byte, "application/cbor" for its self-describing tag, and
  // "application/json" for the first character of a JSON value, or null. Returns "" otherwise; such
  // bytes cannot be part of a JSON document.
  absl::string_view content_type() const;

  friend bool operator==(const RawExtension& a, const RawExtension& b) {
    return a.view() == b.view();
  }
  // Writes JSON unchanged, anything else as its size.
  friend std::ostream& operator<<(std::ostream& out, const RawExtension& extension);
};
static_assert(sizeof(RawExtension) == 16);

// The fields that a field manager owns, as in server-side apply: {"f:spec":{"f:replicas":{}}}.
// apimachinery: `metav1.FieldsV1`.
class FieldsV1 : public internal::RawValue {
 public:
  using RawValue::RawValue;

  friend bool operator==(const FieldsV1& a, const FieldsV1& b) { return a.view() == b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const FieldsV1& fields);
};
static_assert(sizeof(FieldsV1) == 16);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_RAW_H_
