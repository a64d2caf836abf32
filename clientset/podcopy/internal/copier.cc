#include "clientset/podcopy/internal/copier.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/podcopy/copy.h"
#include "clientset/podcopy/internal/archive_tree.h"
#include "clientset/podcopy/internal/extractor.h"
#include "clientset/podcopy/internal/path_parts.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"

namespace kube::podcopy::internal {
namespace {

using Session = std::unique_ptr<remotecommand::Session>;
using Text = std::function<void(absl::string_view text)>;

// As in kubectl.
constexpr absl::Duration kTestTimeout = absl::Seconds(30);

// How much of what a command writes to stderr becomes part of an error.
constexpr size_t kMaxComplaintBytes = size_t{4} << 10;

Text WarningsOf(const Context& ctx, const CopyOptions& options) {
  if (options.on_warning) return options.on_warning;
  return [ctx](absl::string_view text) {
    log::Warning(ctx, "copying files of a pod", {{"warning", text}});
  };
}

// What commands write to stderr.
class Complaints {
 public:
  explicit Complaints(Text next) : next_(std::move(next)) {}

  void Add(absl::string_view text) {
    if (next_) next_(text);
    absl::StrAppend(&last_, text);
    if (last_.size() > kMaxComplaintBytes) last_.erase(0, last_.size() - kMaxComplaintBytes);
  }

  // Returns an error with the text at the end of its message.
  absl::Status AddTo(const absl::Status& error) const {
    const absl::string_view text = absl::StripAsciiWhitespace(last_);
    if (error.ok() || text.empty()) return error;
    absl::Status longer(error.code(), absl::StrCat(error.message(), ": ", text));
    error.ForEachPayload([&longer](absl::string_view type_url, const absl::Cord& payload) {
      longer.SetPayload(type_url, payload);
    });
    return longer;
  }

 private:
  const Text next_;
  std::string last_;
};

// Reads and drops what a command writes to stdout, until it has ended. Returns its outcome.
absl::Status AwaitEnd(const Context& ctx, remotecommand::Session& session, Complaints& complaints) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<remotecommand::Output> output, session.Read(ctx));
    if (!output.has_value()) break;
    if (output->channel == remotecommand::Channel::kStderr) complaints.Add(output->data);
  }
  return session.Wait(ctx);
}

// ---- To a pod

// Returns whether the path is a folder in the container.
absl::StatusOr<bool> IsFolder(const Context& ctx, const StartCommand& start,
                              const std::string& path, const CopyOptions& options) {
  const Context limited = WithTimeout(ctx, kTestTimeout);
  KUBE_ASSIGN_OR_RETURN(const Session session, start(limited, {.container = options.container,
                                                               .command = {"test", "-d", path}}));
  Complaints ignored{Text()};
  const absl::Status outcome = AwaitEnd(limited, *session, ignored);
  if (outcome.ok()) return true;
  if (limited.done()) return limited.status();
  // Where the program cannot be run, nobody knows; kubectl assumes that it is not a folder.
  const bool is_unknown = absl::IsUnavailable(outcome) || absl::IsDataLoss(outcome) ||
                          absl::IsAborted(outcome) || absl::IsCancelled(outcome);
  if (is_unknown) return outcome;
  return false;
}

// Where an archive is unpacked, and what its first part is called.
struct Destination {
  std::string folder = {};
  std::string name = {};
};

Destination DestinationOf(const std::string& local_path, const std::string& remote_path,
                          bool is_folder) {
  const CleanPath local = ParsePath(local_path);
  CleanPath remote = ParsePath(remote_path);
  if (is_folder && !local.has_name()) return {.folder = remote.ToString()};
  if (is_folder) remote.parts.push_back(local.parts.back());
  Destination destination;
  if (remote.has_name()) {
    destination.name = remote.parts.back();
    remote.parts.pop_back();
  }
  destination.folder = remote.ToString();
  return destination;
}

