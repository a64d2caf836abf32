#ifndef APIMACHINERY_TYPES_RAW_H_
#define APIMACHINERY_TYPES_RAW_H_

#include <iosfwd>

#include "absl/strings/string_view.h"
#include "apimachinery/types/internal/raw_value.h"

// Parts of API objects that are kept as the text they came in. All three begin null (Go: Raw is
// nil), which is null in JSON too, and are null again after reset(); an assigned text is there even
// if it is empty. `==` compares bytes, so that {"a":1} and { "a": 1 } differ; null and empty are
// equal, as in apimachinery's semantic equality. Nothing here checks the text: the encoder does,
// and reports what is no JSON.
//
//   rule.example = R"({"replicas": 3})";
//   if (!rule.example.is_null()) Parse(rule.example.view());
//
// view() is valid while the value lives and is not assigned to. Sixteen bytes each.
// Thread-compatible.
namespace kube {

// Any JSON value. Go: apiextensions' JSON.
class RawJson : public internal::RawValue {
 public:
  using RawValue::RawValue;

  friend bool operator==(const RawJson& a, const RawJson& b) { return a.view() == b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const RawJson& json);
};
static_assert(sizeof(RawJson) == 16);

// Any API object. Go: runtime.RawExtension, of which this is the Raw part; what Go would have in
// its Object part is encoded first.
class RawExtension : public internal::RawValue {
 public:
  using RawValue::RawValue;

  // How the bytes begin: "application/vnd.kubernetes.protobuf" ("k8s" and a zero),
  // "application/cbor" (its self-describing tag), "application/json" (as a JSON value does, or
  // null). Otherwise "": such bytes cannot go into a JSON document.
  absl::string_view content_type() const;

  friend bool operator==(const RawExtension& a, const RawExtension& b) {
    return a.view() == b.view();
  }
  // JSON as it is, of anything else only the size.
  friend std::ostream& operator<<(std::ostream& out, const RawExtension& extension);
};
static_assert(sizeof(RawExtension) == 16);

// The fields that a manager owns, as server-side apply writes them: {"f:spec":{"f:replicas":{}}}.
// Go: metav1.FieldsV1.
class FieldsV1 : public internal::RawValue {
 public:
  using RawValue::RawValue;

  friend bool operator==(const FieldsV1& a, const FieldsV1& b) { return a.view() == b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const FieldsV1& fields);
};
static_assert(sizeof(FieldsV1) == 16);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_RAW_H_
