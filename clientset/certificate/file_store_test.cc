#include "clientset/certificate/file_store.h"

#include <sys/stat.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::certificate {
namespace {

namespace fs = std::filesystem;
using certificates::Certificate;
using certificates::CertificateAuthority;
using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FileStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<FileStore> Make(FileStoreOptions options = {}) const {
    options.pair_name_prefix = "agent";
    options.certificate_directory = folder_.Path("pki");
    absl::StatusOr<std::unique_ptr<FileStore>> store = FileStore::Make(options);
    EXPECT_THAT(store.status(), IsOk());
    return *std::move(store);
  }

  // The common name of the current pair, or "" without one.
  static std::string CurrentOf(FileStore& store) {
    const absl::StatusOr<std::shared_ptr<const KeyPair>> current = store.Current();
    return current.ok() ? (*current)->details.common_name : "";
  }

  static void MakeFolder(const std::string& path) { fs::create_directories(path); }

  base::FakeClock clock_{absl::FromUnixSeconds(1'136'214'245)};  // 2006-01-02 15:04:05
  const base::RuntimeScope scope_{clock_};
  const log::LogCapture log_;
  const rest::TestFolder folder_;
  const CertificateAuthority authority_ = *CertificateAuthority::Make("ca");
  const Certificate alice_ = *authority_.Issue({.common_name = "alice"});
  const Certificate bob_ = *authority_.Issue({.common_name = "bob"});
};

TEST_F(FileStoreTest, Current_WithoutFiles_IsNotFoundAndNamesThem) {
  const auto store = Make({.certificate_file = "/none/tls.crt", .key_file = "/none/tls.key"});
  EXPECT_THAT(
      store->Current().status(),
      StatusIs(absl::StatusCode::kNotFound,
               AllOf(HasSubstr("no cert/key files read at"),
                     HasSubstr(folder_.Path("pki/agent-current.pem")), HasSubstr("/none/tls.crt"),
                     HasSubstr(folder_.Path("pki/agent.key")))));
}

// behaviour.md: CERT-6
TEST_F(FileStoreTest, Update_WritesAFileOfItsOwner_AndALinkToIt) {
  const auto store = Make();
  const auto stored = store->Update(alice_.certificate, alice_.key);
  ASSERT_THAT(stored.status(), IsOk());
  EXPECT_EQ((*stored)->details.common_name, "alice");
  EXPECT_EQ(store->CurrentPath(), folder_.Path("pki/agent-current.pem"));
  const std::string file = folder_.Path("pki/agent-2006-01-02-15-04-05.pem");
  EXPECT_EQ(fs::read_symlink(store->CurrentPath()), fs::path(file));
  EXPECT_EQ(folder_.Read("pki/agent-current.pem"),
            absl::StrCat(alice_.certificate, alice_.key.Reveal()));
  struct stat info = {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  // The temporary files have gone.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.Path("pki")), fs::directory_iterator()),
            2);
  EXPECT_EQ(CurrentOf(*store), "alice");
  EXPECT_EQ(CurrentOf(*Make()), "alice");
}

TEST_F(FileStoreTest, Update_SetsTheLinkToTheNewFile_AndKeepsTheOldOne) {
  const auto store = Make();
  ASSERT_THAT(store->Update(alice_.certificate, alice_.key).status(), IsOk());
  clock_.Step(absl::Hours(1));
  ASSERT_THAT(store->Update(bob_.certificate, bob_.key).status(), IsOk());
  EXPECT_EQ(CurrentOf(*store), "bob");
  EXPECT_TRUE(fs::exists(folder_.Path("pki/agent-2006-01-02-15-04-05.pem")));
  EXPECT_EQ(fs::read_symlink(store->CurrentPath()),
            fs::path(folder_.Path("pki/agent-2006-01-02-16-04-05.pem")));
}

TEST_F(FileStoreTest, Update_WithinTheSameSecond_ReplacesTheFile) {
  const auto store = Make();
  ASSERT_THAT(store->Update(alice_.certificate, alice_.key).status(), IsOk());
  ASSERT_THAT(store->Update(bob_.certificate, bob_.key).status(), IsOk());
  EXPECT_EQ(CurrentOf(*store), "bob");
}

TEST_F(FileStoreTest, Update_WithTheKeyOfAnotherCertificate_ChangesNothing) {
  const auto store = Make();
  ASSERT_THAT(store->Update(alice_.certificate, alice_.key).status(), IsOk());
  EXPECT_THAT(store->Update(bob_.certificate, alice_.key).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("store certificate: private key does not match"),
                             Not(HasSubstr("PRIVATE KEY")))));
  EXPECT_EQ(CurrentOf(*store), "alice");
}

