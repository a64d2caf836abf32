#include "apiserver/faults/faulty_connection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
    : exchange_(std::move(exchange)),
      open_(WithCancel(Context())),
      allowed_bytes_(
          exchange_->plan().break_after_bytes.value_or(std::numeric_limits<int64_t>::max())) {}

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
        KUBE_RETURN_IF_ERROR(Keep(*std::move(bytes)));
        if (allowed_bytes_ <= 0) return absl::OkStatus();
        // A fault may have begun before they arrived.
        return exchange_->AwaitConnection(until).status();
      });
  if (open_.context().done()) return std::string();
  if (!status.ok()) return status;
  return *std::exchange(kept_, std::nullopt);
}

absl::Status FaultyConnection::Keep(std::string bytes) {
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t allowed = allowed_bytes_.fetch_sub(size);
  if (size < allowed) {
    kept_ = std::move(bytes);
    return absl::OkStatus();
  }
  exchange_->Break();
  if (allowed <= 0) return absl::UnavailableError("the connection was aborted");
  bytes.resize(static_cast<size_t>(allowed));
  kept_ = std::move(bytes);
  return absl::OkStatus();
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
      WithConnection(ctx, [this, bytes](const Context& until, io::DuplexStream& connection) {
        const auto size = static_cast<int64_t>(bytes.size());
        if (size >= allowed_bytes_) return WriteLast(until, connection, bytes);
        absl::Status written = connection.Write(until, bytes);
        // A write that was given up has sent nothing.
        if (written.ok() && allowed_bytes_.fetch_sub(size) <= size) exchange_->Break();
        return written;
      });
  if (status.ok() || !open_.context().done()) return status;
  return absl::FailedPreconditionError("write to connection: it is closed");
}

absl::Status FaultyConnection::WriteLast(const Context& ctx, io::DuplexStream& connection,
                                         absl::string_view bytes) {
  const int64_t allowed = std::max<int64_t>(allowed_bytes_, 0);
  if (allowed > 0) {
    KUBE_RETURN_IF_ERROR(connection.Write(ctx, bytes.substr(0, static_cast<size_t>(allowed))));
    // Breaking the connection drops what has not been sent. If that fails, the client has gone, or
    // the caller does not want to wait.
    connection.Flush(ctx).IgnoreError();
    allowed_bytes_ -= allowed;
  }
  exchange_->Break();
  return absl::UnavailableError("the connection was aborted");
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
