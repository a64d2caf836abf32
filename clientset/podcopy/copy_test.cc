#include "clientset/podcopy/copy.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/podcopy/internal/copier.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "clientset/podcopy/internal/tar_writer.h"
#include "clientset/podcopy/testing/fake_container.h"
#include "clientset/podcopy/testing/tar_recorder.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podcopy {
namespace {

using base::IsOk;
using base::StatusIs;
using internal::TarEntry;
using internal::TarType;
using internal::TarWriter;
using remotecommand::Channel;
using remotecommand::MakeExitError;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Returns an archive of files, each with its name as the content, and other entries.
std::string Archive(const std::vector<TarEntry>& entries) {
  TarWriter writer;
  std::string archive;
  for (TarEntry entry : entries) {
    const std::string content = entry.type == TarType::kFile ? entry.name : "";
    entry.size = content.size();
    KUBE_CHECK_OK(writer.AddEntry(entry, archive));
    KUBE_CHECK_OK(writer.AddData(content, archive));
  }
  KUBE_CHECK_OK(writer.Finish(archive));
  return archive;
}

remotecommand::Output Stdout(absl::string_view data) {
  return {.channel = Channel::kStdout, .data = std::string(data)};
}
remotecommand::Output Stderr(absl::string_view data) {
  return {.channel = Channel::kStderr, .data = std::string(data)};
}

class CopyTest : public testing::Test {
 protected:
  CopyTest() {
    options_.on_warning = [this](absl::string_view text) { warnings_.emplace_back(text); };
  }

  absl::Status CopyTo(const std::string& local, const std::string& remote) {
    return internal::CopyTo(ctx_, Start(), folder_.Path(local), remote, options_);
  }
  absl::Status CopyFrom(const std::string& remote, const std::string& local) {
    return internal::CopyFrom(ctx_, Start(), remote, folder_.Path(local), options_);
  }
  internal::StartCommand Start() {
    return [this](const Context& ctx, const remotecommand::ExecOptions& options) {
      return container_.Start(ctx, options);
    };
  }
  // The words of each command that was started.
  std::vector<std::string> Commands() const {
    std::vector<std::string> commands;
    for (const remotecommand::ExecOptions& each : container_.started()) {
      std::string line;
      for (const std::string& word : each.command) {
        absl::StrAppend(&line, line.empty() ? "" : " ", word);
      }
      commands.push_back(line);
    }
    return commands;
  }
  // The entries of the archive that the last command has received.
  std::vector<std::string> Received() const {
    TarRecorder recorder;
    internal::TarReader reader(recorder);
    EXPECT_THAT(reader.Receive(container_.received()), IsOk());
    EXPECT_TRUE(reader.done());
    return recorder.Lines();
  }
  void IsFolder() { container_.Expect({}); }
  void IsNoFolder() { container_.Expect({.outcome = MakeExitError(1)}); }