// Sends an archive to a command, on a thread of its own, and reads what the command says.
class Upload {
 public:
  Upload(const Context& ctx, remotecommand::Session& session, Text warn)
      : session_(session), warn_(std::move(warn)), scope_(WithCancel(ctx)) {}

  absl::Status Run(const Context& ctx, const std::string& path, const std::string& name,
                   Complaints& complaints) {
    base::Thread sender;
    KUBE_RETURN_IF_ERROR(sender.Start(scope_.context(), "podcopy", [&](const Context& thread_ctx) {
      Send(thread_ctx, path, name);
    }));
    const absl::Status outcome = AwaitEnd(scope_.context(), session_, complaints);
    // A command that has ended reads nothing more.
    scope_.Cancel();
    sender.Join();
    KUBE_RETURN_IF_ERROR(ctx.status());
    KUBE_RETURN_IF_ERROR(local_);
    KUBE_RETURN_IF_ERROR(complaints.AddTo(outcome));
    if (sent_.ok()) return absl::OkStatus();
    return absl::AbortedError("tar ended before it had read everything");
  }

 private:
  void Send(const Context& ctx, const std::string& path, const std::string& name) {
    const auto sink = [&](absl::string_view bytes) {
      sent_ = session_.WriteStdin(ctx, bytes);
      return sent_;
    };
    const absl::Status status = ArchiveTree(path, name, sink, warn_);
    if (!sent_.ok()) return;  // the outcome says why
    if (!status.ok()) {
      local_ = status;
      scope_.Cancel();
      return;
    }
    // A command may have ended by itself after the end of the archive.
    session_.CloseStdin(ctx).IgnoreError();
  }

  remotecommand::Session& session_;
  const Text warn_;
  CancelScope scope_;
  // Set by the thread.
  absl::Status local_;  // why the archive cannot be made
  absl::Status sent_;   // why it cannot be sent
};

// ---- From a pod

std::vector<std::string> ArchiveCommand(const std::string& remote_path, uint64_t received,
                                        const CopyOptions& options) {
  // It must not look like an option.
  const std::string path =
      absl::StartsWith(remote_path, "-") ? absl::StrCat("./", remote_path) : remote_path;
  if (options.max_retries == 0) return {"tar", "cf", "-", path};
  const std::string quoted = absl::StrCat("'", absl::StrReplaceAll(path, {{"'", "'\\''"}}), "'");
  return {"sh", "-c", absl::StrCat("tar cf - ", quoted, " | tail -c+", received + 1)};
}

// Receives an archive, in one session or, if they break, in several.
class Download {
 public:
  Download(const Context& ctx, const StartCommand& start, const std::string& remote_path,
           const CopyOptions& options, TarReader& reader)
      : start_(start),
        remote_path_(remote_path),
        options_(options),
        warn_(WarningsOf(ctx, options)),
        reader_(reader),
        complaints_(options.on_stderr) {}

