#ifndef APISERVER_ENCODING_APPLY_BODY_H_
#define APISERVER_ENCODING_APPLY_BODY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

// The body of a server-side apply: YAML 1.1, of which JSON is a part. Pure and thread-safe.
namespace kube::apiserver::internal {

struct ApplyBody {
  // An object.
  unstructured::Value configuration = {};
  // 400 if a key is given twice and the validation is strict, else OK. The errors of the apply
  // itself come before this one.
  absl::Status duplicates = {};
  // A warning for the client of a key that is given twice, if the validation only warns; else "".
  std::string warning = {};
};

// Returns 400 if the body is not YAML, or not an object. Keys that are given twice are an error, a
// warning (the default) or nothing, as the field validation says; of several only the first one is
// named, where upstream names all. Unlike upstream, which makes a float64 of every number, integers
// are exact (kube-apiserver: `applyPatcher`).
absl::StatusOr<ApplyBody> ApplyBodyOf(absl::string_view body, absl::string_view field_validation);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_APPLY_BODY_H_
