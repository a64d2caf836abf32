#include "apiserver/webhooks/conversion_webhook.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/custom_converter.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::Unstructured;

// Returns the converter of a definition with this conversion.
std::shared_ptr<const CustomConverter> Make(absl::string_view conversion,
                                            std::shared_ptr<WebhookCaller> caller,
                                            std::shared_ptr<const WebhookScope> scope) {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      absl::StrCat(R"({"spec":{"conversion":)", conversion, "}}"));
  EXPECT_THAT(definition, IsOk());
  if (!definition.ok()) return nullptr;
  return ConversionWebhook::Make(*definition, std::move(caller), std::move(scope));
}

std::string Webhook(absl::string_view version) {
  return absl::StrCat(R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":[")", version,
                      R"("],"clientConfig":{"url":"https://h/c"}}})");
}

absl::Status Convert(const CustomConverter& converter) {
  Unstructured object;
  object.set_api_version("example.com/v1");
  object.set_kind("Dog");
  return converter
      .Convert({.api_version = "example.com/v1", .kind = "Dog"}, {object}, "example.com/v2")
      .status();
}

TEST(ConversionWebhook, OnlyOfItsStrategy) {
  EXPECT_EQ(Make(R"({"strategy":"None"})", std::make_shared<WebhookCaller>(),
                 std::make_shared<WebhookScope>()),
            nullptr);
}

TEST(ConversionWebhook, NamesWhatFailed) {
  const auto caller = std::make_shared<WebhookCaller>();
  const auto scope = std::make_shared<WebhookScope>();
  caller->SetFunction("https://h/c",
                      [](const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
                        const bool is_old = absl::StrContains(body, "k8s.io/v1beta1\"");
                        return absl::UnavailableError(is_old ? "old" : "new");
                      });
  EXPECT_THAT(Convert(*Make(Webhook("v1"), caller, scope)),
              StatusIs(testing::_,
                       "conversion webhook for example.com/v1, Kind=Dog failed: Post "
                       "\"https://h/c?timeout=30s\": new"));
  EXPECT_THAT(Convert(*Make(Webhook("v1beta1"), caller, scope)),
              StatusIs(testing::_, HasSubstr(": old")));
  EXPECT_THAT(Convert(*Make(Webhook("v2"), caller, scope)),
              StatusIs(testing::_, "no supported conversion review versions"));
}

// The server ends while the webhook thinks.
TEST(ConversionWebhook, EndsWithTheScope) {
  const auto caller = std::make_shared<WebhookCaller>();
  const auto scope = std::make_shared<WebhookScope>();
  caller->SetFunction(
      "https://h/c",
      [&scope](const Context& ctx, absl::string_view) -> absl::StatusOr<std::string> {
        scope->Cancel();
        EXPECT_TRUE(ctx.done());
        return "{}";
      });
  EXPECT_THAT(Convert(*Make(Webhook("v1"), caller, scope)),
              StatusIs(testing::_, HasSubstr("context canceled")));
  EXPECT_FALSE(scope->context().done());
  scope->End();
  EXPECT_TRUE(scope->context().done());
}

}  // namespace
}  // namespace kube::apiserver::internal
