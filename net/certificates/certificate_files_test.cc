#include "net/certificates/certificate_files.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_source.h"

namespace kube::certificates {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class CertificateFilesTest : public testing::Test {
 protected:
  CertificateFilesOptions Options() const {
    return {.certificate_file = folder_.Path("tls.crt"),
            .key_file = folder_.Path("tls.key"),
            .metrics = registry_};
  }
  void WritePair(const Certificate& pair) const {
    folder_.Write("tls.crt", pair.certificate);
    folder_.Write("tls.key", pair.key.Reveal());
  }

  const CertificateAuthority authority_ = *CertificateAuthority::Make("ca");
  const Certificate a_ = *authority_.Issue({.common_name = "a"});
  const Certificate b_ = *authority_.Issue({.common_name = "b"});
  const rest::TestFolder folder_;
  const std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
  const log::LogCapture log_;
};

TEST_F(CertificateFilesTest, Reload_NewPair_ReplacesTheOldOne) {
  WritePair(a_);
  CertificateFiles files(Options());
  EXPECT_EQ(files.Current(), nullptr);
  ASSERT_THAT(files.Reload(), IsOk());
  const std::shared_ptr<const ServerCertificates> first = files.Current();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->certificate_chain, a_.certificate);
  EXPECT_EQ(first->private_key, a_.key);
  EXPECT_EQ(first->client_ca, "");
  ASSERT_THAT(files.Reload(), IsOk());
  EXPECT_EQ(files.Current(), first) << "the same object, as nothing has changed";
  WritePair(b_);
  ASSERT_THAT(files.Reload(), IsOk());
  EXPECT_EQ(files.Current()->certificate_chain, b_.certificate);
  EXPECT_EQ(first->certificate_chain, a_.certificate);
  EXPECT_THAT(registry_->Render(),
              AllOf(HasSubstr("\ncertwatcher_read_certificate_total 3\n"),
                    HasSubstr("\ncertwatcher_read_certificate_errors_total 0\n")));
}

// As a kubelet writes a secret: the names are links into a folder that is replaced.
TEST_F(CertificateFilesTest, Reload_LinkThatIsReplaced_ReadsTheNewFile) {
  std::filesystem::create_symlink(folder_.Write("a.crt", a_.certificate), folder_.Path("tls.crt"));
  std::filesystem::create_symlink(folder_.Write("a.key", a_.key.Reveal()), folder_.Path("tls.key"));
  CertificateFiles files(Options());
  ASSERT_THAT(files.Reload(), IsOk());
  const auto replace = [&](const std::string& name, absl::string_view text) {
    std::filesystem::create_symlink(folder_.Write(absl::StrCat("b-", name), text),
                                    folder_.Path("new"));
    std::filesystem::rename(folder_.Path("new"), folder_.Path(name));
  };
  replace("tls.crt", b_.certificate);
  replace("tls.key", b_.key.Reveal());
  ASSERT_THAT(files.Reload(), IsOk());
  EXPECT_EQ(files.Current()->certificate_chain, b_.certificate);
}

TEST_F(CertificateFilesTest, Reload_FilesThatCannotBeUsed_LeavesThePairAndNamesFileAndCause) {
  CertificateFilesOptions options = Options();
  options.client_ca_file = folder_.Write("ca.crt", authority_.certificate());
  WritePair(a_);
  CertificateFiles files(options);
  ASSERT_THAT(files.Reload(), IsOk());
  EXPECT_EQ(files.Current()->client_ca, authority_.certificate());
  const struct {
    const char* name;
    const char* file;
    std::string text;
    std::string cause;
  } kRows[] = {
      {"key of another", "tls.key", std::string(b_.key.Reveal()),
       absl::StrCat("use \"", folder_.Path("tls.crt"), "\" and \"", folder_.Path("tls.key"),
                    "\": private key does not match public key")},
      {"half a key", "tls.key", std::string(a_.key.Reveal().substr(0, 80)), "PRIVATE KEY"},
      {"empty certificate", "tls.crt", "",
       absl::StrCat("read \"", folder_.Path("tls.crt"), "\": the file is empty")},
      {"no authority", "ca.crt", "text",
       absl::StrCat("use \"", folder_.Path("ca.crt"), "\": no valid certificate authority")},
  };
  for (const auto& row : kRows) {
    const std::string before = folder_.Read(row.file);
    folder_.Write(row.file, row.text);
    const absl::Status status = files.Reload();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.cause)))
        << row.name;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("load server certificate: "), Not(HasSubstr("BEGIN"))))
        << row.name;
    EXPECT_EQ(files.Current()->certificate_chain, a_.certificate) << row.name;
    folder_.Write(row.file, before);
  }
  EXPECT_THAT(registry_->Render(), HasSubstr("\ncertwatcher_read_certificate_errors_total 4\n"));
}

TEST_F(CertificateFilesTest, Reload_WithoutFileNames_IsInvalidArgument) {
  CertificateFiles files({.certificate_file = folder_.Path("tls.crt")});
  EXPECT_THAT(files.Reload(), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("key_file must not be empty")));
}

TEST_F(CertificateFilesTest, WaitForFirst_FilesAppear_LogsTheCauseOnceAndReturnsOk) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  CertificateFiles files(Options());
  absl::Status waited = absl::UnknownError("not yet");
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "waiter",
                           [&](const Context& ctx) { waited = files.WaitForFirst(ctx); }),
              IsOk());
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  EXPECT_EQ(files.Current(), nullptr);
  clock.Step(absl::Seconds(1));
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  EXPECT_THAT(log_.Lines(), AllOf(SizeIs(1), Each(HasSubstr("No such file or directory"))))
      << "somebody must be able to see what a server without certificates waits for";
  WritePair(a_);
  clock.Step(absl::Seconds(1));
  thread.Join();
  EXPECT_THAT(waited, IsOk());
  EXPECT_EQ(files.Current()->certificate_chain, a_.certificate);
}

TEST_F(CertificateFilesTest, WaitForFirst_NoFiles_SaysWhichWhenTheContextIsDone) {
  CertificateFiles files(Options());
  EXPECT_THAT(files.WaitForFirst(WithTimeout(Context(), absl::Milliseconds(5))),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr(absl::StrCat("read \"", folder_.Path("tls.crt"),
                                              "\": No such file or directory"))));
}

TEST_F(CertificateFilesTest, Start_ReadsEveryInterval_AndLogsAnErrorOnce) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  CertificateFiles files(Options());
  ASSERT_THAT(files.Start(Context()), IsOk());
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT(clock.BlockUntil(1), IsOk());
    clock.Step(absl::Seconds(10));
  }
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  EXPECT_THAT(log_.Lines(), AllOf(SizeIs(1), Each(HasSubstr("failed to read certificate"))));
  WritePair(a_);
  clock.Step(absl::Seconds(9));
  EXPECT_EQ(files.Current(), nullptr);
  clock.Step(absl::Seconds(1));
  ASSERT_THAT(clock.BlockUntil(1), IsOk());
  ASSERT_NE(files.Current(), nullptr);
  EXPECT_EQ(files.Current()->certificate_chain, a_.certificate);
}

}  // namespace
}  // namespace kube::certificates
