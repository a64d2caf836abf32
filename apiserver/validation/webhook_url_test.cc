#include "apiserver/validation/webhook_url.h"

#include <string>
#include <vector>

#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const field::Error& each : errors) texts.push_back(each.ToString());
  return texts;
}

TEST(WebhookUrl, WhatItMayHave) {
  const field::Path path("url");
  EXPECT_THAT(ValidateWebhookUrl("https://host:1/path", path), IsEmpty());
  EXPECT_THAT(
      Texts(ValidateWebhookUrl("http://me:secret@host/?a=b#c", path)),
      ElementsAre("url: Invalid value: \"http\": 'https' is the only allowed URL scheme; "
                  "desired format: https://host[/path]",
                  "url: Invalid value: \"me\": user information is not permitted in the URL",
                  "url: Invalid value: \"c\": fragments are not permitted in the URL",
                  "url: Invalid value: \"a=b\": query parameters are not permitted in the "
                  "URL"));
}

}  // namespace
}  // namespace kube::apiserver::internal
