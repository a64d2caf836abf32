#ifndef APISERVER_FAULTS_FAULTY_CONNECTION_H_
#define APISERVER_FAULTS_FAULTY_CONNECTION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apiserver/faults/faulty_exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

// The server's end of a connection that has switched protocols, during whose faults no byte passes
// in either direction: calls wait, and the end of the bytes arrives later. After the bytes that the
// plan of the exchange allows, it breaks the exchange. The exchange decides, and owns the
// connection.
class FaultyConnection final : public io::DuplexStream {
 public:
  explicit FaultyConnection(std::shared_ptr<FaultyExchange> exchange);
  ~FaultyConnection() override;
  FaultyConnection(const FaultyConnection&) = delete;
  FaultyConnection& operator=(const FaultyConnection&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override;
  void Recycle(std::string bytes) override;
  absl::Status Write(const Context& ctx, absl::string_view bytes) override;
  absl::Status Flush(const Context& ctx) override;
  absl::Status CloseWrite() override;
  void Close() override;

 private:
  // Calls the function with the connection, as soon as no fault holds it, and with a context that
  // ends with `ctx`, and with Close.
  template <typename Call>
  absl::Status WithConnection(const Context& ctx, Call call);
  // Keeps what was read, or as much of it as may pass, and breaks the exchange if that is all.
  absl::Status Keep(std::string bytes);
  // Writes what may still pass of more bytes than that, and breaks the exchange.
  absl::Status WriteLast(const Context& ctx, io::DuplexStream& connection, absl::string_view bytes);

  const std::shared_ptr<FaultyExchange> exchange_;
  // Done after Close.
  CancelScope open_;
  // What was read while a fault began, for the next Read.
  std::optional<std::string> kept_;
  bool write_ended_ = false;
  // How many bytes may still pass in both directions together; negative if more have been read.
  std::atomic<int64_t> allowed_bytes_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_FAULTY_CONNECTION_H_
