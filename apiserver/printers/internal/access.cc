#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/certificates/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/duration/human_duration.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Role bindings and certificate signing requests. Roles have the default columns.
namespace kube::printers::internal {
namespace {

namespace certificatesv1 = api::certificates::v1;
namespace rbacv1 = api::rbac::v1;

constexpr Column kBindingColumns[] = {
    kName,
    {"Role", "string", "The role that the subjects are granted."},
    kAge,
    {"Users", "string", "The users among the subjects of the binding.", 1},
    {"Groups", "string", "The groups among the subjects of the binding.", 1},
    {"ServiceAccounts", "string", "The service accounts among the subjects of the binding.", 1},
};

constexpr Column kSigningRequestColumns[] = {
    kName,
    kAge,
    {"SignerName", "string", "The signer that the request is addressed to."},
    {"Requestor", "string", "The user who created the request."},
    {"RequestedDuration", "string", "The requested validity of the certificate."},
    {"Condition", "string",
     "The state of the request: pending, approved, denied, failed or issued."},
};

struct Subjects {
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> accounts;
};

// Subjects of other kinds are not shown.
Subjects SubjectsOf(const List<rbacv1::Subject>& all) {
  Subjects subjects;
  for (const rbacv1::Subject& each : all) {
    if (each.kind == "User") {
      subjects.users.push_back(each.name);
    } else if (each.kind == "Group") {
      subjects.groups.push_back(each.name);
    } else if (each.kind == "ServiceAccount") {
      subjects.accounts.push_back(absl::StrCat(each.namespace_.view(), "/", each.name.view()));
    }
  }
  return subjects;
}

template <typename Binding>
void PrintBinding(const Binding& binding, Row& row) {
  const Subjects subjects = SubjectsOf(binding.subjects);
  row.Text(binding.metadata.name);
  row.Text(absl::StrCat(binding.role_ref.kind.view(), "/", binding.role_ref.name.view()));
  row.Age(binding.metadata.creation_timestamp);
  row.Text(absl::StrJoin(subjects.users, ", "));
  row.Text(absl::StrJoin(subjects.groups, ", "));
  row.Text(absl::StrJoin(subjects.accounts, ", "));
}

// A condition counts if it exists, whatever its status.
std::string ConditionOf(const certificatesv1::CertificateSigningRequest& request) {
  bool approved = false;
  bool denied = false;
  bool failed = false;
  for (const certificatesv1::CertificateSigningRequestCondition& each : request.status.conditions) {
    approved |= each.type == "Approved";
    denied |= each.type == "Denied";
    failed |= each.type == "Failed";
  }
  return absl::StrCat(denied     ? "Denied"
                      : approved ? "Approved"
                                 : "Pending",
                      failed ? ",Failed" : "", request.status.certificate.empty() ? "" : ",Issued");
}

void PrintSigningRequest(const certificatesv1::CertificateSigningRequest& request, Row& row) {
  row.Text(request.metadata.name);
  row.Age(request.metadata.creation_timestamp);
  row.Text(OrElse(request.spec.signer_name, kNone));
  row.Text(request.spec.username);
  row.Text(request.spec.expiration_seconds.has_value()
               ? duration::HumanDuration(absl::Seconds(*request.spec.expiration_seconds))
               : std::string(kNone));
  row.Text(ConditionOf(request));
}

}  // namespace

std::vector<Printer> AccessPrinters() {
  return {
      PrinterOf<PrintBinding<rbacv1::RoleBinding>>(kBindingColumns),
      PrinterOf<PrintBinding<rbacv1::ClusterRoleBinding>>(kBindingColumns),
      PrinterOf<PrintSigningRequest>(kSigningRequestColumns),
  };
}

}  // namespace kube::printers::internal
