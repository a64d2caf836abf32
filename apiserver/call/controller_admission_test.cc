#include "apiserver/call/controller_admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/collector.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::HasSubstr;
using testing::IsNull;
using testing::NotNull;

constexpr char kPolicy[] =
    R"({"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[)"
    R"({"operations":["DELETE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]})"
    R"(]},"validations":[{"expression":"false","messageExpression":"request.userInfo.username"}]}})";
constexpr char kBinding[] =
    R"({"metadata":{"name":"p"},"spec":{"policyName":"p","validationActions":["Deny"]}})";

class ControllerAdmission : public testing::Test {
 protected:
  ControllerAdmission() : core_(StorageOptions(), printers::PlainTables()) {
    core_.authorize = [](const User&, const RequestInfo&) { return Decision(); };
  }

  void SetUp() override {
    Store("/namespaces", "v1", "Namespace", R"({"metadata":{"name":"default"}})");
  }

  void Store(absl::string_view resource, absl::string_view api_version, absl::string_view kind,
             absl::string_view json) {
    Object object = ObjectOfJson(api_version, kind, json);
    const std::string name(object.metadata().name);
    EXPECT_THAT(core_.storage.Create(resource, name, std::move(object)), IsOk());
  }

  std::unique_ptr<WriteAdmission> Admission(absl::string_view account) {
    const std::shared_ptr<const Resources> resources = core_.resources.Get();
    return AdmissionOf(core_,
                       {.resource = resources->Find("", "v1", "configmaps"),
                        .namespace_name = "default",
                        .name = "m",
                        .account = account},
                       Context());
  }

  Core core_;
};

TEST_F(ControllerAdmission, NothingIsAskedWhileNothingIsConfigured) {
  EXPECT_THAT(Admission("namespace-controller"), IsNull());
}

TEST_F(ControllerAdmission, IsThatOfTheControllersUser) {
  constexpr absl::string_view kGroup = "admissionregistration.k8s.io";
  const std::string version = absl::StrCat(kGroup, "/v1");
  Store(absl::StrCat(kGroup, "/validatingadmissionpolicies"), version, "ValidatingAdmissionPolicy",
        kPolicy);
  Store(absl::StrCat(kGroup, "/validatingadmissionpolicybindings"), version,
        "ValidatingAdmissionPolicyBinding", kBinding);
  const struct {
    const char* account;
    const char* user;
  } kRows[] = {
      {"namespace-controller", "system:serviceaccount:kube-system:namespace-controller"},
      {"", "system:kube-controller-manager"},
  };
  const Object map = ObjectOfJson("v1", "ConfigMap", R"({"metadata":{"name":"m"}})");
  for (const auto& row : kRows) {
    const std::unique_ptr<WriteAdmission> admission = Admission(row.account);
    ASSERT_THAT(admission, NotNull()) << row.user;
    EXPECT_THAT(std::string(admission->Delete(map).message()),
                HasSubstr(absl::StrCat("denied request: ", row.user)));
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
