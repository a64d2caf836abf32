#include "apimachinery/crd_schema/internal/result.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema::internal {

namespace field = validation::field;

void Result::Add(Failure failure) {
  if (messages_.insert(failure.message).second) failures_.push_back(std::move(failure));
}

void Result::Merge(Result other) {
  for (Failure& failure : other.failures_) Add(std::move(failure));
  match_count_ += other.match_count_;
}

void Result::Forgive() {
  failures_.clear();
  messages_.clear();
}

field::ErrorList Result::ToFieldErrors(const field::Path& path) const {
  field::ErrorList errors;
  for (const Failure& failure : failures_) {
    // As upstream's, names at the root may begin with a dot.
    const absl::string_view name = absl::StripPrefix(failure.name, ".");
    field::Error error = failure.error;
    error.field = (name.empty() ? path : path.Child(name)).ToString();
    errors.push_back(std::move(error));
  }
  return errors;
}

Failure MakeFailure(absl::string_view name, absl::string_view message, field::BadValue value,
                    field::ErrorType type) {
  Failure failure;
  failure.message = std::string(message);
  failure.name = std::string(name);
  failure.error.type = type;
  failure.error.bad_value = std::move(value);
  failure.error.detail = std::string(message);
  return failure;
}

Failure MakeFailure(absl::string_view message) { return MakeFailure("", message, std::string()); }

Failure InvalidType(absl::string_view name, absl::string_view want, absl::string_view is) {
  std::string message = absl::StrCat(name, " in body must be of type ", want, ": ");
  text::AppendQuoted(message, is);
  return MakeFailure(name, message, std::string(is), field::ErrorType::kTypeInvalid);
}

}  // namespace kube::crd_schema::internal