  const Context ctx_ = WithTimeout(Context(), absl::Seconds(50));
  const rest::TestFolder folder_;
  FakeContainer container_;
  CopyOptions options_;
  std::vector<std::string> warnings_;
};

// behaviour.md: ST-61
TEST_F(CopyTest, CopiesToAFolder) {
  folder_.Write("a.txt", "hello");
  IsFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(CopyTo("a.txt", "/srv"), IsOk());
  EXPECT_THAT(Commands(), ElementsAre("test -d /srv", "tar -xmf - -C /srv"));
  EXPECT_THAT(Received(), ElementsAre("a.txt 5"));
  EXPECT_FALSE(container_.started()[0].with_stdin);
  EXPECT_TRUE(container_.started()[1].with_stdin);
}

// behaviour.md: ST-61
TEST_F(CopyTest, ChoosesTheDestination) {
  struct Case {
    std::string name;
    std::string local;
    std::string remote;
    bool is_folder;
    std::string command;
    std::string received;
  };
  const std::vector<Case> cases = {
      {"another name", "a", "/srv/b", false, "tar -xmf - -C /srv", "b 1"},
      {"the root", "a", "/", true, "tar -xmf - -C /", "a 1"},
      {"a relative path", "a", "b", false, "tar -xmf - -C .", "b 1"},
      {"the working folder", "a", ".", true, "tar -xmf - -C .", "a 1"},
      {"above the working folder", "a", "..", true, "tar -xmf - -C ..", "a 1"},
      {"a folder", "site", "/srv", true, "tar -xmf - -C /srv", "site/index 1"},
      {"a folder with another name", "site", "/srv/www/", false, "tar -xmf - -C /srv",
       "www/index 1"},
      {"a folder with a dot", "site/.", "/srv", true, "tar -xmf - -C /srv", "site/index 1"},
      {"a path that is not clean", "site/../a", "/srv//x/../b", false, "tar -xmf - -C /srv", "b 1"},
      {"a folder that looks like an option", "a", "-x/b", false, "tar -xmf - -C -x", "b 1"},
  };
  folder_.Write("a", "1");
  std::filesystem::create_directory(folder_.Path("site"));
  folder_.Write("site/index", "1");
  for (const Case& each : cases) {
    if (each.is_folder) {
      IsFolder();
    } else {
      IsNoFolder();
    }
    container_.Expect({.reads_stdin = true});
    EXPECT_THAT(CopyTo(each.local, each.remote), IsOk()) << each.name;
    EXPECT_EQ(Commands().back(), each.command) << each.name;
    EXPECT_THAT(Received(), ElementsAre(each.received)) << each.name;
  }
}

// A local path without a name of its own, such as "." and "/".
TEST_F(CopyTest, CopiesWhatIsInAFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(folder_.Path("site"));
  folder_.Write("site/index", "1");
  std::filesystem::current_path(folder_.Path("site"));
  IsFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(internal::CopyTo(ctx_, Start(), ".", "/srv", options_), IsOk());
  std::filesystem::current_path(before);
  EXPECT_EQ(Commands().back(), "tar -xmf - -C /srv");
  EXPECT_THAT(Received(), ElementsAre("index 1"));
}

// behaviour.md: ST-61
TEST_F(CopyTest, PassesOptionsOn) {
  folder_.Write("a", "1");
  options_.container = "app";
  options_.no_preserve = true;
  IsFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(CopyTo("a", "/srv"), IsOk());
  EXPECT_EQ(Commands().back(), "tar --no-same-permissions --no-same-owner -xmf - -C /srv");
  for (const remotecommand::ExecOptions& each : container_.started()) {
    EXPECT_EQ(each.container, "app");
  }
}

// behaviour.md: ST-64
TEST_F(CopyTest, ReportsThatTarFails) {
  folder_.Write("a", "1");
  std::string heard;
  options_.on_stderr = [&heard](absl::string_view text) { absl::StrAppend(&heard, text); };
  IsFolder();
  container_.Expect({.reads_stdin = true,
                     .outputs = {Stderr("tar: a: Cannot open: "), Stderr("No space left\n")},
                     .outcome = MakeExitError(2)});
  const absl::Status status = CopyTo("a", "/srv");
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(folder_.Path("a")), HasSubstr("to \"/srv\" in the container"),
                    HasSubstr("command terminated with exit code 2: tar: a: Cannot open: No "
                              "space left")));
  EXPECT_EQ(remotecommand::ExitCodeOf(status), 2);
  EXPECT_EQ(heard, "tar: a: Cannot open: No space left\n");
}

// More than fits into the connection, to a command that does not read.
// behaviour.md: ST-64
TEST_F(CopyTest, ReportsThatTarEndsEarly) {
  folder_.Write("a", std::string(size_t{1} << 20, 'x'));
  IsFolder();
  container_.Expect({.outputs = {Stderr("tar: not found")}, .outcome = MakeExitError(127)});
  EXPECT_THAT(CopyTo("a", "/srv"),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr("tar: not found")));
  IsFolder();
  container_.Expect({});
  EXPECT_THAT(CopyTo("a", "/srv"),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("before it had read everything")));
}

