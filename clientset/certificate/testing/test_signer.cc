#include "clientset/certificate/testing/test_signer.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/client.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificate {

namespace {

namespace certificatesv1 = api::certificates::v1;

using certificatesv1::CertificateSigningRequest;

void AddCondition(CertificateSigningRequest& request, const char* type) {
  request.status.conditions.push_back(
      {.type = type, .status = "True", .reason = "Test", .message = "as the test says"});
}

}  // namespace

TestSigner::TestSigner(rest::Client client, TestSignerOptions options)
    : requests_(std::move(client)),
      options_(options),
      authority_(*certificates::CertificateAuthority::Make("test-signer")) {}

absl::Status TestSigner::Start(const Context& ctx) {
  return thread_.Start(ctx, "test-signer", [this](const Context& body) {
    base::Until(body, options_.interval, [this](const Context& run) {
      const absl::Status answered = AnswerAll(run);
      if (!answered.ok() && !run.done()) log::Error(run, answered, "failed to answer requests");
    });
  });
}

absl::Status TestSigner::AnswerAll(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const certificatesv1::CertificateSigningRequestList all,
                        requests_.List(ctx));
  for (const CertificateSigningRequest& each : all.items) {
    if (each.status.conditions.empty()) KUBE_RETURN_IF_ERROR(Answer(ctx, each));
  }
  return absl::OkStatus();
}

absl::Status TestSigner::Answer(const Context& ctx, CertificateSigningRequest request) const {
  const std::string name(request.metadata.name);
  AddCondition(request, options_.verdict == Verdict::kDeny ? "Denied" : "Approved");
  KUBE_ASSIGN_OR_RETURN(request, requests_.UpdateApproval(ctx, name, request));
  if (options_.verdict == Verdict::kFail) {
    AddCondition(request, "Failed");
    return requests_.UpdateStatus(ctx, request).status();
  }
  if (options_.verdict != Verdict::kSign) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(
      const std::string certificate,
      authority_.SignRequest(request.spec.request.view(), {.valid_from = absl::ZeroDuration(),
                                                           .valid_until = options_.lifetime}));
  request.status.certificate = certificate;
  return requests_.UpdateStatus(ctx, request).status();
}

}  // namespace kube::certificate
