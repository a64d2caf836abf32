#include "clientset/clientcmd/validation.h"

#include "absl/status/status.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "gtest/gtest.h"

// clientset/clientcmd/differential compares all messages with client-go's.
namespace kube::clientcmd {
namespace {

Kubeconfig Good() {
  Kubeconfig config;
  config.clusters["c"] = {.server = "https://h"};
  config.users["u"] = {.token = base::Secret("t")};
  config.contexts["x"] = {.cluster = "c", .user = "u", .namespace_name = "web"};
  config.current_context = "x";
  return config;
}

// behaviour.md: KC-9
TEST(Validation, AllAtOnce) {
  EXPECT_TRUE(Validate(Good()).ok());
  EXPECT_TRUE(ConfirmUsable(Good(), "").ok());
  Kubeconfig config = Good();
  config.users["u"].username = "both";
  config.clusters["c"].server = "";
  config.clusters["c"].disable_compression = true;
  config.contexts["x"].namespace_name = "Not_A_Label";
  const absl::Status status = Validate(config);
  EXPECT_TRUE(IsConfigurationInvalid(status));
  EXPECT_EQ(status.message(),
            "invalid configuration: [namespace \"Not_A_Label\" for context \"x\" does not conform "
            "to the kubernetes DNS_LABEL rules, more than one authentication method found for u; "
            "found [token basicAuth], only one is allowed, no server found for cluster \"c\"]");
}

// behaviour.md: KC-9
TEST(Validation, OnlyWhatTheContextNeeds) {
  Kubeconfig config = Good();
  config.users["other"] = {.exec = ExecPlugin()};
  EXPECT_FALSE(Validate(config).ok());
  EXPECT_TRUE(ConfirmUsable(config, "x").ok());
  EXPECT_TRUE(IsContextNotFound(ConfirmUsable(config, "y")));
}

TEST(Validation, KindsOutliveAnnotations) {
  const absl::Status status = base::Annotate(Validate({}), "load configuration");
  EXPECT_TRUE(IsEmptyConfig(status));
  EXPECT_TRUE(IsConfigurationInvalid(status));
  EXPECT_FALSE(IsEmptyConfig(absl::InvalidArgumentError(status.message())));
}

}  // namespace
}  // namespace kube::clientcmd
