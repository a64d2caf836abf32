#include "clientset/portforward/listeners.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/internal/connection_threads.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/internal/splice.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/portforward/port_stream.h"
#include "net/io/file_descriptor.h"

// One thread waits for the connections of all ports, and starts a thread for each (splice.cc says
// why), which connects to the pod and copies bytes until the connection is over.
namespace kube::portforward {
namespace {

// How long no connection is accepted after the system had no descriptors left.
constexpr absl::Duration kPauseWhenExhausted = absl::Seconds(1);

struct BoundSocket {
  io::FileDescriptor socket;
  BoundPort port;
};

// Listens on one port of all addresses. `port.local` becomes the number that was chosen.
absl::StatusOr<std::vector<BoundSocket>> Bind(const std::vector<ListenAddress>& addresses,
                                              ForwardedPort& port) {
  std::vector<BoundSocket> bound;
  std::vector<std::string> errors;
  bool localhost_works = false;
  bool localhost_fails = false;
  bool others_fail = false;
  for (const ListenAddress& address : addresses) {
    absl::StatusOr<internal::ListeningSocket> listening =
        internal::ListenOn(address.ip, port.local);
    if (!listening.ok()) {
      errors.push_back(absl::StrCat("unable to create listener: Error listen ",
                                    JoinHostPort(address.ip, port.local), ": ",
                                    listening.status().message()));
      (address.from_localhost ? localhost_fails : others_fail) = true;
      continue;
    }
    port.local = listening->port;
    if (address.from_localhost) localhost_works = true;
    bound.push_back({.socket = std::move(listening->socket),
                     .port = {.ip = address.ip, .local = port.local, .remote = port.remote}});
  }
  if (others_fail || (localhost_fails && !localhost_works)) {
    return absl::UnavailableError(
        absl::StrCat("Listeners failed to create with the following errors: [",
                     absl::StrJoin(errors, " "), "]"));
  }
  return bound;
}

absl::Status CheckOptions(const ListenOptions& options) {
  if (options.max_connections == 0) {
    return absl::InvalidArgumentError("max_connections must be positive");
  }
  if (options.dial_timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("dial_timeout must be positive");
  }
  return absl::OkStatus();
}

// As Go prints a list of such structs.
std::string TextOf(const std::vector<ForwardedPort>& ports) {
  const auto append = [](std::string* out, const ForwardedPort& port) {
    absl::StrAppend(out, "{", port.local, " ", port.remote, "}");
  };
  return absl::StrCat("[", absl::StrJoin(ports, " ", append), "]");
}

}  // namespace

struct Listeners::Impl {
  Impl(const Context& ctx, std::shared_ptr<Forwarder> forwarder, ListenOptions options)
      : forwarder_(std::move(forwarder)), options_(std::move(options)), scope_(WithCancel(ctx)) {}

  // Listens on all ports, and reports those for which that fails.
  absl::Status BindAll(const std::vector<ListenAddress>& addresses,
                       std::vector<ForwardedPort> ports);
  absl::Status Start();

  // The body of the thread that accepts.
  void Run(const Context& ctx);
  void AcceptUntilDone(const Context& ctx, internal::ConnectionThreads& connections);
  void Accept(const Context& ctx, const BoundSocket& from,
              internal::ConnectionThreads& connections);
  // The body of a connection's thread.
  void Serve(const Context& ctx, io::FileDescriptor socket, const ForwardedPort& port);
  void Report(const Context& ctx, const ForwardedPort& port, const absl::Status& error) const;

  const std::shared_ptr<Forwarder> forwarder_;
  const ListenOptions options_;
  CancelScope scope_;
  std::vector<BoundPort> ports_;
  std::vector<BoundSocket> sockets_;  // of the thread, once it runs
  io::FileDescriptor wake_;           // an eventfd
  base::Event ended_;
  base::Thread acceptor_;
};

absl::Status Listeners::Impl::BindAll(const std::vector<ListenAddress>& addresses,
                                      std::vector<ForwardedPort> ports) {
  const std::string wanted = TextOf(ports);
  std::vector<std::pair<ForwardedPort, absl::Status>> failed;
  for (ForwardedPort& port : ports) {
    const uint16_t local = port.local;
    absl::StatusOr<std::vector<BoundSocket>> bound = Bind(addresses, port);
    if (!bound.ok()) {
      failed.emplace_back(
          port, base::Annotate(bound.status(), absl::StrCat("unable to listen on port ", local)));
      continue;
    }
    for (BoundSocket& socket : *bound) {
      ports_.push_back(socket.port);
      sockets_.push_back(std::move(socket));
    }
  }
  if (sockets_.empty()) {
    std::vector<std::string> causes;
    for (const auto& [port, error] : failed) causes.emplace_back(error.message());
    return absl::UnavailableError(absl::StrCat("unable to listen on any of the requested ports: ",
                                               wanted, ": ", absl::StrJoin(causes, "; ")));
  }
  for (const auto& [port, error] : failed) Report(scope_.context(), port, error);
  return absl::OkStatus();
}

absl::Status Listeners::Impl::Start() {
  wake_ = io::FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.is_open()) return absl::ErrnoToStatus(errno, "create eventfd");
  return acceptor_.Start(scope_.context(), "port-forward-accept",
                         [this](const Context& ctx) { Run(ctx); });
}

