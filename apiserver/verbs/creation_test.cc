#include "apiserver/verbs/creation.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/list.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::certificates::v1::CertificateSigningRequest;
using base::IsOk;
using testing::HasSubstr;

class CreationTest : public testing::Test {
 protected:
  CreationTest() {
    call_.resource = resources_.Find("rbac.authorization.k8s.io", "v1", "rolebindings");
    call_.info = {.is_resource_request = true,
                  .verb = "update",
                  .group = "rbac.authorization.k8s.io",
                  .version = "v1",
                  .namespace_name = "n",
                  .resource = "rolebindings",
                  .name = "b"};
    call_.user = {.name = "ann"};
    call_.record = &record_;
  }

  const Resources resources_ = Resources::BuiltIn();
  WriteRecord record_;
  Call call_;
};

TEST_F(CreationTest, CheckCreation_RefusesWhileTheDefinitionGoes) {
  EXPECT_THAT(CheckCreation(call_), IsOk());
  Resource going = *call_.resource;
  going.terminating = true;
  call_.resource = &going;
  const absl::Status refused = CheckCreation(call_);
  EXPECT_TRUE(errors::IsForbidden(refused));
  EXPECT_THAT(refused.message(),
              HasSubstr("create not allowed while custom resource definition is terminating"));
}

TEST_F(CreationTest, IsMissing_IsAboutTheObjectOfTheRequest) {
  const std::string group = "rbac.authorization.k8s.io";
  EXPECT_TRUE(
      IsMissing(errors::NotFound({.group = group, .resource = "rolebindings"}, "b"), call_));
  EXPECT_FALSE(IsMissing(errors::NotFound({.group = group, .resource = "roles"}, "r"), call_))
      << "the role that the binding refers to";
  EXPECT_FALSE(IsMissing(errors::BadRequest("no"), call_));
  EXPECT_FALSE(IsMissing(absl::OkStatus(), call_));
}

TEST_F(CreationTest, AuthorizeCreation_AsksForTheVerbCreate) {
  Core core(StorageOptions(), printers::PlainTables());
  std::string asked;
  bool allowed = true;
  core.authorize = [&](const User& user, const RequestInfo& info) {
    asked = user.name + " " + info.verb + " " + info.resource + " " + info.name;
    Decision decision;
    decision.allowed = allowed;
    decision.reason = "because";
    return decision;
  };
  EXPECT_THAT(AuthorizeCreation(core, call_), IsOk());
  EXPECT_EQ(asked, "ann create rolebindings b");
  EXPECT_EQ(record_.denied_verb, "");
  allowed = false;
  const absl::Status refused = AuthorizeCreation(core, call_);
  EXPECT_TRUE(errors::IsForbidden(refused));
  EXPECT_THAT(refused.message(), HasSubstr("because"));
  EXPECT_EQ(record_.denied_verb, "create");
}

Object RequestOfCertificate() {
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("certificates.k8s.io/v1", "CertificateSigningRequest"),
      absl::string_view(R"({"metadata":{"name":"c"},"spec":{"username":"root","uid":"0",)"
                        R"("groups":["system:masters"],"extra":{"a":["b"]}}})"));
  KUBE_CHECK(object.ok()) << object.status();
  return Object(*std::move(object));
}

TEST_F(CreationTest, SetRequestor_ReplacesWhatTheClientHasSent) {
  call_.user = {.name = "ann", .uid = "u", .groups = {"devs"}, .extra = {{"scopes", {"x", "y"}}}};
  Object object = RequestOfCertificate();
  SetRequestor(call_, object);
  const auto& spec = object.As<CertificateSigningRequest>()->spec;
  EXPECT_EQ(spec.username, "ann");
  EXPECT_EQ(spec.uid, "u");
  ASSERT_EQ(spec.groups.size(), 1u);
  EXPECT_EQ(spec.groups[0], "devs");
  EXPECT_FALSE(spec.extra.contains("a"));
  ASSERT_TRUE(spec.extra.contains("scopes"));
  EXPECT_EQ(spec.extra.find("scopes")->size(), 2u);
}

}  // namespace
}  // namespace kube::apiserver::internal
