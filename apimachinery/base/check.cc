#include "apimachinery/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/source_location.h"

namespace kube::base::internal {

CheckFailure::CheckFailure(const std::string& what, SourceLocation where) {
  stream_ << where.ToString() << ": check failed: " << what;
}

CheckFailure::~CheckFailure() {
  std::string text = stream_.str();
  if (text.back() == ' ') text.pop_back();
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

std::ostream& CheckFailure::stream() { return stream_ << ' '; }

std::unique_ptr<std::string> CheckOk(const absl::Status& status, const char* text) {
  if (status.ok()) return nullptr;
  return std::make_unique<std::string>(absl::StrCat(text, " is OK (", status.ToString(), ")"));
}

}  // namespace kube::base::internal
