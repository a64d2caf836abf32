#include "webhook/ca_bundle.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "webhook/testing/dog_conversions.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using unstructured::Unstructured;
using unstructured::Value;

std::string NewCa() {
  const auto authority = certificates::CertificateAuthority::Make("ca");
  EXPECT_THAT(authority, IsOk());
  return authority->certificate();
}

TEST(BundleWith, EachCase) {
  const std::string a = NewCa();
  const std::string b = NewCa();
  EXPECT_THAT(BundleWith("", a), IsOkAndHolds(a));
  EXPECT_THAT(BundleWith("\n", a), IsOkAndHolds(a)) << "the \"Cg==\" of generated manifests";
  EXPECT_THAT(BundleWith(a, b), IsOkAndHolds(a + b));
  EXPECT_THAT(BundleWith(a + b, a), IsOkAndHolds(a + b));
  EXPECT_THAT(BundleWith(a, a + b), IsOkAndHolds(a + b));
  const std::string c = NewCa();
  EXPECT_THAT(BundleWith(a + c, a + b), IsOkAndHolds(c + a + b));
  EXPECT_THAT(BundleWith(a, "no PEM"), StatusIs(absl::StatusCode::kInvalidArgument));
}

// Returns a bundle of this many authorities.
std::string ManyCas(int count) {
  std::string bundle;
  for (int i = 0; i < count; ++i) bundle += NewCa();
  return bundle;
}

int CountIn(absl::string_view bundle) {
  int count = 0;
  for (size_t at = bundle.find("BEGIN"); at != absl::string_view::npos;
       at = bundle.find("BEGIN", at + 1)) {
    ++count;
  }
  return count;
}

TEST(BundleWith, ManyRestarts_TheOldestAreDropped) {
  const std::string first = NewCa();
  const std::string second = NewCa();
  const std::string newest = NewCa();
  const absl::StatusOr<std::string> bundle = BundleWith(first + second + ManyCas(98), newest);
  ASSERT_THAT(bundle, IsOk());
  EXPECT_EQ(CountIn(*bundle), 100);
  EXPECT_THAT(*bundle, HasSubstr(newest));
  EXPECT_THAT(*bundle, HasSubstr(second));
  EXPECT_THAT(*bundle, Not(HasSubstr(first)));
}

// An authority signs for months, while other replicas restart.
TEST(BundleWith, TheAuthorityInUse_IsNotDroppedWhenItsNextOneIsAdded) {
  const std::string in_use = NewCa();
  const std::string next = NewCa();
  const absl::StatusOr<std::string> bundle = BundleWith(in_use + ManyCas(99), in_use + next);
  ASSERT_THAT(bundle, IsOk());
  EXPECT_EQ(CountIn(*bundle), 100);
  EXPECT_THAT(*bundle, EndsWith(in_use + next));
}

TEST(BundleWith, Full_WhatHasExpiredIsDroppedBeforeWhatIsOld) {
  const auto authority = certificates::CertificateAuthority::Make("ca");
  ASSERT_THAT(authority.status(), IsOk());
  const auto expired =
      authority->Issue({.valid_from = -absl::Hours(2), .valid_until = -absl::Hours(1)});
  ASSERT_THAT(expired, IsOk());
  const std::string oldest = NewCa();
  const std::string newest = NewCa();
  EXPECT_THAT(BundleWith(expired->certificate + oldest, newest),
              IsOkAndHolds(expired->certificate + oldest + newest));
  const absl::StatusOr<std::string> bundle =
      BundleWith(oldest + ManyCas(98) + expired->certificate, newest);
  ASSERT_THAT(bundle, IsOk());
  EXPECT_EQ(CountIn(*bundle), 100);
  EXPECT_THAT(*bundle, StartsWith(oldest));
  EXPECT_THAT(*bundle, Not(HasSubstr(expired->certificate)));
}

class AddCaBundleTest : public testing::Test {
 protected:
  dynamic::ResourceClient Resource(absl::string_view group, absl::string_view plural) {
    return dynamic::DynamicClient(client_).Resource(
        {.group = std::string(group), .version = "v1", .resource = std::string(plural)});
  }