// behaviour.md: ST-60
TEST_F(CopyTest, ReportsWhatIsWrongLocally) {
  EXPECT_THAT(CopyTo("none", "/srv"),
              StatusIs(absl::StatusCode::kNotFound,
                       absl::StrCat(folder_.Path("none"), " doesn't exist in local filesystem")));
  EXPECT_THAT(internal::CopyTo(ctx_, Start(), "", "/srv", options_),
              StatusIs(absl::StatusCode::kInvalidArgument, "filepath can not be empty"));
  EXPECT_THAT(CopyTo("none", ""),
              StatusIs(absl::StatusCode::kInvalidArgument, "filepath can not be empty"));
  EXPECT_THAT(Commands(), IsEmpty());

  // Found out while the archive is being made; the command would wait for more.
  folder_.Write("a", "1");
  IsNoFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(CopyTo("a", "/"), StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr("the destination has no file name")));
}

TEST_F(CopyTest, WarnsOfWhatIsLeftOut) {
  std::filesystem::create_directory(folder_.Path("site"));
  ASSERT_EQ(::mkfifo(folder_.Path("site/pipe").c_str(), 0600), 0);
  IsFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(CopyTo("site", "/srv"), IsOk());
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("not a file, folder or link")));
}

TEST_F(CopyTest, LogsWarningsWithoutACallback) {
  const log::LogCapture capture;
  std::filesystem::create_directory(folder_.Path("site"));
  ASSERT_EQ(::mkfifo(folder_.Path("site/pipe").c_str(), 0600), 0);
  options_.on_warning = nullptr;
  IsFolder();
  container_.Expect({.reads_stdin = true});
  EXPECT_THAT(CopyTo("site", "/srv"), IsOk());
  EXPECT_THAT(capture.Lines(), ElementsAre(HasSubstr("not a file, folder or link")));
}

// behaviour.md: ST-61
TEST_F(CopyTest, KnowsWhetherTheDestinationIsAFolder) {
  folder_.Write("a", "1");
  struct Case {
    std::string name;
    FakeCommand test;
    bool copies;
  };
  const std::vector<Case> cases = {
      {"the container has no `test`", {.outcome = absl::InternalError("not found")}, true},
      {"the connection is lost", {.read_error = absl::UnavailableError("lost")}, false},
      {"it cannot be asked", {.start_error = absl::PermissionDeniedError("forbidden")}, false},
  };
  for (const Case& each : cases) {
    FakeContainer container;
    container.Expect(each.test);
    container.Expect({.reads_stdin = true});
    const internal::StartCommand start = [&](const Context& ctx,
                                             const remotecommand::ExecOptions& options) {
      return container.Start(ctx, options);
    };
    const absl::Status status =
        internal::CopyTo(ctx_, start, folder_.Path("a"), "/srv/b", options_);
    EXPECT_EQ(status.ok(), each.copies) << each.name << ": " << status;
    EXPECT_THAT(container.started(), SizeIs(each.copies ? 2 : 1)) << each.name;
  }
}

// behaviour.md: ST-61
TEST_F(CopyTest, CopyToEndsWithItsContext) {
  base::SimRuntime sim;
  folder_.Write("a", "1");
  const absl::Status simulated = sim.Run([this] {
    container_.Expect({.reads_stdin = true});  // `test` that does not end
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(internal::CopyTo(Context(), Start(), folder_.Path("a"), "/srv", options_),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now() - start, absl::Seconds(30));

    CancelScope scope = WithCancel(Context());
    scope.Cancel();
    container_.Expect({});
    container_.Expect({});
    EXPECT_THAT(internal::CopyTo(scope.context(), Start(), folder_.Path("a"), "/srv", options_),
                StatusIs(absl::StatusCode::kCancelled));
  });
  EXPECT_THAT(simulated, IsOk());
}

