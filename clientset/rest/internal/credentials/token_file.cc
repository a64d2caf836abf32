#include "clientset/rest/internal/credentials/token_file.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/quantity_text.h"
#include "net/http/headers.h"
#include "net/io/secret_reader.h"

namespace kube::rest::internal {

absl::Status CheckToken(absl::string_view token) {
  if (http::IsHeaderValue(token)) return absl::OkStatus();
  return absl::InvalidArgumentError("the token has characters not allowed in a header field value");
}

TokenFile::TokenFile(std::string path, base::Secret initial)
    : path_(std::move(path)), token_(std::move(initial)), due_(base::Now()) {}

absl::StatusOr<bool> TokenFile::Refresh() {
  if (base::Now() < due_) return false;
  return Read();
}

absl::StatusOr<bool> TokenFile::Read() {
  KUBE_ASSIGN_OR_RETURN(const base::Secret content, io::ReadSecretFile(path_));
  const absl::string_view token = kube::text::TrimGoSpace(content.Reveal());
  if (token.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("read \"", path_, "\": the file is empty"));
  }
  KUBE_RETURN_IF_ERROR(CheckToken(token), "read \"", path_, "\"");
  due_ = base::Now() + (kPeriod - kLeeway);
  if (token == token_.Reveal()) return false;
  token_ = base::Secret(token);
  return true;
}

}  // namespace kube::rest::internal
