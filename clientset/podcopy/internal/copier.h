#ifndef CLIENTSET_PODCOPY_INTERNAL_COPIER_H_
#define CLIENTSET_PODCOPY_INTERNAL_COPIER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "clientset/podcopy/copy.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"

// CopyToPod and CopyFromPod, over any means to run a command in a container.
namespace kube::podcopy::internal {

using StartCommand = std::function<absl::StatusOr<std::unique_ptr<remotecommand::Session>>(
    const Context& ctx, const remotecommand::ExecOptions& options)>;

absl::Status CopyTo(const Context& ctx, const StartCommand& start, const std::string& local_path,
                    const std::string& remote_path, const CopyOptions& options);

absl::Status CopyFrom(const Context& ctx, const StartCommand& start, const std::string& remote_path,
                      const std::string& local_path, const CopyOptions& options);

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_COPIER_H_
