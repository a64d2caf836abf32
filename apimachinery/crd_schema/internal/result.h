#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_RESULT_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// The failures of kube-openapi's validators, and how an API server reports them. Thread-compatible.
namespace kube::crd_schema::internal {

struct Failure {
  // kube-openapi's message. Of failures with the same message, the first is kept.
  std::string message;
  // The path within the validated value, such as "spec.replicas". It is not the path of the field
  // error.
  std::string name;
  // The resulting error, whose field is not set.
  validation::field::Error error;
};

// The outcome of one or more validators (kube-openapi: `validate.Result`).
class Result {
 public:
  void Add(Failure failure);
  void Merge(Result other);
  // Counts a check that was made or passed. Of several failed alternatives, the one with the
  // highest count is reported (kube-openapi: `Inc`).
  void Count() { ++match_count_; }
  // Drops all failures, and keeps the count.
  void Forgive();

  bool ok() const { return failures_.empty(); }
  int64_t match_count() const { return match_count_; }
  const std::vector<Failure>& failures() const { return failures_; }

  // Converts the failures to errors below `path` (apiextensions-apiserver:
  // `kubeOpenAPIResultToFieldErrors`).
  validation::field::ErrorList ToFieldErrors(const validation::field::Path& path) const;

 private:
  std::vector<Failure> failures_;
  absl::flat_hash_set<std::string> messages_;
  int64_t match_count_ = 0;
};

// Makes a failure of the value at `name`.
Failure MakeFailure(absl::string_view name, absl::string_view message,
                    validation::field::BadValue value,
                    validation::field::ErrorType type = validation::field::ErrorType::kInvalid);
// Makes a failure that upstream reports at the root of the validated value.
Failure MakeFailure(absl::string_view message);

// Makes a failure such as `"spec.replicas in body must be of type integer: "string""`.
Failure InvalidType(absl::string_view name, absl::string_view want, absl::string_view is);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_RESULT_H_
