#include "apiserver/handler.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apiserver/call/core.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/encoding/cbor_exchange.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/internal/handler_impl.h"
#include "apiserver/server_address.h"
#include "apiserver/user.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {

using httpserver::Exchange;

namespace {

ContainerName NameOf(absl::string_view namespace_name, absl::string_view pod,
                     absl::string_view container) {
  return {.namespace_name = std::string(namespace_name),
          .pod = std::string(pod),
          .container = std::string(container)};
}

}  // namespace

ApiHandler::ApiHandler(HandlerOptions options)
    : impl_(std::make_shared<Impl>(std::move(options))),
      layer_(std::make_shared<apiserver::internal::FaultLayer>(impl_)) {
  for (const FaultRule& rule : impl_->options.faults) layer_->Add(rule);
}

ApiHandler::~ApiHandler() {
  layer_->Close();
  impl_->webhook_scope->End();
  impl_->EndAll();
  // The requests go first: they may begin sessions.
  impl_->webhook_requests.EndAll();
  impl_->open_sessions.EndAll();
  impl_->webhook_requests.KeepIfGivenUp(impl_);
}

void ApiHandler::Handle(std::shared_ptr<Exchange> exchange) {
  if (impl_->options.cbor) exchange = apiserver::internal::WithCbor(std::move(exchange));
  layer_->Handle(std::move(exchange));
}

void ApiHandler::Restart(const RestartOptions& options) {
  if (!options.keep_data) {
    std::shared_ptr<apiserver::internal::Core> made = impl_->MakeCore();
    base::MutexLock lock(impl_->mutex);
    impl_->core.swap(made);
  }
  layer_->BreakConnections(/*user_agent=*/"");
  impl_->webhook_scope->Cancel();
  impl_->EndAll();
  impl_->webhook_requests.EndAll();
  impl_->open_sessions.EndAll();
}

int64_t ApiHandler::revision() const { return impl_->Core()->storage.revision(); }

void ApiHandler::Compact() {
  const std::shared_ptr<apiserver::internal::Core> core = impl_->Core();
  core->storage.Compact(core->storage.revision());
}

std::vector<LoggedRequest> ApiHandler::Requests(size_t from) const {
  base::MutexLock lock(impl_->mutex);
  const size_t begin = std::min(from, impl_->requests.size());
  return {impl_->requests.begin() + static_cast<std::ptrdiff_t>(begin), impl_->requests.end()};
}

size_t ApiHandler::request_count() const {
  base::MutexLock lock(impl_->mutex);
  return impl_->requests.size();
}

void ApiHandler::ClearRequests() {
  base::MutexLock lock(impl_->mutex);
  impl_->requests.clear();
}

void ApiHandler::SetDenyRules(std::vector<DenyRule> rules) {
  impl_->access.SetDenyRules(std::move(rules));
}

void ApiHandler::SetAddress(ServerAddress address) { impl_->address->Set(std::move(address)); }

void ApiHandler::AddToken(absl::string_view token, User user) {
  impl_->access.AddToken(token, std::move(user));
}

void ApiHandler::SetContainer(absl::string_view namespace_name, absl::string_view pod,
                              absl::string_view container, Container provided) {
  impl_->containers->Set(NameOf(namespace_name, pod, container), std::move(provided));
}

void ApiHandler::SetContainers(std::function<std::optional<Container>(const ContainerName&)> find) {
  impl_->containers->SetFinder(std::move(find));
}

void ApiHandler::SetPodLog(absl::string_view namespace_name, absl::string_view pod,
                           absl::string_view container, absl::string_view text) {
  impl_->Core()->logs->Set(NameOf(namespace_name, pod, container), text, base::WallNow());
}

void ApiHandler::AppendPodLog(absl::string_view namespace_name, absl::string_view pod,
                              absl::string_view container, absl::string_view text) {
  impl_->Core()->logs->Append(NameOf(namespace_name, pod, container), text, base::WallNow());
}

void ApiHandler::EndPodLog(absl::string_view namespace_name, absl::string_view pod,
                           absl::string_view container) {
  impl_->Core()->logs->End(NameOf(namespace_name, pod, container));
}

void ApiHandler::RestartPodLog(absl::string_view namespace_name, absl::string_view pod,
                               absl::string_view container) {
  impl_->Core()->logs->Restart(NameOf(namespace_name, pod, container));
}

void ApiHandler::SetWebhook(absl::string_view namespace_name, absl::string_view service,
                            absl::string_view path, WebhookFunction function) {
  impl_->webhook_caller->SetFunction(namespace_name, service, path, std::move(function));
}

void ApiHandler::SetWebhook(absl::string_view url, WebhookFunction function) {
  impl_->webhook_caller->SetFunction(url, std::move(function));
}

void ApiHandler::SetServiceAddress(absl::string_view namespace_name, absl::string_view service,
                                   int port, absl::string_view address) {
  impl_->webhook_caller->SetServiceAddress(namespace_name, service, port, address);
}

size_t ApiHandler::watches() const {
  base::MutexLock lock(impl_->mutex);
  return impl_->watches.size();
}

size_t ApiHandler::sessions() const { return impl_->open_sessions.size(); }

}  // namespace kube::apiserver
