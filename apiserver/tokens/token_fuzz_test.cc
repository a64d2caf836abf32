// Any text as a bearer token: the parser, the claims and the check of a signature. Nothing may
// crash, and what this server has not signed it does not accept.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_claims.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/tokens/signing_key.h"

namespace kube::apiserver::internal {
namespace {

void Run(absl::string_view input) {
  static AccountTokens tokens;
  static const Storage storage;
  if (const std::optional<ParsedToken> token = ParseToken(input)) {
    KUBE_CHECK(absl::StartsWith(input, absl::StrCat(token->signed_text, ".")));
  }
  const auto answer = tokens.Authenticate(storage, input, {std::string(kTokenIssuer)});
  KUBE_CHECK(!answer.has_value() || !answer->ok());
  // Claims are read from tokens with a good signature only; here from any text.
  const absl::StatusOr<AccountClaims> claims = DecodeClaims(input);
  if (!claims.ok()) return;
  const absl::StatusOr<AccountClaims> again = DecodeClaims(EncodeClaims(*claims));
  KUBE_CHECK_OK(again);
  KUBE_CHECK(*again == *claims);
}

}  // namespace
}  // namespace kube::apiserver::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::apiserver::internal::Run(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