// behaviour.md: CERT-6
TEST_F(FileStoreTest, Current_IsTheFirstPairThatExists) {
  MakeFolder(folder_.Path("pki"));
  MakeFolder(folder_.Path("keys"));
  const FileStoreOptions options = {.key_directory = folder_.Path("keys"),
                                    .certificate_file = folder_.Path("tls.crt"),
                                    .key_file = folder_.Path("tls.key")};
  const auto store = Make(options);
  folder_.Write("pki/agent.crt", alice_.certificate);
  EXPECT_EQ(CurrentOf(*store), "");
  folder_.Write("keys/agent.key", alice_.key.Reveal());
  EXPECT_EQ(CurrentOf(*store), "alice");
  folder_.Write("tls.crt", bob_.certificate);
  folder_.Write("tls.key", bob_.key.Reveal());
  EXPECT_EQ(CurrentOf(*store), "bob");
  ASSERT_THAT(store->Update(alice_.certificate, alice_.key).status(), IsOk());
  EXPECT_EQ(CurrentOf(*store), "alice");
}

TEST_F(FileStoreTest, Current_OfAMalformedFile_NamesItAndSaysNothingOfItsContent) {
  const auto store = Make();
  MakeFolder(folder_.Path("pki"));
  folder_.Write("pki/agent-current.pem", "hunter2");
  EXPECT_THAT(store->Current().status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("agent-current.pem"), Not(HasSubstr("hunter2")))));
}

// behaviour.md: CERT-6
TEST_F(FileStoreTest, Make_FinishesAnUpdateThatWasInterrupted) {
  MakeFolder(folder_.Path("pki"));
  folder_.Write("pki/agent-1.pem", absl::StrCat(alice_.certificate, alice_.key.Reveal()));
  fs::create_symlink(folder_.Path("pki/agent-1.pem"), folder_.Path("pki/agent-updated.pem"));
  EXPECT_EQ(CurrentOf(*Make()), "alice");
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder_.Path("pki/agent-updated.pem"))));
}

TEST_F(FileStoreTest, Update_RemovesALinkThatAnInterruptedUpdateHasLeft) {
  const auto store = Make();
  ASSERT_THAT(store->Update(alice_.certificate, alice_.key).status(), IsOk());
  fs::create_symlink("nowhere", folder_.Path("pki/agent-updated.pem"));
  ASSERT_THAT(store->Update(bob_.certificate, bob_.key).status(), IsOk());
  EXPECT_EQ(CurrentOf(*store), "bob");
}

TEST_F(FileStoreTest, AFileInPlaceOfALink_IsNotReplaced) {
  MakeFolder(folder_.Path("pki"));
  const auto store = Make();
  folder_.Write("pki/agent-updated.pem", "x");
  EXPECT_THAT(store->Update(alice_.certificate, alice_.key).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("to be a symlink but it is a file")));
  EXPECT_THAT(
      FileStore::Make({.pair_name_prefix = "agent", .certificate_directory = folder_.Path("pki")})
          .status(),
      StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(FileStoreTest, Make_WithoutPrefixOrDirectory_IsInvalid) {
  EXPECT_THAT(FileStore::Make({.certificate_directory = "/pki"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      FileStore::Make({.pair_name_prefix = "../agent", .certificate_directory = "/pki"}).status(),
      StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(FileStore::Make({.pair_name_prefix = "agent"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// The example of the header.
absl::StatusOr<std::string> PathOfAStore() {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<FileStore> store,
                        FileStore::Make({.pair_name_prefix = "agent",
                                         .certificate_directory = "/var/lib/agent/pki"}));
  return store->CurrentPath();
}

TEST_F(FileStoreTest, MakesAStore_AsInTheHeader) {
  EXPECT_THAT(PathOfAStore(),
              base::IsOkAndHolds(std::string("/var/lib/agent/pki/agent-current.pem")));
}

}  // namespace
}  // namespace kube::certificate
