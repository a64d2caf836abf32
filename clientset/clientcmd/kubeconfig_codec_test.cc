#include "clientset/clientcmd/kubeconfig_codec.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

using base::StatusIs;
using testing::HasSubstr;
using testing::Not;

TEST(KubeconfigCodec, EmptyTexts) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n", "null", "{}", "kind: Config\n"}) {
    const absl::StatusOr<Kubeconfig> config = DecodeKubeconfig(text);
    ASSERT_TRUE(config.ok()) << text << config.status();
    EXPECT_TRUE(IsConfigEmpty(*config)) << text;
  }
}

struct BadText {
  const char* name;
  const char* text;
  const char* message;
};

constexpr BadText kBadTexts[] = {
    {"other kind", "kind: Pod\napiVersion: v1\n", "no kind \"Pod\""},
    {"other version", "apiVersion: v2\n", "for version \"v2\""},
    {"a list", "- a\n", "object"},
    {"type, with its place", "clusters:\n- name: a\n  cluster:\n    server: [x]\n", "line 4"},
    {"base64, with its place", "users:\n- user:\n    client-key-data: '%secret%'\n", "line 3"},
    {"a token that is a number", "users:\n- name: a\n  user:\n    token: 12345678\n", "token"},
    {"cluster twice", "clusters: [{name: a}, {name: a}]", "clusters: duplicate name \"a\""},
    {"user twice", "users: [{name: a, user: {token: secret}}, {name: a}]", "users: duplicate"},
    {"not YAML", "users:\n- user: {token: \"secret\n", "line"},
};

TEST(KubeconfigCodec, ErrorsHaveTheirPlaceAndNoSecret) {
  for (const BadText& row : kBadTexts) {
    SCOPED_TRACE(row.name);
    const absl::Status status = DecodeKubeconfig(row.text).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.message)));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("12345678")));
  }
}

TEST(KubeconfigCodec, HostileTexts) {
  EXPECT_FALSE(DecodeKubeconfig(std::string(100'000, '[')).ok());
  EXPECT_FALSE(DecodeKubeconfig(std::string(1 << 20, '\0')).ok());
  EXPECT_FALSE(DecodeKubeconfig("\x7f"
                                "ELF\x01\x02\xff\xfe")
                   .ok());
}

TEST(KubeconfigCodec, InteractiveModeOfOldVersions) {
  const auto mode = [](const char* version) {
    const std::string text = absl::StrCat(
        "users: [{name: a, user: {exec: {command: x, apiVersion: client.authentication.k8s.io/",
        version, "}}}]");
    return DecodeKubeconfig(text)->users["a"].exec->interactive_mode;
  };
  EXPECT_EQ(mode("v1beta1"), "IfAvailable");
  EXPECT_EQ(mode("v1alpha1"), "IfAvailable");
  EXPECT_EQ(mode("v1"), "");
}

TEST(KubeconfigCodec, WritesAsKubectl) {
  Kubeconfig config;
  config.clusters["prod"] = {.server = "https://10.0.0.1:6443"};
  config.users["me"] = {.token = base::Secret("t")};
  config.contexts["prod"] = {.cluster = "prod", .user = "me", .namespace_name = "web"};
  config.current_context = "prod";
  const absl::StatusOr<std::string> text = EncodeKubeconfig(config);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, R"(apiVersion: v1
clusters:
- cluster:
    server: https://10.0.0.1:6443
  name: prod
contexts:
- context:
    cluster: prod
    namespace: web
    user: me
  name: prod
current-context: prod
kind: Config
users:
- name: me
  user:
    token: t
)");
  EXPECT_EQ(*DecodeKubeconfig(*text), config);
}

}  // namespace
}  // namespace kube::clientcmd
