#include "clientset/podcopy/testing/fake_container.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"

namespace kube::podcopy {

class FakeContainer::FakeSession final : public remotecommand::Session {
 public:
  FakeSession(FakeContainer& container, FakeCommand command)
      : container_(container), command_(std::move(command)) {}

  absl::StatusOr<std::optional<remotecommand::Output>> Read(const Context& ctx) override {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return closed_ || stdin_ended_ || !command_.reads_stdin;
    }));
    if (closed_) return absl::CancelledError("closed");
    if (next_ < command_.outputs.size()) return command_.outputs[next_++];
    ended_ = true;
    changed_.NotifyAll();
    if (!command_.read_error.ok()) return command_.read_error;
    return std::nullopt;
  }

  absl::Status WriteStdin(const Context& ctx, absl::string_view data) override {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return ended_ || closed_ || command_.reads_stdin;
    }));
    if (ended_ || closed_) return absl::FailedPreconditionError("the command has ended");
    base::MutexLock container_lock(container_.mutex_);
    absl::StrAppend(&container_.received_, data);
    return absl::OkStatus();
  }

  absl::Status CloseStdin(const Context&) override {
    base::MutexLock lock(mutex_);
    stdin_ended_ = true;
    changed_.NotifyAll();
    return absl::OkStatus();
  }

  absl::Status Resize(const Context&, remotecommand::TerminalSize) override {
    return absl::FailedPreconditionError("no terminal");
  }

  absl::Status Wait(const Context&) override { return command_.outcome; }

  void Close() override {
    base::MutexLock lock(mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }

  absl::string_view protocol() const override { return remotecommand::kProtocolV5; }

 private:
  FakeContainer& container_;
  const FakeCommand command_;
  base::Mutex mutex_;
  base::CondVar changed_;
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stdin_ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

void FakeContainer::Expect(FakeCommand command) {
  base::MutexLock lock(mutex_);
  script_.push_back(std::move(command));
}

absl::StatusOr<std::unique_ptr<remotecommand::Session>> FakeContainer::Start(
    const Context&, const remotecommand::ExecOptions& options) {
  base::MutexLock lock(mutex_);
  started_.push_back(options);
  received_.clear();
  if (script_.empty()) return absl::InternalError("the script has no more commands");
  FakeCommand command = std::move(script_.front());
  script_.pop_front();
  if (!command.start_error.ok()) return command.start_error;
  return std::make_unique<FakeSession>(*this, std::move(command));
}

std::vector<remotecommand::ExecOptions> FakeContainer::started() const {
  base::MutexLock lock(mutex_);
  return started_;
}

std::string FakeContainer::received() const {
  base::MutexLock lock(mutex_);
  return received_;
}

}  // namespace kube::podcopy