// behaviour.md: ST-62
TEST_F(CopyTest, CopiesAFolder) {
  const std::string archive =
      Archive({{.name = "srv/", .type = TarType::kFolder, .mode = 0755},
               {.name = "srv/a", .mode = 0640},
               {.name = "srv/b/c"},
               {.name = "srv/link", .type = TarType::kSymlink, .link_target = "a"}});
  container_.Expect({.outputs = {Stdout(absl::string_view(archive).substr(0, 700)),
                                 Stderr("tar: Removing leading `/' from member names\n"),
                                 Stdout(absl::string_view(archive).substr(700))}});
  EXPECT_THAT(CopyFrom("/srv", "copy"), IsOk());
  EXPECT_THAT(Commands(), ElementsAre("tar cf - /srv"));
  EXPECT_EQ(folder_.Read("copy/a"), "srv/a");
  EXPECT_EQ(folder_.Read("copy/b/c"), "srv/b/c");
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("skipping symlink")));
}

TEST_F(CopyTest, CopiesAFile) {
  container_.Expect({.outputs = {Stdout(Archive({{.name = "etc/hosts"}}))}});
  EXPECT_THAT(CopyFrom("/etc/hosts", "hosts"), IsOk());
  EXPECT_EQ(folder_.Read("hosts"), "etc/hosts");
}

TEST_F(CopyTest, KeepsSymlinksIfTheOptionSaysSo) {
  options_.keep_symlinks = true;
  container_.Expect({.outputs = {Stdout(Archive(
                         {{.name = "srv/a"},
                          {.name = "srv/link", .type = TarType::kSymlink, .link_target = "a"}}))}});
  EXPECT_THAT(CopyFrom("/srv", "copy"), IsOk());
  EXPECT_EQ(folder_.Read("copy/link"), "srv/a");
}

TEST_F(CopyTest, APathDoesNotBecomeAnOption) {
  container_.Expect({.outputs = {Stdout(Archive({{.name = "./--checkpoint-action=exec=sh"}}))}});
  EXPECT_THAT(CopyFrom("--checkpoint-action=exec=sh", "copy"), IsOk());
  EXPECT_THAT(Commands(), ElementsAre("tar cf - ./--checkpoint-action=exec=sh"));
}

// behaviour.md: ST-63
TEST_F(CopyTest, RefusesOtherFilesThanItAskedFor) {
  container_.Expect({.outputs = {Stdout(Archive({{.name = "etc/passwd"}}))}});
  EXPECT_THAT(CopyFrom("/srv", "copy"),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("tar contents corrupted")));
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("copy")));
}

// behaviour.md: ST-64
TEST_F(CopyTest, ReportsWhatGoesWrongInTheContainer) {
  struct Case {
    std::string name;
    FakeCommand command;
    absl::StatusCode code;
    std::string message;
  };
  const std::string archive = Archive({{.name = "srv/a"}});
  const std::vector<Case> cases = {
      {"no such file",
       {.outputs = {Stderr("tar: /srv: Cannot stat\n"), Stdout(Archive({}))},
        .outcome = MakeExitError(2)},
       MakeExitError(2).code(),
       "command terminated with exit code 2: tar: /srv: Cannot stat"},
      {"no tar",
       {.outcome = absl::InternalError("executable file not found in $PATH")},
       absl::StatusCode::kInternal,
       "executable file not found"},
      {"no right",
       {.start_error = absl::PermissionDeniedError("forbidden")},
       absl::StatusCode::kPermissionDenied,
       "forbidden"},
      {"a lost connection",
       {.outputs = {Stdout(absl::string_view(archive).substr(0, 100))},
        .read_error = absl::UnavailableError("connection lost")},
       absl::StatusCode::kUnavailable,
       "connection lost"},
      {"an archive that is cut",
       {.outputs = {Stdout(absl::string_view(archive).substr(0, 600))}},
       absl::StatusCode::kDataLoss,
       "unexpected end of archive"},
      {"no archive",
       {.outputs = {Stdout(std::string(1024, 'x'))}},
       absl::StatusCode::kDataLoss,
       "checksum"},
  };
  for (const Case& each : cases) {
    container_.Expect(each.command);
    EXPECT_THAT(CopyFrom("/srv", "copy"),
                StatusIs(each.code, AllOf(HasSubstr("copy \"/srv\" in the container to"),
                                          HasSubstr(each.message))))
        << each.name;
  }
}

