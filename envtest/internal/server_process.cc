#include "envtest/internal/server_process.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/subprocess.h"

namespace kube::envtest::internal {

using rest::RunSubprocess;
using rest::SubprocessOptions;
using rest::SubprocessResult;

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(ServerProcessOptions options) {
  // Creates the log, or clears that of an earlier run.
  std::ofstream(options.log_file, std::ios::trunc).close();
  auto process = std::make_unique<ServerProcess>(std::move(options));
  KUBE_RETURN_IF_ERROR(process->thread_.Start(
      Context(), process->name(), [self = process.get()](const Context& ctx) { self->Run(ctx); }));
  return process;
}

void ServerProcess::Run(const Context& ctx) {
  SubprocessOptions options = {.path = options_.program,
                               .args = {options_.name},
                               .env = options_.env,
                               .output_file = options_.log_file,
                               .grace = options_.grace};
  options.args.insert(options.args.end(), options_.flags.begin(), options_.flags.end());
  const absl::StatusOr<SubprocessResult> result = RunSubprocess(ctx, options);
  if (ctx.done()) return;
  base::MutexLock lock(mutex_);
  if (!result.ok()) {
    ended_ = absl::UnavailableError(absl::StrCat(name(), ": ", result.status().message()));
  } else if (result->signal != 0) {
    ended_ = absl::UnavailableError(absl::StrCat(name(), " terminated by signal ", result->signal));
  } else {
    ended_ = absl::UnavailableError(absl::StrCat(name(), " exited with code ", result->exit_code));
  }
}

absl::Status ServerProcess::ended() const {
  base::MutexLock lock(mutex_);
  return ended_;
}

void ServerProcess::Stop() {
  thread_.RequestStop();
  thread_.Join();
}

std::string ServerProcess::LogTail(size_t max_bytes) const {
  std::ifstream file(options_.log_file, std::ios::binary | std::ios::ate);
  if (!file) return "";
  const auto size = static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0));
  file.seekg(static_cast<std::streamoff>(size - std::min(size, max_bytes)));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool ServerProcess::LogSays(absl::string_view text) const {
  return absl::StrContains(LogTail(size_t{1} << 20), text);
}

}  // namespace kube::envtest::internal
