#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/custom_kind.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/handler.h"
#include "apiserver/internal/handler_impl.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/watch/watch_session.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver {

using apiserver::internal::FaultyExchange;

void ApiHandler::Impl::StartWatch(const std::shared_ptr<apiserver::internal::Core>& the_core,
                                  std::shared_ptr<FaultyExchange> exchange,
                                  std::unique_ptr<apiserver::internal::WatchStream> watch) {
  const Resource& watched = *watch->parameters().resource;
  const bool converts = watched.custom != nullptr && watched.custom->converter() != nullptr;
  auto session = std::make_shared<apiserver::internal::WatchSession>(
      std::shared_ptr<Storage>(the_core, &the_core->storage), std::move(watch), std::move(exchange),
      apiserver::internal::WatchSessionOptions{
          .bookmark_interval = options.bookmark_interval,
          .start_thread = converts ? ThreadStarter() : nullptr});
  int64_t id = 0;
  {
    base::MutexLock lock(mutex);
    id = next_id++;
    watches.emplace(id, session);
  }
  session->Start([weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::shared_ptr<apiserver::internal::WatchSession> over;
    base::MutexLock lock(self->mutex);
    auto it = self->watches.find(id);
    if (it == self->watches.end()) return;
    // Destroyed after the lock is released, because its destructor waits for callbacks.
    over = std::move(it->second);
    self->watches.erase(it);
  });
  // The resources may have changed before the watch was registered.
  session->EndUnlessOf(*the_core->resources.Get());
}

std::function<absl::Status(std::function<void()>)> ApiHandler::Impl::ThreadStarter() {
  return [weak = weak_from_this()](std::function<void()> body) {
    const auto self = weak.lock();
    if (self == nullptr) return absl::CancelledError("the server ends");
    return self->webhook_requests.Start(
        Context(), "watch", [body = std::move(body)](const Context& /*ctx*/) { body(); });
  };
}

void ApiHandler::Impl::FollowLog(std::shared_ptr<apiserver::internal::Core> the_core,
                                 std::shared_ptr<FaultyExchange> exchange,
                                 std::unique_ptr<apiserver::internal::FollowedLog> followed) {
  followed->owner = std::move(the_core);
  auto session =
      std::make_shared<apiserver::internal::LogSession>(std::move(*followed), std::move(exchange));
  int64_t id = 0;
  {
    base::MutexLock lock(mutex);
    id = next_id++;
    followed_logs.emplace(id, session);
  }
  session->Start([weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::shared_ptr<apiserver::internal::LogSession> over;
    base::MutexLock lock(self->mutex);
    auto it = self->followed_logs.find(id);
    if (it == self->followed_logs.end()) return;
    // Destroyed after the lock is released, because its destructor waits for callbacks.
    over = std::move(it->second);
    self->followed_logs.erase(it);
  });
}

void ApiHandler::Impl::StartSession(std::shared_ptr<FaultyExchange> exchange,
                                    const RequestInfo& info, apiserver::internal::Upgrade upgrade) {
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> connection =
      exchange->SwitchProtocols(std::move(upgrade.headers));
  if (!connection.ok()) {
    // The client has gone, unless a fault has answered it.
    return exchange->Abort();
  }
  const absl::Status started = open_sessions.Start(
      exchange->context(), absl::StrCat(info.subresource, " ", info.namespace_name, "/", info.name),
      [serve = std::move(upgrade.serve), stream = *std::move(connection)](
          const Context& ctx) mutable { serve(ctx, std::move(stream)); });
  if (!started.ok()) log::Error(started, "cannot start a session");
}

void ApiHandler::Impl::EndStaleWatches(const Resources& resources) {
  std::vector<std::shared_ptr<apiserver::internal::WatchSession>> sessions;
  {
    base::MutexLock lock(mutex);
    for (const auto& [id, session] : watches) sessions.push_back(session);
  }
  for (const auto& session : sessions) session->EndUnlessOf(resources);
}

ApiHandler::Impl::Ended ApiHandler::Impl::EndAll() {
  Ended ended;
  base::MutexLock lock(mutex);
  ended.watches.swap(watches);
  ended.followed_logs.swap(followed_logs);
  ended.waiting.swap(waiting);
  return ended;
}

void ApiHandler::Impl::WakeWatches() {
  std::vector<std::shared_ptr<apiserver::internal::WatchSession>> sessions;
  {
    base::MutexLock lock(mutex);
    for (const auto& [id, session] : watches) sessions.push_back(session);
  }
  for (const auto& session : sessions) session->Pump();
}

}  // namespace kube::apiserver
