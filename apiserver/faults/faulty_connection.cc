#include "apiserver/faults/faulty_connection.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apiserver/faults/faulty_exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

// A call that waits for the exchange, or that blocks in the connection itself, has a context of its
// own, so that Close can end it although the connection may not be closed yet.

FaultyConnection::FaultyConnection(std::shared_ptr<FaultyExchange> exchange)
    : exchange_(std::move(exchange)), open_(WithCancel(Context())) {}

FaultyConnection::~FaultyConnection() { FaultyConnection::Close(); }

template <typename Call>
absl::Status FaultyConnection::WithConnection(const Context& ctx, Call call) {
  CancelScope scope = WithCancel(ctx);
  const DoneCallback closing = open_.context().OnDone([&scope] { scope.Cancel(); });
  KUBE_ASSIGN_OR_RETURN(io::DuplexStream* const connection,
                        exchange_->AwaitConnection(scope.context()));
  return call(scope.context(), *connection);
}

absl::StatusOr<std::string> FaultyConnection::Read(const Context& ctx) {
  const absl::Status status =
      WithConnection(ctx, [this](const Context& until, io::DuplexStream& connection) {
        if (kept_.has_value()) return absl::OkStatus();
        absl::StatusOr<std::string> bytes = connection.Read(until);
        if (!bytes.ok()) return bytes.status();
        kept_ = *std::move(bytes);
        // A fault may have begun before they arrived.
        return exchange_->AwaitConnection(until).status();
      });
  if (open_.context().done()) return std::string();
  if (!status.ok()) return status;
  return *std::exchange(kept_, std::nullopt);
}

void FaultyConnection::Recycle(std::string bytes) {
  if (io::DuplexStream* const connection = exchange_->connection()) {
    connection->Recycle(std::move(bytes));
  }
}

absl::Status FaultyConnection::Write(const Context& ctx, absl::string_view bytes) {
  if (write_ended_) {
    return absl::FailedPreconditionError("write to connection: it is closed for writing");
  }
  absl::Status status =
      WithConnection(ctx, [bytes](const Context& until, io::DuplexStream& connection) {
        return connection.Write(until, bytes);
      });
  if (status.ok() || !open_.context().done()) return status;
  return absl::FailedPreconditionError("write to connection: it is closed");
}

absl::Status FaultyConnection::Flush(const Context& ctx) {
  absl::Status status = WithConnection(ctx, [](const Context& until, io::DuplexStream& connection) {
    return connection.Flush(until);
  });
  if (status.ok() || !open_.context().done()) return status;
  return absl::FailedPreconditionError("flush connection: it is closed");
}

absl::Status FaultyConnection::CloseWrite() {
  if (std::exchange(write_ended_, true)) return absl::OkStatus();
  // The connections that handlers get can end in one direction.
  exchange_->ChangeConnection(
      [](io::DuplexStream& connection) { connection.CloseWrite().IgnoreError(); });
  return absl::OkStatus();
}

void FaultyConnection::Close() {
  if (open_.context().done()) return;
  open_.Cancel();
  exchange_->ChangeConnection([](io::DuplexStream& connection) { connection.Close(); });
}

}  // namespace kube::apiserver::internal
