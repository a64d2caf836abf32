#include "clientset/certificate/signing_request.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/watch/event.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/rest/client.h"
#include "informers/lister_watcher.h"
#include "informers/until.h"
#include "informers/until_with_sync.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"

namespace kube::certificate {

namespace {

namespace certificatesv1 = api::certificates::v1;

using certificatesv1::CertificateSigningRequest;
using certificatesv1::CertificateSigningRequestClient;

constexpr absl::Duration kListInterval = absl::Seconds(1);

std::vector<std::string> UsagesFor(absl::string_view purpose, const base::Secret& key) {
  std::vector<std::string> usages = {std::string(certificatesv1::kUsageDigitalSignature)};
  if (certificates::IsRsaKey(key)) {
    usages.emplace_back(certificatesv1::kUsageKeyEncipherment);
  }
  usages.emplace_back(purpose);
  return usages;
}

absl::Status Validate(const SigningRequestOptions& options) {
  if (options.signer_name.empty()) {
    return absl::InvalidArgumentError("signer_name must not be empty");
  }
  if (options.usages.empty()) return absl::InvalidArgumentError("usages must not be empty");
  if (options.lifetime < absl::ZeroDuration() ||
      options.lifetime > absl::Seconds(std::numeric_limits<int32_t>::max())) {
    return absl::InvalidArgumentError("lifetime must be between zero and 2^31 seconds");
  }
  return absl::OkStatus();
}

CertificateSigningRequest ObjectOf(absl::string_view request,
                                   const SigningRequestOptions& options) {
  CertificateSigningRequest object;
  if (options.name.empty()) {
    object.metadata.generate_name = "csr-";
  } else {
    object.metadata.name = options.name;
  }
  object.spec.request = request;
  object.spec.signer_name = options.signer_name;
  for (const std::string& usage : options.usages) object.spec.usages.push_back(usage);
  if (options.lifetime > absl::ZeroDuration()) {
    object.spec.expiration_seconds = static_cast<int32_t>(absl::ToInt64Seconds(options.lifetime));
  }
  return object;
}

// Checks that a certificate for `existing` is as good as one for `wanted`.
absl::Status CheckCompatible(const CertificateSigningRequest& existing,
                             const CertificateSigningRequest& wanted, const base::Secret& key) {
  KUBE_RETURN_IF_ERROR(certificates::CheckSameRequest(existing.spec.request.view(),
                                                      wanted.spec.request.view(), key));
  if (existing.spec.signer_name != wanted.spec.signer_name) {
    return absl::InvalidArgumentError(
        absl::StrCat("csr signerNames differ: existing \"", existing.spec.signer_name.view(),
                     "\", wanted: \"", wanted.spec.signer_name.view(), "\""));
  }
  if (existing.status.certificate.empty()) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const std::vector<certificates::CertificateDetails> all,
                        certificates::DetailsOf(existing.status.certificate.view()),
                        "parse signed certificate");
  for (const certificates::CertificateDetails& each : all) {
    if (base::WallNow() <= each.not_after) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("one of the certificates for the CSR has expired: ",
                     absl::FormatTime(absl::RFC3339_sec, each.not_after, absl::UTCTimeZone())));
  }
  return absl::OkStatus();
}

// Returns the certificate of a request, or nothing if it is not signed yet.
absl::StatusOr<std::optional<std::string>> CertificateIn(const CertificateSigningRequest& object) {
  bool approved = false;
  for (const certificatesv1::CertificateSigningRequestCondition& each : object.status.conditions) {
    const std::string why =
        absl::StrCat("reason: ", each.reason.view(), ", message: ", each.message.view());
    if (each.type == certificatesv1::kCertificateDenied) {
      return absl::PermissionDeniedError(
          absl::StrCat("certificate signing request is denied, ", why));
    }
    if (each.type == certificatesv1::kCertificateFailed) {
      return absl::FailedPreconditionError(
          absl::StrCat("certificate signing request failed, ", why));
    }
    approved = approved || each.type == certificatesv1::kCertificateApproved;
  }
  if (!approved || object.status.certificate.empty()) return std::optional<std::string>();
  return std::optional<std::string>(std::string(object.status.certificate.view()));
}

