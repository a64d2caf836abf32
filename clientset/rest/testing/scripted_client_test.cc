#include "clientset/rest/testing/scripted_client.h"

#include <memory>

#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

TEST(ScriptedClientTest, SendsNoCredentials) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  const Client client = MakeScriptedClient(transport, {.host = "https://h", .username = "jane"});
  EXPECT_EQ(client.base_url(), "https://h");
  EXPECT_THAT(client.Do(Context(), {.absolute_path = "/x"}), base::IsOk());
  EXPECT_FALSE(transport->requests()[0].headers.Get("authorization").has_value());
}

}  // namespace
}  // namespace kube::rest
