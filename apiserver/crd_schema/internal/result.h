#ifndef APISERVER_CRD_SCHEMA_INTERNAL_RESULT_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What kube-openapi's validators report, and how an API server shows it. Thread-compatible.
namespace kube::crd_schema::internal {

struct Failure {
  // What kube-openapi says: of failures with the same message the first one counts.
  std::string message;
  // Of the value, within what is validated: "spec.replicas"; not its place in a field error.
  std::string name;
  // What it becomes, without its field.
  validation::field::Error error;
};

// The outcome of one validator, or of several. (validate.Result)
class Result {
 public:
  void Add(Failure failure);
  void Merge(Result other);
  // One more check was passed or made: of several failed alternatives the one with the most counts.
  // (Inc)
  void Count() { ++match_count_; }
  // Failures that are forgiven: they count as checks that were made.
  void Forgive();

  bool ok() const { return failures_.empty(); }
  int64_t match_count() const { return match_count_; }
  const std::vector<Failure>& failures() const { return failures_; }

  // (kubeOpenAPIResultToFieldErrors)
  validation::field::ErrorList ToFieldErrors(const validation::field::Path& path) const;

 private:
  std::vector<Failure> failures_;
  absl::flat_hash_set<std::string> messages_;
  int64_t match_count_ = 0;
};

// An error of the value at `name`, "Invalid value" or `type`.
Failure MakeFailure(absl::string_view name, absl::string_view message,
                    validation::field::BadValue value,
                    validation::field::ErrorType type = validation::field::ErrorType::kInvalid);
// One that upstream does not place: it is shown at the root of what is validated.
Failure MakeFailure(absl::string_view message);

// `"spec.replicas in body must be of type integer: "string""`.
Failure InvalidType(absl::string_view name, absl::string_view want, absl::string_view is);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_RESULT_H_