  void Create(const dynamic::ResourceClient& resource, absl::string_view json) {
    const absl::StatusOr<Unstructured> object = unstructured::DecodeUnstructured(json);
    ASSERT_THAT(object, IsOk());
    ASSERT_THAT(resource.Create(Context(), *object), IsOk());
  }
  void CreateConfiguration(absl::string_view kind) {
    const auto hook = [](absl::string_view name) {
      return absl::StrCat(
          R"({"name":")", name, R"(.example.com","sideEffects":"None",)",
          R"("admissionReviewVersions":["v1"],"clientConfig":{"service":)",
          R"({"namespace":"default","name":"hooks","path":"/)", name, R"("}},)",
          R"("rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)",
          R"("resources":["secrets"]}]})");
    };
    Create(kind == "Mutating" ? mutating_ : validating_,
           absl::StrCat(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")", kind,
                        R"(WebhookConfiguration","metadata":{"name":"hooks"},"webhooks":[)",
                        hook("a"), ",", hook("b"), "]}"));
  }

  // Returns the text of a caBundle.
  static std::string Decoded(const Value& client_config) {
    std::string text;
    EXPECT_TRUE(absl::Base64Unescape(client_config["caBundle"].text().value_or(""), &text));
    return text;
  }

  const log::LogCapture quiet_;
  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(envtest::InProcessConfig(server_));
  const dynamic::ResourceClient mutating_ =
      Resource("admissionregistration.k8s.io", "mutatingwebhookconfigurations");
  const dynamic::ResourceClient validating_ =
      Resource("admissionregistration.k8s.io", "validatingwebhookconfigurations");
  const dynamic::ResourceClient definitions_ =
      Resource("apiextensions.k8s.io", "customresourcedefinitions");
  const CaBundleTargets targets_ = {.mutating_configurations = {"hooks"},
                                    .validating_configurations = {"hooks"},
                                    .definitions = {"dogs.example.com"}};
};

TEST_F(AddCaBundleTest, AllTargets_OfTwoReplicas) {
  CreateConfiguration("Mutating");
  CreateConfiguration("Validating");
  Create(definitions_, DogDefinition("v2"));
  const std::string one = NewCa();
  const std::string two = NewCa();
  EXPECT_THAT(AddCaBundle(Context(), client_, targets_, one), IsOk());
  EXPECT_THAT(AddCaBundle(Context(), client_, targets_, two), IsOk());
  for (const dynamic::ResourceClient* resource : {&mutating_, &validating_}) {
    const absl::StatusOr<Unstructured> read = resource->Get(Context(), "hooks");
    ASSERT_THAT(read, IsOk());
    const Value* const webhooks = read->object.find("webhooks");
    ASSERT_NE(webhooks, nullptr);
    ASSERT_EQ(webhooks->list()->size(), 2u);
    for (const Value& webhook : *webhooks->list()) {
      EXPECT_EQ(Decoded(webhook["clientConfig"]), one + two);
    }
  }
  const absl::StatusOr<Unstructured> definition = definitions_.Get(Context(), "dogs.example.com");
  ASSERT_THAT(definition, IsOk());
  EXPECT_EQ(Decoded((*definition->object.find("spec"))["conversion"]["webhook"]["clientConfig"]),
            one + two);

  // What is there is not written again.
  const std::string version(mutating_.Get(Context(), "hooks")->resource_version());
  EXPECT_THAT(AddCaBundle(Context(), client_, targets_, one), IsOk());
  EXPECT_EQ(mutating_.Get(Context(), "hooks")->resource_version(), version);
}

TEST_F(AddCaBundleTest, ATargetThatIsNotThere_IsNamed_AndTheOthersAreDone) {
  CreateConfiguration("Validating");
  const std::string ca = NewCa();
  EXPECT_THAT(AddCaBundle(Context(), client_, targets_, ca).message(),
              AllOf(HasSubstr("add CA bundle to MutatingWebhookConfiguration \"hooks\""),
                    HasSubstr("add CA bundle to CustomResourceDefinition \"dogs.example.com\"")));
  const absl::StatusOr<Unstructured> read = validating_.Get(Context(), "hooks");
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(Decoded((*read->object.find("webhooks")->list())[0]["clientConfig"]), ca);
}

TEST_F(AddCaBundleTest, NoCertificate_IsInvalid) {
  EXPECT_THAT(AddCaBundle(Context(), client_, targets_, "x"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(server_.Requests().empty());
}

}  // namespace
}  // namespace kube::webhook