void Listeners::Impl::Run(const Context& ctx) {
  {
    internal::ConnectionThreads connections(ctx, options_.max_connections);
    AcceptUntilDone(ctx, connections);
    sockets_.clear();
  }
  ended_.Set();
}

void Listeners::Impl::AcceptUntilDone(const Context& ctx,
                                      internal::ConnectionThreads& connections) {
  const DoneCallback wake = ctx.OnDone([this] { ::eventfd_write(wake_.get(), 1); });
  std::vector<pollfd> fds;
  for (const BoundSocket& bound : sockets_) {
    fds.push_back({.fd = bound.socket.get(), .events = POLLIN, .revents = 0});
  }
  fds.push_back({.fd = wake_.get(), .events = POLLIN, .revents = 0});
  while (!ctx.done()) {
    if (::poll(fds.data(), fds.size(), -1) < 0) continue;
    for (size_t i = 0; i < sockets_.size() && !ctx.done(); ++i) {
      if (fds[i].revents != 0) Accept(ctx, sockets_[i], connections);
    }
  }
}

void Listeners::Impl::Accept(const Context& ctx, const BoundSocket& from,
                             internal::ConnectionThreads& connections) {
  const ForwardedPort port = {.local = from.port.local, .remote = from.port.remote};
  io::FileDescriptor socket(::accept4(from.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket.is_open()) {
    // The program has gone meanwhile.
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    Report(ctx, port,
           absl::ErrnoToStatus(errno,
                               absl::StrCat("error accepting connection on port ", port.local)));
    // The connection still waits, and accepting it would fail at once. Returns early if `ctx` ends.
    base::SleepFor(ctx, kPauseWhenExhausted).IgnoreError();
    return;
  }
  auto serve = [this, port, socket = std::move(socket)](const Context& thread_ctx) mutable {
    Serve(thread_ctx, std::move(socket), port);
  };
  const absl::Status started = connections.Start(ctx, "port-forward", std::move(serve));
  if (!started.ok() && !ctx.done()) Report(ctx, port, started);
}

void Listeners::Impl::Serve(const Context& ctx, io::FileDescriptor socket,
                            const ForwardedPort& port) {
  if (options_.on_connection) options_.on_connection(port);
  internal::LocalSocket local(std::move(socket));
  const absl::StatusOr<std::unique_ptr<PortStream>> remote =
      forwarder_->Dial(WithTimeout(ctx, options_.dial_timeout), port.remote);
  const absl::Status status =
      remote.ok() ? internal::Splice(ctx, local, **remote) : remote.status();
  if (status.ok() || ctx.done()) return;
  Report(ctx, port,
         base::Annotate(status, absl::StrCat("an error occurred forwarding ", port.local, " -> ",
                                             port.remote)));
}

void Listeners::Impl::Report(const Context& ctx, const ForwardedPort& port,
                             const absl::Status& error) const {
  if (options_.on_error) return options_.on_error(port, error);
  log::Error(ctx, error, "failed to forward a port",
             {{"local", port.local}, {"remote", port.remote}});
}

Listeners::Listeners(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Listeners::~Listeners() { Close(); }

const std::vector<BoundPort>& Listeners::ports() const { return impl_->ports_; }

absl::Status Listeners::Wait(const Context& ctx) const { return impl_->ended_.Wait(ctx); }

void Listeners::Close() { impl_->scope_.Cancel(); }

absl::StatusOr<std::unique_ptr<Listeners>> Listen(const Context& ctx,
                                                  std::shared_ptr<Forwarder> forwarder,
                                                  absl::Span<const std::string> addresses,
                                                  absl::Span<const std::string> ports,
                                                  const ListenOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckOptions(options));
  KUBE_ASSIGN_OR_RETURN(const std::vector<ListenAddress> parsed_addresses,
                        ParseAddresses(addresses));
  KUBE_ASSIGN_OR_RETURN(std::vector<ForwardedPort> parsed_ports, ParsePorts(ports));
  auto impl = std::make_unique<Listeners::Impl>(ctx, std::move(forwarder), options);
  KUBE_RETURN_IF_ERROR(impl->BindAll(parsed_addresses, std::move(parsed_ports)));
  KUBE_RETURN_IF_ERROR(impl->Start());
  return std::make_unique<Listeners>(Listeners::Key(), std::move(impl));
}

}  // namespace kube::portforward
