#include "tests/e2e/replica.h"

#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "examples/sample_controller/demo/controller_process.h"

namespace kube::e2e {
namespace {

constexpr char kProgram[] = "examples/sample_controller/sample_controller";

std::vector<std::string> Command(std::vector<std::string> flags) {
  flags.insert(flags.begin(), kProgram);
  return flags;
}

}  // namespace

Replica::Replica(std::string name, std::vector<std::string> flags, std::string log_file)
    : name_(std::move(name)), command_(Command(std::move(flags))), log_file_(std::move(log_file)) {}

absl::Status Replica::Start() {
  Kill();
  life_begins_ = LogSize();
  {
    base::MutexLock lock(mutex_);
    ended_ = absl::OkStatus();
  }
  process_ = std::make_unique<samplecontroller::ControllerProcess>();
  return process_->Start(command_, log_file_, [this](absl::Status status) {
    base::MutexLock lock(mutex_);
    ended_ = std::move(status);
  });
}

void Replica::Kill() {
  if (process_ == nullptr) return;
  process_->End(SIGKILL);
  process_ = nullptr;
}

absl::Status Replica::ended() const {
  base::MutexLock lock(mutex_);
  return ended_;
}

size_t Replica::LogSize() const {
  std::error_code none;
  const auto size = std::filesystem::file_size(log_file_, none);
  return none ? 0 : static_cast<size_t>(size);
}

std::string Replica::ReadLog(size_t from) const {
  std::ifstream file(log_file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  if (!file) return "";
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Replica::LogTail(size_t max_bytes) const {
  const size_t size = LogSize();
  return ReadLog(size - std::min(size, max_bytes));
}

bool Replica::Says(absl::string_view text) const {
  return absl::StrContains(LogOfThisLife(), text);
}

}  // namespace kube::e2e
