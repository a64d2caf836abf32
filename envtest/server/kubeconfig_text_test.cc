#include "envtest/server/kubeconfig_text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
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

}  // namespace
}  // namespace kube::envtest
