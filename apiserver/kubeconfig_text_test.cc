#include "apiserver/kubeconfig_text.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(KubeconfigText, HasServerAuthorityAndToken) {
  const std::string text = KubeconfigText("https://127.0.0.1:1", "PEM", "secret");
  EXPECT_THAT(text, HasSubstr("server: https://127.0.0.1:1\n"));
  EXPECT_THAT(text, HasSubstr("certificate-authority-data: UEVN\n"));
  EXPECT_THAT(text, HasSubstr("token: secret\n"));
}

TEST(KubeconfigText, HasNoAuthorityWithoutTls) {
  EXPECT_THAT(KubeconfigText("http://127.0.0.1:1", "", "secret"), Not(HasSubstr("authority")));
}

TEST(KubeconfigText, HasAContextForEachUser) {
  const std::string text =
      KubeconfigText("http://127.0.0.1:1", "", "secret", {{"a:b", "t"}, {"o'neil", "c2U="}});
  EXPECT_THAT(text, HasSubstr("current-context: envtest\n"));
  EXPECT_THAT(text, HasSubstr("- name: 'a:b'\n  user:\n    token: 't'\n"));
  EXPECT_THAT(text, HasSubstr("- name: 'o''neil'\n  user:\n    token: 'c2U='\n"));
  EXPECT_THAT(text, HasSubstr("- name: 'o''neil'\n  context:\n    cluster: envtest\n"
                              "    user: 'o''neil'\n    namespace: default\n"));
}

TEST(KubeconfigText, IsRecognized) {
  for (const char* authority : {"", "PEM"}) {
    EXPECT_TRUE(IsKubeconfigText(KubeconfigText("http://127.0.0.1:1", authority, "secret")));
    EXPECT_TRUE(IsKubeconfigText(KubeconfigText("https://127.0.0.1:1", authority, "secret",
                                                {{"a:b", "t"}, {"o'neil", "c2U="}})));
  }
  // As kubectl writes it again.
  EXPECT_TRUE(IsKubeconfigText(R"(apiVersion: v1
clusters:
- cluster:
    server: http://127.0.0.1:38081
  name: envtest
contexts:
- context:
    cluster: envtest
    namespace: web
    user: envtest
  name: envtest
current-context: envtest
kind: Config
preferences: {}
users:
- name: envtest
  user:
    token: secret
)"));
}

TEST(KubeconfigText, OthersAreNotTakenForIt) {
  const std::string text = KubeconfigText("http://127.0.0.1:1", "", "secret", {{"ann", "t"}});
  const struct {
    const char* name;
    const char* old_text;
    const char* new_text;
  } cases[] = {
      {"another server", "127.0.0.1:1", "10.0.0.1:6443"},
      {"a server whose name begins alike", "127.0.0.1:1", "127.0.0.1.example.com"},
      {"another cluster", "name: envtest\n  cluster", "name: prod\n  cluster"},
      {"one more cluster", "users:", "- name: prod\n  cluster: {server: 'https://prod'}\nusers:"},
      {"no cluster", "clusters:", "others:"},
      {"a context of another cluster", "    cluster: envtest", "    cluster: prod"},
      {"no context", "contexts:", "others:"},
      {"another user", "token: 't'", "client-certificate: ann.pem"},
      {"a user with more than a token", "token: 't'", "token: 't'\n    username: ann"},
      {"without the administrator", "name: envtest\n  user", "name: joe\n  user"},
  };
  for (const auto& test : cases) {
    const std::string changed = absl::StrReplaceAll(text, {{test.old_text, test.new_text}});
    ASSERT_NE(changed, text) << test.name;
    EXPECT_FALSE(IsKubeconfigText(changed)) << test.name;
  }
  for (const char* other : {"", "text", "[]", "{", "clusters: {}", "kind: Config\n"}) {
    EXPECT_FALSE(IsKubeconfigText(other)) << other;
  }
}

}  // namespace
}  // namespace kube::apiserver
