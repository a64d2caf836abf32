#include "apiserver/errors/field_errors.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using field::ErrorList;
using field::Path;

}  // namespace

void AppendInvalid(ErrorList& wrong, const Path& path, absl::string_view value,
                   const validation::Messages& messages) {
  for (const std::string& message : messages) {
    wrong.push_back(field::Invalid(path, std::string(value), message));
  }
}

void CheckOneOf(ErrorList& wrong, const Path& path, absl::string_view value,
                std::initializer_list<absl::string_view> values) {
  if (value.empty() || std::find(values.begin(), values.end(), value) != values.end()) return;
  wrong.push_back(field::NotSupported(path, field::JsonText(value),
                                      absl::Span<const absl::string_view>(values)));
}

}  // namespace kube::apiserver::internal
