#include "clientset/podcopy/copy.h"

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/podcopy/internal/copier.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/rest/client.h"

namespace kube::podcopy {
namespace {

internal::StartCommand StartIn(const rest::Client& client, const remotecommand::PodTarget& pod) {
  return [&client, &pod](const Context& ctx, const remotecommand::ExecOptions& options) {
    return remotecommand::StartExec(ctx, client, pod, options);
  };
}

}  // namespace

absl::Status CopyToPod(const Context& ctx, const rest::Client& client,
                       const remotecommand::PodTarget& pod, const std::string& local_path,
                       const std::string& remote_path, const CopyOptions& options) {
  return internal::CopyTo(ctx, StartIn(client, pod), local_path, remote_path, options);
}

absl::Status CopyFromPod(const Context& ctx, const rest::Client& client,
                         const remotecommand::PodTarget& pod, const std::string& remote_path,
                         const std::string& local_path, const CopyOptions& options) {
  return internal::CopyFrom(ctx, StartIn(client, pod), remote_path, local_path, options);
}

}  // namespace kube::podcopy
