#include "apiserver/kubeconfig_text.h"

#include <string>

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

}  // namespace
}  // namespace kube::apiserver
