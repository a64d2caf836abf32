#include "apiserver/tokens/legacy_claims.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_claims.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
using unstructured::Value;

constexpr absl::string_view kNamespace = "kubernetes.io/serviceaccount/namespace";
constexpr absl::string_view kSecret = "kubernetes.io/serviceaccount/secret.name";
constexpr absl::string_view kAccount = "kubernetes.io/serviceaccount/service-account.name";
constexpr absl::string_view kAccountUid = "kubernetes.io/serviceaccount/service-account.uid";
// Marks a secret whose token must no longer be used.
constexpr absl::string_view kInvalidSince = "kubernetes.io/legacy-token-invalid-since";

std::string TextAt(const Value& members, absl::string_view name) {
  return std::string(members[name].text().value_or(""));
}

absl::Status Refused(absl::string_view message) { return absl::UnauthenticatedError(message); }

absl::Status CheckMembers(const LegacyClaims& claims) {
  struct Row {
    absl::string_view name;
    const std::string& value;
  };
  for (const Row& row :
       {Row{"sub", claims.subject}, Row{"namespace", claims.namespace_name},
        Row{"secretName", claims.secret}, Row{"serviceAccountName", claims.account},
        Row{"serviceAccountUID", claims.account_uid}}) {
    if (row.value.empty()) return Refused(absl::StrCat(row.name, " claim is missing"));
  }
  if (claims.subject != AccountUserName(claims.namespace_name, claims.account)) {
    return Refused("sub claim is invalid");
  }
  return absl::OkStatus();
}

// Compares without telling by its time how much is equal.
bool IsSameToken(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

absl::Status CheckAccount(const Storage& storage, const LegacyClaims& claims) {
  const std::string key = absl::StrCat(claims.namespace_name, "/", claims.account);
  const ObjectPtr account = storage.Get("/serviceaccounts", key);
  if (account == nullptr) {
    return Refused(absl::StrCat("serviceaccounts \"", claims.account, "\" not found"));
  }
  if (meta::IsBeingDeleted(account->metadata())) {
    return Refused(absl::StrCat("ServiceAccount ", key, " has been deleted"));
  }
  if (account->metadata().uid != claims.account_uid) {
    return Refused(absl::StrCat("ServiceAccount UID (", account->metadata().uid.view(),
                                ") does not match claim (", claims.account_uid, ")"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string EncodeLegacyClaims(const LegacyClaims& claims) {
  Map<Value> members = {{"iss", kLegacyIssuer},
                        {kNamespace, claims.namespace_name},
                        {kSecret, claims.secret},
                        {kAccount, claims.account},
                        {kAccountUid, claims.account_uid},
                        {"sub", AccountUserName(claims.namespace_name, claims.account)}};
  // Texts always have a JSON form.
  return unstructured::EncodeJson(Value(std::move(members))).value_or("{}");
}

absl::StatusOr<LegacyClaims> DecodeLegacyClaims(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const Value members, unstructured::ParseJson(json), "read claims");
  if (!members.is_object()) return absl::InvalidArgumentError("read claims: not a JSON object");
  return LegacyClaims{.subject = TextAt(members, "sub"),
                      .namespace_name = TextAt(members, kNamespace),
                      .account = TextAt(members, kAccount),
                      .account_uid = TextAt(members, kAccountUid),
                      .secret = TextAt(members, kSecret)};
}

absl::Status CheckLegacyClaims(const Storage& storage, const LegacyClaims& claims,
                               absl::string_view token) {
  KUBE_RETURN_IF_ERROR(CheckMembers(claims));
  const std::string key = absl::StrCat(claims.namespace_name, "/", claims.secret);
  const ObjectPtr found = storage.Get("/secrets", key);
  if (found == nullptr || meta::IsBeingDeleted(found->metadata())) {
    return Refused("Token has been invalidated");
  }
  const auto* const secret = found->object().As<corev1::Secret>();
  const Bytes* const kept = secret == nullptr ? nullptr : secret->data.find("token");
  if (kept == nullptr || !IsSameToken(kept->view(), token)) {
    return Refused("Token does not match server's copy");
  }
  KUBE_RETURN_IF_ERROR(CheckAccount(storage, claims));
  const String* const invalid = secret->metadata.labels.find(kInvalidSince);
  if (invalid == nullptr || invalid->empty()) return absl::OkStatus();
  return Refused(absl::StrCat(
      "the token in secret ", key, " for service account ", claims.namespace_name, "/",
      claims.account,
      " has been marked invalid. Use tokens from the TokenRequest API or manually created "
      "secret-based tokens, or remove the '",
      kInvalidSince, "' label from the secret to temporarily allow use of this token"));
}

}  // namespace kube::apiserver::internal
