#include "apiserver/call/request_admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/core.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::HasSubstr;
using testing::IsNull;
using testing::NotNull;

class RequestAdmission : public testing::Test {
 protected:
  RequestAdmission() : core_(StorageOptions(), printers::PlainTables()) {
    core_.authorize = [](const User&, const RequestInfo&) { return Decision(); };
  }

  void SetUp() override {
    EXPECT_THAT(
        core_.storage.Create("/namespaces", "default",
                             ObjectOfJson("v1", "Namespace", R"({"metadata":{"name":"default"}})")),
        IsOk());
  }

  Core core_;
};

TEST_F(RequestAdmission, NothingIsAskedWhileNothingIsConfigured) {
  const std::shared_ptr<const Resources> resources = core_.resources.Get();
  const ConfigMapCreation creation(*resources, "{}");
  EXPECT_TRUE(PluginsFor(core_, creation.info(), *resources).empty());
}

TEST_F(RequestAdmission, AsksThePolicies) {
  StoreBoundPolicy(core_.storage, "p", R"("validations":[{"expression":"object.data.x == 'y'"}])");
  const std::shared_ptr<const Resources> resources = core_.resources.Get();
  const ConfigMapCreation creation(*resources, "{}");
  AdmissionPlugins plugins = PluginsFor(core_, creation.info(), *resources);
  EXPECT_THAT(plugins.policies, NotNull());
  EXPECT_THAT(plugins.webhooks, IsNull());
  const std::unique_ptr<WebhookAdmission> admission =
      MakeAdmission(Context(), core_, std::move(plugins));
  admission->Begin(creation.info(), creation.user(), resources, creation.resource());
  const auto validate = [&](const char* json) {
    return admission->Validate(nullptr, ObjectOfJson("v1", "ConfigMap", json));
  };
  EXPECT_THAT(validate(R"({"metadata":{"name":"m"},"data":{"x":"y"}})"), IsOk());
  const absl::Status denied = validate(R"({"metadata":{"name":"m"},"data":{"x":"z"}})");
  EXPECT_THAT(std::string(denied.message()), HasSubstr("ValidatingAdmissionPolicy 'p'"));
}

}  // namespace
}  // namespace kube::apiserver::internal
