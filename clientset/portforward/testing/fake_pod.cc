#include "clientset/portforward/testing/fake_pod.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/portforward/forwarder.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"

namespace kube::portforward {
namespace {

absl::Status Refuse(const Context&, io::DuplexStream&) {
  return absl::UnavailableError("connection refused");
}

std::string HeaderOf(const spdy::SessionStream& stream, absl::string_view name) {
  return std::string(stream.headers().Get(name).value_or(""));
}

}  // namespace

FakePod::FakePod()
    : network_(std::make_unique<CancelScope>(WithCancel(Context()))), threads_(Context()) {}

FakePod::~FakePod() {
  LoseConnections();
  threads_.Cancel();
  threads_.Wait().IgnoreError();
}

absl::Status FakePod::Echo(const Context& ctx, io::DuplexStream& connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection.Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(connection.Write(ctx, bytes));
  }
}

void FakePod::Listen(uint16_t port, Handler handler) {
  base::MutexLock lock(mutex_);
  handlers_[port] = std::move(handler);
}

void FakePod::FailConnections(size_t count, absl::Status error) {
  base::MutexLock lock(mutex_);
  failures_ = count;
  failure_ = std::move(error);
}

absl::StatusOr<std::unique_ptr<io::DuplexStream>> FakePod::Connect() {
  {
    base::MutexLock lock(mutex_);
    ++connections_;
    if (failures_ > 0) {
      --failures_;
      return failure_;
    }
  }
  io::Pipe pipe = io::MakePipe();
  Serve(std::move(pipe.second));
  return std::move(pipe.first);
}

void FakePod::Serve(std::unique_ptr<io::DuplexStream> connection) {
  Context network;
  {
    base::MutexLock lock(mutex_);
    network = network_->context();
  }
  threads_.Go("kubelet",
              [this, network, connection = std::move(connection)](const Context& ctx) mutable {
                // The context of the group ends after that of the network.
                if (!ctx.done()) ServeSession(network, std::move(connection));
                return absl::OkStatus();
              });
}

Connector FakePod::MakeConnector() {
  return [this](const Context&) { return Connect(); };
}

void FakePod::LoseConnections() {
  auto next = std::make_unique<CancelScope>(WithCancel(Context()));
  std::unique_ptr<CancelScope> lost;
  {
    base::MutexLock lock(mutex_);
    lost = std::exchange(network_, std::move(next));
  }
  lost->Cancel();
}

size_t FakePod::connections() const {
  base::MutexLock lock(mutex_);
  return connections_;
}

std::vector<std::string> FakePod::request_ids() const {
  base::MutexLock lock(mutex_);
  return request_ids_;
}

FakePod::Handler FakePod::HandlerOf(uint16_t port) const {
  base::MutexLock lock(mutex_);
  const auto found = handlers_.find(port);
  if (found == handlers_.end()) return Refuse;
  return found->second;
}

void FakePod::ServeSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  spdy::SessionOptions options;
  options.connection.role = spdy::Role::kServer;
  const absl::StatusOr<std::unique_ptr<spdy::Session>> session =
      spdy::Session::Start(ctx, std::move(connection), options);
  if (!session.ok()) return;
  base::ThreadGroup group(ctx);
  std::map<std::string, Pair> pairs;
  while (true) {
    absl::StatusOr<std::unique_ptr<spdy::SessionStream>> stream = (*session)->Accept(ctx);
    if (!stream.ok() || !(*stream)->Reply().ok()) break;
    const std::string id = HeaderOf(**stream, "requestid");
    uint32_t port = 0;
    if (!absl::SimpleAtoi(HeaderOf(**stream, "port"), &port)) continue;
    Pair& pair = pairs[id];
    (HeaderOf(**stream, "streamtype") == "error" ? pair.error : pair.data) = *std::move(stream);
    if (pair.error == nullptr || pair.data == nullptr) continue;
    {
      base::MutexLock lock(mutex_);
      request_ids_.push_back(id);
    }
    group.Go("pod", [this, port, complete = std::move(pair)](const Context& each) mutable {
      Handle(each, static_cast<uint16_t>(port), complete);
      return absl::OkStatus();
    });
    pairs.erase(id);
  }
  group.Cancel();
  group.Wait().IgnoreError();
}

void FakePod::Handle(const Context& ctx, uint16_t port, Pair& pair) {
  const absl::Status status = HandlerOf(port)(ctx, *pair.data);
  if (status.ok()) {
    pair.error->CloseWrite().IgnoreError();
    pair.data->CloseWrite().IgnoreError();
    // Kubelets forget the streams. To destroy them before the client has ended would reset them.
    while (true) {
      const absl::StatusOr<std::string> bytes = pair.data->Read(ctx);
      if (!bytes.ok() || bytes->empty()) return;
    }
  }
  const std::string text =
      absl::StrCat("error forwarding port ", port, " to pod prod_web-0, uid : ", status.message());
  pair.error->Write(ctx, text).IgnoreError();
  pair.data->Reset();
  pair.error->Reset();
}

}  // namespace kube::portforward
