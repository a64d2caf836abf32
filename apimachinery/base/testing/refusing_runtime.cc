#include "apimachinery/base/testing/refusing_runtime.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

absl::StatusOr<std::unique_ptr<RunningThread>> RefusingRuntime::StartThread(
    std::string name, absl::AnyInvocable<void()> body) {
  if (!refused_name_.empty() && name == refused_name_) {
    ++refusals_;
    return absl::ResourceExhaustedError(absl::StrCat("start thread \"", name, "\": refused"));
  }
  return below_.StartThread(std::move(name), [this, body = std::move(body)]() mutable {
    const RuntimeScope scope(*this);
    body();
    body = nullptr;
  });
}

}  // namespace kube::base