  absl::Status Run(const Context& ctx) {
    base::Backoff backoff = {.duration = absl::Milliseconds(100),
                             .factor = 2,
                             .jitter = 0.1,
                             .steps = 10,
                             .cap = absl::Seconds(5)};
    for (int retries = 0;; ++retries) {
      const Attempt attempt = Try(ctx);
      if (!attempt.may_be_resumed || ctx.done()) return attempt.status;
      if (options_.max_retries >= 0 && retries >= options_.max_retries) return attempt.status;
      warn_(absl::StrCat("Resuming copy at ", received_, " bytes, retry ", retries + 1, "/",
                         options_.max_retries, ": ", attempt.status.message()));
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, backoff.Step()));
    }
  }

 private:
  struct Attempt {
    absl::Status status = {};
    bool may_be_resumed = false;
  };

  Attempt Try(const Context& ctx) {
    const absl::StatusOr<Session> session =
        start_(ctx, {.container = options_.container,
                     .command = ArchiveCommand(remote_path_, received_, options_)});
    if (!session.ok()) return Broken(session.status());
    while (true) {
      const absl::StatusOr<std::optional<remotecommand::Output>> output = (*session)->Read(ctx);
      if (!output.ok()) return OutcomeUnknown(output.status());
      if (!output->has_value()) break;
      if ((*output)->channel == remotecommand::Channel::kStderr) {
        complaints_.Add((*output)->data);
        continue;
      }
      received_ += (*output)->data.size();
      const absl::Status status = reader_.Receive((*output)->data);
      if (!status.ok()) return {.status = complaints_.AddTo(status)};
    }
    const absl::Status outcome = (*session)->Wait(ctx);
    if (remotecommand::ExitCodeOf(outcome).value_or(0) != 0) {
      return {.status = complaints_.AddTo(outcome)};
    }
    if (!outcome.ok()) return OutcomeUnknown(complaints_.AddTo(outcome));
    if (reader_.may_end()) return {};
    return Broken(complaints_.AddTo(absl::DataLossError("tar: unexpected end of archive")));
  }

  // Whatever prevents a copy from beginning is not that a connection has broken.
  Attempt Broken(const absl::Status& error) const {
    return {.status = error, .may_be_resumed = received_ > 0};
  }

  // A session has broken off. That does not matter if the archive was complete.
  Attempt OutcomeUnknown(const absl::Status& error) const {
    if (!reader_.may_end()) return Broken(error);
    warn_(absl::StrCat("the exit code of tar is not known: ", error.message()));
    return {};
  }

  const StartCommand& start_;
  const std::string& remote_path_;
  const CopyOptions& options_;
  const Text warn_;
  TarReader& reader_;
  Complaints complaints_;
  uint64_t received_ = 0;  // bytes of the archive
};

absl::Status CheckPaths(const std::string& from, const std::string& to) {
  if (!from.empty() && !to.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("filepath can not be empty");
}

}  // namespace

absl::Status CopyTo(const Context& ctx, const StartCommand& start, const std::string& local_path,
                    const std::string& remote_path, const CopyOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckPaths(local_path, remote_path));
  const std::string what =
      absl::StrCat("copy \"", local_path, "\" to \"", remote_path, "\" in the container");
  struct stat status = {};
  if (::lstat(local_path.c_str(), &status) != 0) {
    const int error = errno;
    if (error == ENOENT) {
      return absl::NotFoundError(absl::StrCat(local_path, " doesn't exist in local filesystem"));
    }
    return absl::ErrnoToStatus(error, what);
  }
  KUBE_ASSIGN_OR_RETURN(const bool is_folder, IsFolder(ctx, start, remote_path, options), what);
  const Destination destination = DestinationOf(local_path, remote_path, is_folder);

  std::vector<std::string> command = {"tar"};
  if (options.no_preserve) {
    command.emplace_back("--no-same-permissions");
    command.emplace_back("--no-same-owner");
  }
  command.emplace_back("-xmf");
  command.emplace_back("-");
  command.emplace_back("-C");
  command.push_back(destination.folder);
  KUBE_ASSIGN_OR_RETURN(
      const Session session,
      start(ctx,
            {.container = options.container, .command = std::move(command), .with_stdin = true}),
      what);
  Complaints complaints(options.on_stderr);
  return base::Annotate(Upload(ctx, *session, WarningsOf(ctx, options))
                            .Run(ctx, local_path, destination.name, complaints),
                        what);
}

absl::Status CopyFrom(const Context& ctx, const StartCommand& start, const std::string& remote_path,
                      const std::string& local_path, const CopyOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckPaths(remote_path, local_path));
  Extractor extractor({.prefix = EntryPrefix(remote_path),
                       .target = local_path,
                       .keep_symlinks = options.keep_symlinks,
                       .keep_permissions = !options.no_preserve,
                       .warn = WarningsOf(ctx, options)});
  TarReader reader(extractor);
  return base::Annotate(
      Download(ctx, start, remote_path, options, reader).Run(ctx),
      absl::StrCat("copy \"", remote_path, "\" in the container to \"", local_path, "\""));
}

}  // namespace kube::podcopy::internal
