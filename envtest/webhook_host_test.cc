#include "envtest/webhook_host.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "envtest/testing/review_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace registrationv1 = api::admissionregistration::v1;
using base::IsOk;
using base::StatusIs;
using ::testing::HasSubstr;
using ::testing::StartsWith;

registrationv1::WebhookClientConfig ToService(const char* path) {
  registrationv1::WebhookClientConfig config;
  config.service = registrationv1::ServiceReference{.namespace_ = "system", .name = "hooks"};
  if (path != nullptr) config.service->path = path;
  return config;
}

// behaviour.md: ENVTEST-12
TEST(WebhookHost, Listen_AServiceBecomesAUrl) {
  ReviewHandler handler;
  const auto host = WebhookHost::Listen(handler);
  ASSERT_THAT(host, IsOk());
  EXPECT_THAT((*host)->url(), StartsWith("https://127.0.0.1:"));
  const struct {
    const char* path;
    const char* expected;
  } rows[] = {
      {"/validate", "/validate"}, {"validate", "/validate"}, {"/a/b", "/a/b"}, {nullptr, "/"}};
  for (const auto& row : rows) {
    registrationv1::WebhookClientConfig config = ToService(row.path);
    (*host)->Redirect(config);
    EXPECT_EQ(config.url, absl::StrCat((*host)->url(), row.expected));
    EXPECT_FALSE(config.service);
    EXPECT_EQ(config.ca_bundle, (*host)->ca_certificate());
  }
  registrationv1::WebhookClientConfig elsewhere;
  elsewhere.url = "https://hooks.example.com/";
  (*host)->Redirect(elsewhere);
  EXPECT_EQ(elsewhere.url, "https://hooks.example.com/");
  EXPECT_TRUE(elsewhere.ca_bundle.empty());
}

// behaviour.md: ENVTEST-13
TEST(WebhookHost, Listen_AnotherName_IsInUrls) {
  ReviewHandler handler;
  const auto host = WebhookHost::Listen(handler, {.host = "localhost"});
  ASSERT_THAT(host, IsOk());
  EXPECT_THAT((*host)->url(), StartsWith("https://localhost:"));
}

TEST(WebhookHost, Listen_WrongOptions_SaysWhichHost) {
  ReviewHandler handler;
  EXPECT_THAT(WebhookHost::Listen(handler, {.address = "999.0.0.1"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("999.0.0.1")));
}

TEST(WebhookHost, InProcess_AServiceStays) {
  ReviewHandler handler;
  apiserver::ApiHandler server;
  const std::unique_ptr<WebhookHost> host = WebhookHost::InProcess(handler, server);
  registrationv1::WebhookClientConfig config = ToService("/validate");
  host->Redirect(config);
  ASSERT_TRUE(config.service);
  EXPECT_EQ(config.service->path, "/validate");
  EXPECT_FALSE(config.url.has_value());
  EXPECT_EQ(host->url(), "");
}

TEST(WebhookHost, Conversion_IsAStanzaForTheHost) {
  ReviewHandler handler;
  const auto host = WebhookHost::Listen(handler);
  ASSERT_THAT(host, IsOk());
  const api::apiextensions::v1::CustomResourceConversion stanza = (*host)->Conversion();
  EXPECT_EQ(stanza.strategy, "Webhook");
  ASSERT_TRUE(stanza.webhook);
  EXPECT_EQ(stanza.webhook->client_config->url, absl::StrCat((*host)->url(), "/convert"));
  EXPECT_THAT(stanza.webhook->conversion_review_versions, ::testing::ElementsAre("v1"));
}

}  // namespace
}  // namespace kube::envtest
