#include "clientset/rest/internal/credentials/file_credentials.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string HeaderOf(FileCredentials& credentials) {
  return std::string((*credentials.Get({}))->authorization.Reveal());
}

class FileCredentialsTest : public ::testing::Test {
 protected:
  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  const TestFolder folder_;
};

// behaviour.md: KC-7
TEST_F(FileCredentialsTest, Headers) {
  const std::string file = folder_.Write("token", "of-file\n");
  const struct {
    const char* name;
    Config config;
    const char* header;
  } kCases[] = {
      {"none", {}, ""},
      {"password", {.username = "me", .password = base::Secret("p:w")}, "Basic bWU6cDp3"},
      {"no password", {.username = "me"}, "Basic bWU6"},
      {"password alone is nothing", {.password = base::Secret("p")}, ""},
      {"token", {.bearer_token = base::Secret("t")}, "Bearer t"},
      {"file", {.bearer_token_file = file}, "Bearer of-file"},
      {"token and file",
       {.bearer_token = base::Secret("t"), .bearer_token_file = file},
       "Bearer of-file"},
      {"token and no file",
       {.bearer_token = base::Secret("t"), .bearer_token_file = "/none"},
       "Bearer t"},
      {"token as its file has it, as of a kubeconfig's tokenFile",
       {.bearer_token = base::Secret("of-file\n"), .bearer_token_file = file},
       "Bearer of-file"},
      {"token that no header can have, and a file",
       {.bearer_token = base::Secret("a\nb"), .bearer_token_file = file},
       "Bearer of-file"},
  };
  for (const auto& c : kCases) {
    auto credentials = FileCredentials::Make(c.config);
    ASSERT_THAT(credentials.status(), IsOk()) << c.name;
    EXPECT_EQ(HeaderOf(**credentials), c.header) << c.name;
  }
}

