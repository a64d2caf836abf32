#include "clientset/portforward/pod_dialer.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/internal/connection_threads.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/internal/splice.h"
#include "clientset/portforward/port_stream.h"
#include "net/httpclient/connection_dialer.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward {
namespace {

class DialerOfPod final : public httpclient::ConnectionDialer {
 public:
  DialerOfPod(std::shared_ptr<Forwarder> forwarder, size_t max_connections)
      : forwarder_(std::move(forwarder)), connections_(Context(), max_connections) {}

  absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx,
                                          const httpclient::DialAddress& address) override {
    if (address.port < 1 || address.port > UINT16_MAX) {
      return absl::InvalidArgumentError(absl::StrCat("invalid port ", address.port));
    }
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<PortStream> remote,
                          forwarder_->Dial(ctx, static_cast<uint16_t>(address.port)));
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return absl::ErrnoToStatus(errno, "create socket pair");
    }
    io::FileDescriptor result(ends[0]);
    auto serve = [remote = std::move(remote),
                  end = io::FileDescriptor(ends[1])](const Context& thread_ctx) mutable {
      Serve(thread_ctx, std::move(end), *remote);
    };
    KUBE_RETURN_IF_ERROR(connections_.Start(ctx, "port-forward", std::move(serve)));
    return result;
  }

 private:
  static void Serve(const Context& ctx, io::FileDescriptor end, PortStream& remote) {
    internal::LocalSocket local(std::move(end));
    const absl::Status status = internal::Splice(ctx, local, remote);
    if (!status.ok() && !ctx.done()) {
      KUBE_VLOG_CTX(ctx, 4, "connection to a pod failed", {"err", status});
    }
  }

  const std::shared_ptr<Forwarder> forwarder_;
  internal::ConnectionThreads connections_;
};

}  // namespace

std::shared_ptr<httpclient::ConnectionDialer> PodDialer(std::shared_ptr<Forwarder> forwarder,
                                                        const PodDialerOptions& options) {
  return std::make_shared<DialerOfPod>(std::move(forwarder),
                                       std::max<size_t>(options.max_connections, 1));
}

}  // namespace kube::portforward
