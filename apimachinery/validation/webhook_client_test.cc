#include "apimachinery/validation/webhook_client.h"

#include <string>
#include <vector>

#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const field::Error& each : errors) texts.push_back(each.ToString());
  return texts;
}

TEST(WebhookClient, Services) {
  const field::Path path("service");
  EXPECT_THAT(ValidateWebhookService({.name = "n", .namespace_name = "ns"}, path), IsEmpty());
  EXPECT_THAT(
      Texts(ValidateWebhookService({.name = "n", .path = "p//q", .port = 0}, path)),
      ElementsAre("service.name: Required value",
                  "service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, "
                  "inclusive",
                  "service.path: Invalid value: \"p//q\": must start with a '/'",
                  "service.path: Invalid value: \"p//q\": segment[0] may not be empty",
                  "service.path: Invalid value: \"p//q\": segment[1] may not be empty"));
}

}  // namespace
}  // namespace kube::validation