// Waits until the request can be listed, so that an error of the server is known when `ctx` ends.
absl::Status WaitForList(const Context& ctx, const CertificateSigningRequestClient& requests,
                         const std::string& selector) {
  absl::Status last = absl::OkStatus();
  const absl::Status waited = base::PollUntil(
      ctx, kListInterval, base::FirstPoll::kAtOnce,
      [&](const Context& body) -> absl::StatusOr<bool> {
        const absl::Status listed = requests.List(body, {.field_selector = selector}).status();
        if (!listed.ok() && !body.done()) last = listed;
        return listed.ok();
      });
  if (waited.ok() || last.ok()) return waited;
  return base::Annotate(waited, last.message());
}

absl::StatusOr<std::string> Wait(const Context& ctx, const rest::Client& client,
                                 const SigningRequestId& id) {
  const CertificateSigningRequestClient requests(client);
  const std::string selector = fields::OneTermEqualSelector("metadata.name", id.name).ToString();
  KUBE_RETURN_IF_ERROR(WaitForList(ctx, requests, selector));
  KUBE_ASSIGN_OR_RETURN(
      const auto source,
      informers::MakeListerWatcher(requests.typed_client(), {.field_selector = selector}));
  std::string certificate;
  const informers::EventCondition<CertificateSigningRequest> is_signed =
      [&](const watch::Event<CertificateSigningRequest>& event) -> absl::StatusOr<bool> {
    if (event.type == watch::EventType::kDeleted) return absl::NotFoundError("it was deleted");
    if (event.object == nullptr) return false;
    if (event.object->metadata.uid != id.uid) {
      return absl::AbortedError("another request has this name: its UID has changed");
    }
    KUBE_ASSIGN_OR_RETURN(std::optional<std::string> found, CertificateIn(*event.object));
    if (!found.has_value()) return false;
    certificate = *std::move(found);
    return true;
  };
  KUBE_RETURN_IF_ERROR(
      informers::UntilWithSync<CertificateSigningRequest>(ctx, source, nullptr, {is_signed}));
  return certificate;
}

}  // namespace

std::vector<std::string> ClientUsages(const base::Secret& key) {
  return UsagesFor(certificatesv1::kUsageClientAuth, key);
}

std::vector<std::string> ServingUsages(const base::Secret& key) {
  return UsagesFor(certificatesv1::kUsageServerAuth, key);
}

absl::StatusOr<SigningRequestId> RequestCertificate(const Context& ctx, const rest::Client& client,
                                                    absl::string_view request,
                                                    const base::Secret& key,
                                                    const SigningRequestOptions& options) {
  KUBE_RETURN_IF_ERROR(Validate(options), "request certificate");
  const CertificateSigningRequestClient requests(client);
  const CertificateSigningRequest wanted = ObjectOf(request, options);
  absl::StatusOr<CertificateSigningRequest> object = requests.Create(ctx, wanted);
  if (!options.name.empty() && errors::IsAlreadyExists(object.status())) {
    object = requests.Get(ctx, options.name);
    KUBE_RETURN_IF_ERROR(object, "cannot retrieve certificate signing request");
    KUBE_RETURN_IF_ERROR(CheckCompatible(*object, wanted, key),
                         "use certificate signing request \"", options.name,
                         "\": retrieved csr is not compatible");
    log::Info(ctx, "csr already exists and is still valid, reusing", {{"csr", options.name}});
  } else {
    KUBE_RETURN_IF_ERROR(object, "cannot create certificate signing request");
    KUBE_VLOG_CTX(ctx, 2, "certificate signing request created",
                  {"csr", object->metadata.name.view()});
  }
  return SigningRequestId{.name = object->metadata.name, .uid = object->metadata.uid};
}

absl::StatusOr<std::string> WaitForCertificate(const Context& ctx, const rest::Client& client,
                                               const SigningRequestId& id) {
  KUBE_ASSIGN_OR_RETURN(std::string certificate, Wait(ctx, client, id),
                        "wait for certificate signing request \"", id.name, "\"");
  KUBE_VLOG_CTX(ctx, 2, "certificate signing request is issued", {"csr", id.name});
  return certificate;
}

}  // namespace kube::certificate