// behaviour.md: ST-64
TEST_F(CopyTest, DoesNotMindALossAfterTheEndOfTheArchive) {
  container_.Expect({.outputs = {Stdout(Archive({{.name = "srv/a"}}))},
                     .read_error = absl::UnavailableError("connection lost")});
  EXPECT_THAT(CopyFrom("/srv", "copy"), IsOk());
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("the exit code of tar is not known")));
}

// behaviour.md: ST-62
TEST_F(CopyTest, ResumesWhereAConnectionBroke) {
  const std::string archive = Archive({{.name = "it's/a"}, {.name = "it's/b"}});
  options_.max_retries = 3;
  container_.Expect({.outputs = {Stdout(absl::string_view(archive).substr(0, 700))},
                     .read_error = absl::UnavailableError("connection lost")});
  container_.Expect({.start_error = absl::UnavailableError("connection refused")});
  container_.Expect({.outputs = {Stdout(absl::string_view(archive).substr(700))}});
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([this] {
    EXPECT_THAT(internal::CopyFrom(Context(), Start(), "/it's", folder_.Path("copy"), options_),
                IsOk());
  }),
              IsOk());
  EXPECT_THAT(Commands(), ElementsAre("sh -c tar cf - '/it'\\''s' | tail -c+1",
                                      "sh -c tar cf - '/it'\\''s' | tail -c+701",
                                      "sh -c tar cf - '/it'\\''s' | tail -c+701"));
  EXPECT_EQ(folder_.Read("copy/a"), "it's/a");
  EXPECT_EQ(folder_.Read("copy/b"), "it's/b");
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("Resuming copy at 700 bytes, retry 1/3"),
                                     HasSubstr("Resuming copy at 700 bytes, retry 2/3")));
}

// The exit code is that of `tail`.
TEST_F(CopyTest, ReportsWhatTarSaysIfItsExitCodeIsNotKnown) {
  options_.max_retries = 3;
  container_.Expect({.outputs = {Stderr("sh: tar: not found\n")}});
  EXPECT_THAT(CopyFrom("/srv", "copy"),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("unexpected end of archive: sh: tar: not found")));
}

// behaviour.md: ST-62
TEST_F(CopyTest, GivesUpAfterTheLastRetry) {
  const std::string archive = Archive({{.name = "srv/a"}});
  options_.max_retries = 2;
  for (int i = 0; i < 3; ++i) {
    container_.Expect(
        {.outputs = {Stdout(absl::string_view(archive).substr(static_cast<size_t>(i), 1))},
         .read_error = absl::UnavailableError("connection lost")});
  }
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([this] {
    EXPECT_THAT(internal::CopyFrom(Context(), Start(), "/srv", folder_.Path("copy"), options_),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("connection lost")));
  }),
              IsOk());
  EXPECT_THAT(warnings_, SizeIs(2));
}

// It would fail in the same way each time.
// behaviour.md: ST-62
TEST_F(CopyTest, DoesNotResumeWhatHasNotBegun) {
  options_.max_retries = -1;
  container_.Expect({.start_error = absl::NotFoundError("no such pod")});
  EXPECT_THAT(CopyFrom("/srv", "copy"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no such pod")));
}

// The functions that users call. This is the example of copy.h.
absl::Status CopySite(const Context& ctx, const rest::Client& client) {
  KUBE_RETURN_IF_ERROR(podcopy::CopyToPod(ctx, client, {"prod", "web-0"}, "site", "/srv"));
  return absl::OkStatus();
}

TEST(CopyToPod, AsksTheServer) {
  const rest::TestFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  folder.Write("site", "");
  std::filesystem::current_path(folder.Path(""));
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({.path = "/api/v1/namespaces/prod/pods/web-0/exec"},
                    rest::StatusReply(404, "NotFound", "pods \"web-0\" not found"));
  const rest::Client client = rest::MakeScriptedClient(transport);
  EXPECT_TRUE(errors::IsNotFound(CopySite(Context(), client)));
  EXPECT_TRUE(errors::IsNotFound(
      CopyFromPod(Context(), client, {"prod", "web-0"}, "/srv", folder.Path("copy"))));
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace kube::podcopy