// behaviour.md: TR-7
TEST_F(FileCredentialsTest, Contradictions) {
  const struct {
    const char* name;
    Config config;
    const char* message;
  } kCases[] = {
      {"password and token", {.username = "me", .bearer_token = base::Secret("t")}, "not both"},
      {"password and file", {.username = "me", .bearer_token_file = "/none"}, "not both"},
      {"no file", {.bearer_token_file = "/none"}, "bearer_token_file: read \"/none\""},
      {"line break", {.bearer_token = base::Secret("t\n")}, "bearer_token: the token has"},
      {"line break, and no file",
       {.bearer_token = base::Secret("t\n"), .bearer_token_file = "/none"},
       "bearer_token_file: read \"/none\""},
      {"line break, and in the file",
       {.bearer_token = base::Secret("a\nb"), .bearer_token_file = folder_.Write("bad", "a\nb")},
       "bad\": the token has"},
      {"zero byte in the name",
       {.bearer_token_file =
            absl::StrCat(folder_.Write("token", "t"), absl::string_view("\0x", 2))},
       "file name contains NUL"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(FileCredentials::Make(c.config).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.name;
  }
}

TEST_F(FileCredentialsTest, SameObjectUntilSomethingChanges) {
  auto credentials = FileCredentials::Make({.bearer_token_file = folder_.Write("token", "one")});
  ASSERT_THAT(credentials.status(), IsOk());
  const auto one = *(*credentials)->Get({});
  clock_.Step(absl::Minutes(1));
  EXPECT_EQ(*(*credentials)->Get({}), one);
  folder_.Write("token", "two");
  clock_.Step(absl::Minutes(1));
  const auto two = *(*credentials)->Get({});
  EXPECT_EQ(two->authorization, base::Secret("Bearer two"));
  EXPECT_GT(two->generation, one->generation);
}

// behaviour.md: TR-6
TEST_F(FileCredentialsTest, RejectedReadsAgain) {
  auto credentials = FileCredentials::Make({.bearer_token_file = folder_.Write("token", "one")});
  ASSERT_THAT(credentials.status(), IsOk());
  const auto one = *(*credentials)->Get({});
  EXPECT_THAT((*credentials)->Rejected({}, *one), IsOkAndHolds(false));
  folder_.Write("token", "two");
  EXPECT_EQ(HeaderOf(**credentials), "Bearer one");
  EXPECT_THAT((*credentials)->Rejected({}, *one), IsOkAndHolds(true));
  EXPECT_EQ(HeaderOf(**credentials), "Bearer two");
  // That token was replaced already, so nothing is read.
  folder_.Write("token", "three");
  EXPECT_THAT((*credentials)->Rejected({}, *one), IsOkAndHolds(true));
  EXPECT_EQ(HeaderOf(**credentials), "Bearer two");
}

TEST_F(FileCredentialsTest, RejectedCertificateIsReadAgain) {
  const auto authority = *certificates::CertificateAuthority::Make("ca");
  const auto a = *authority.Issue({.common_name = "a"});
  const auto b = *authority.Issue({.common_name = "b"});
  auto credentials =
      FileCredentials::Make({.tls = {.cert_file = folder_.Write("cert", a.certificate),
                                     .key_file = folder_.Write("key", a.key.Reveal())}});
  ASSERT_THAT(credentials.status(), IsOk());
  const auto first = *(*credentials)->Get({});
  EXPECT_THAT((*credentials)->Rejected({}, *first), IsOkAndHolds(false));
  folder_.Write("cert", b.certificate);
  folder_.Write("key", b.key.Reveal());
  EXPECT_THAT((*credentials)->Rejected({}, *first), IsOkAndHolds(true));
  EXPECT_EQ((*(*credentials)->Get({}))->certificate, b.certificate);
}

TEST_F(FileCredentialsTest, SameErrorIsLoggedOnce) {
  const log::LogCapture log;
  auto credentials = FileCredentials::Make({.bearer_token = base::Secret("sesame"),
                                            .bearer_token_file = folder_.Write("token", "sesame")});
  ASSERT_THAT(credentials.status(), IsOk());
  clock_.Step(absl::Minutes(1));
  folder_.Write("token", "");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(HeaderOf(**credentials), "Bearer sesame");
  EXPECT_THAT(log.Lines(), SizeIs(1));
  folder_.Write("token", "sesame\t\x01");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(HeaderOf(**credentials), "Bearer sesame");
  EXPECT_THAT(log.Lines(), SizeIs(2));
  EXPECT_THAT(log.Lines(), Each(Not(HasSubstr("sesame"))));
}

TEST_F(FileCredentialsTest, GetKeyPair_IsAskedByEachRequest_AndMakesNewCredentialsIfItHasChanged) {
  std::shared_ptr<const ClientKeyPair> pair;
  const auto credentials =
      FileCredentials::Make({.tls = {.get_key_pair = [&pair] { return pair; }}});
  ASSERT_THAT(credentials.status(), IsOk());
  const std::shared_ptr<const Credentials> none = *(*credentials)->Get({});
  EXPECT_EQ(none->certificate, "");
  EXPECT_THAT((*credentials)->Rejected({}, *none), IsOkAndHolds(false));
  pair = std::make_shared<const ClientKeyPair>(
      ClientKeyPair{.certificate = "one", .key = base::Secret("k1")});
  EXPECT_THAT((*credentials)->Rejected({}, *none), IsOkAndHolds(true));
  const std::shared_ptr<const Credentials> first = *(*credentials)->Get({});
  EXPECT_EQ(first->certificate, "one");
  EXPECT_EQ(first->key.Reveal(), "k1");
  EXPECT_EQ(*(*credentials)->Get({}), first);
  EXPECT_THAT((*credentials)->Rejected({}, *first), IsOkAndHolds(false));
  pair = std::make_shared<const ClientKeyPair>(
      ClientKeyPair{.certificate = "two", .key = base::Secret("k2")});
  const std::shared_ptr<const Credentials> second = *(*credentials)->Get({});
  EXPECT_EQ(second->certificate, "two");
  EXPECT_GT(second->generation, first->generation);
}

TEST_F(FileCredentialsTest, GetKeyPair_OfARequestThatWasOvertaken_DoesNotPutThePreviousPairBack) {
  const auto one = std::make_shared<const ClientKeyPair>(
      ClientKeyPair{.certificate = "one", .key = base::Secret("k1")});
  const auto two = std::make_shared<const ClientKeyPair>(
      ClientKeyPair{.certificate = "two", .key = base::Secret("k2")});
  FileCredentials* asked = nullptr;
  std::shared_ptr<const ClientKeyPair> pair = one;
  bool overtake = false;
  const auto credentials =
      FileCredentials::Make({.tls = {.get_key_pair = [&] {
                               const std::shared_ptr<const ClientKeyPair> before = pair;
                               if (std::exchange(overtake, false)) {
                                 pair = two;
                                 EXPECT_EQ((*asked->Get({}))->certificate, "two");
                               }
                               return before;
                             }}});
  ASSERT_THAT(credentials.status(), IsOk());
  asked = credentials->get();
  EXPECT_EQ((*asked->Get({}))->certificate, "one");
  overtake = true;
  EXPECT_EQ((*asked->Get({}))->certificate, "two");
  EXPECT_EQ((*asked->Get({}))->certificate, "two");
}

}  // namespace
}  // namespace kube::rest::internal
