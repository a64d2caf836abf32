#include "net/httpclient/internal/dial_threads.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/internal/transfer_end.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient::internal {

DialThreads::DialThreads(io::EventLoop& loop) : loop_(loop) {}

DialThreads::~DialThreads() {
  // All are told before the first is waited for.
  for (const auto& [id, dial] : dials_) dial->thread.RequestStop();
  dials_.clear();
}

DialThreads::Outcome DialThreads::Call(ConnectionDialer& dialer, const Context& ctx,
                                       const DialAddress& address) {
  absl::StatusOr<io::FileDescriptor> socket = dialer.Dial(ctx, address);
  if (!socket.ok()) return {.error = TransferEnd(socket.status())};
  if (!socket->is_open()) {
    return {.error = TransferEnd(absl::InternalError("the dialer returned no socket"))};
  }
  return {.socket = *std::move(socket)};
}

std::optional<DialThreads::Id> DialThreads::Start(std::shared_ptr<ConnectionDialer> dialer,
                                                  DialAddress address, absl::Duration timeout,
                                                  Done done) {
  const Id id = ++last_;
  auto dial = std::make_unique<Dial>();
  dial->done = std::move(done);
  const absl::Status started = dial->thread.Start(
      WithTimeout(Context(), timeout), "rest-dial",
      [this, id, dialer = std::move(dialer),
       address = std::move(address)](const Context& ctx) mutable {
        Outcome outcome = Call(*dialer, ctx, address);
        dialer.reset();  // if this is the last reference, it ends here and not on the loop's thread
        // If the loop has ended, the socket is closed here.
        loop_.Post([this, id, outcome = std::move(outcome)]() mutable {
          OnReturn(id, std::move(outcome));
        });
      });
  if (!started.ok()) return std::nullopt;
  dials_.emplace(id, std::move(dial));
  return id;
}

void DialThreads::Cancel(Id id) {
  Dial& dial = *dials_.at(id);
  dial.done = nullptr;
  dial.thread.RequestStop();
}

void DialThreads::OnReturn(Id id, Outcome outcome) {
  const auto found = dials_.find(id);
  const Done done = std::move(found->second->done);
  dials_.erase(found);  // joins the thread, which has nothing left to do
  if (done == nullptr) return;
  if (outcome.error.has_value()) return done(outcome.error->ToStatus());
  done(std::move(outcome.socket));
}

}  // namespace kube::httpclient::internal
