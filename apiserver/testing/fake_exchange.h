#ifndef APISERVER_TESTING_FAKE_EXCHANGE_H_
#define APISERVER_TESTING_FAKE_EXCHANGE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver {

// A request to a handler without a socket, and the answer so far. Thread-safe.
//
//   auto exchange = std::make_shared<FakeExchange>(httpserver::Request{.method = "GET", ...});
//   handler.Handle(exchange);
//   EXPECT_EQ(exchange->status(), 200);
class FakeExchange : public httpserver::Exchange {
 public:
  explicit FakeExchange(httpserver::Request request);

  const httpserver::Request& request() const override { return request_; }
  const Context& context() const override { return scope_.context(); }
  void Inform(int status, http::Headers headers) override;
  void Respond(httpserver::Response response) override;
  void Start(int status, http::Headers headers) override;
  bool Write(std::string piece) override;
  void Finish(http::Headers trailers) override;
  // Ends the answer. The connection is a pipe, whose other end TakeConnection returns. Its end is
  // not the end of the exchange's context, and Abort has no effect on it (InProcessExchange has
  // both).
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> SwitchProtocols(http::Headers headers) override;
  void Abort() override;
  size_t buffered_bytes() const override { return 0; }
  bool PauseUntilDrained(size_t, std::function<void()>) override { return false; }

  // Behaves like a client that goes away.
  void Cancel() { scope_.Cancel(); }
  // Blocks until the answer is complete, and returns OK, or until `ctx` is done, and returns its
  // status.
  absl::Status Wait(const Context& ctx) const;
  // Blocks until the body has this many lines.
  absl::Status WaitForLines(const Context& ctx, size_t lines) const;

  int status() const;  // 0 if not answered yet
  http::Headers headers() const;
  std::string body() const;
  bool finished() const;
  // Returns the lines of the body, which are the events of a watch in JSON.
  std::vector<std::string> lines() const;
  // Returns the client's end of the connection after SwitchProtocols, once; null before.
  std::unique_ptr<io::DuplexStream> TakeConnection();

 private:
  const httpserver::Request request_;
  CancelScope scope_;
  mutable base::Mutex mutex_;
  mutable base::CondVar changed_;
  int status_ ABSL_GUARDED_BY(mutex_) = 0;
  http::Headers headers_ ABSL_GUARDED_BY(mutex_);
  std::string body_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<io::DuplexStream> connection_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_FAKE_EXCHANGE_H_
