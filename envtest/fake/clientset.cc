#include "envtest/fake/clientset.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/watch/byte_stream.h"
#include "apiserver/handler.h"
#include "apiserver/request_info.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "envtest/fake/action.h"
#include "envtest/fake/internal/kinds.h"
#include "envtest/fake/reaction.h"
#include "envtest/in_process_transport.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::fake {
namespace {

using unstructured::Value;

struct Registered {
  std::string verb;
  std::string resource;
  Reactor reactor;
};

// Returns whether the reactor handles the action. (client-go: `SimpleReactor.Handles`)
bool Covers(const Registered& registered, const Action& action) {
  if (registered.verb != "*" && registered.verb != action.verb) return false;
  const std::string& covered = registered.resource;
  return covered == "*" || covered == action.resource.resource ||
         covered == absl::StrCat(action.resource.resource, "/", action.subresource);
}

// Returns the URL without scheme and host.
absl::string_view TargetOf(absl::string_view url) {
  const size_t host = url.find("://");
  const size_t path = url.find('/', host == absl::string_view::npos ? 0 : host + 3);
  return path == absl::string_view::npos ? "/" : url.substr(path);
}

absl::StatusOr<Action> ActionOf(const httpclient::HttpRequest& request) {
  KUBE_ASSIGN_OR_RETURN(apiserver::RequestInfo info,
                        apiserver::ParseRequestInfo(request.method, TargetOf(request.url)),
                        "parse request");
  Action action;
  action.verb = std::move(info.verb);
  action.resource = {.group = std::move(info.group),
                     .version = std::move(info.version),
                     .resource = std::move(info.resource)};
  action.subresource = std::move(info.subresource);
  action.namespace_name = std::move(info.namespace_name);
  if (info.names_one()) action.name = std::move(info.name);
  action.path = std::move(info.path);
  action.query = std::move(info.query);
  if (request.body != nullptr) action.body = *request.body;
  if (action.verb == "patch") {
    action.patch_type = patch::ParseMediaType(request.headers.Get("content-type").value_or(""));
  }
  return action;
}

class TextStream final : public watch::ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}

  absl::StatusOr<std::string> Read(const Context&) override { return std::exchange(text_, ""); }
  void Close() override {}

 private:
  std::string text_;
};

httpclient::HttpResponse ResponseOf(int status, std::string json) {
  httpclient::HttpResponse response;
  response.status = status;
  response.headers.Set("content-type", "application/json");
  response.body = std::make_unique<TextStream>(std::move(json));
  return response;
}

// Returns the response of a reaction other than PassOn.
absl::StatusOr<httpclient::HttpResponse> ResponseTo(const Action& action,
                                                    const Reaction& reaction) {
  if (reaction.kind() == Reaction::Kind::kAnswer) {
    return ResponseOf(action.verb == "create" ? 201 : 200, reaction.answer());
  }
  absl::StatusOr<internal::EncodedError> error = internal::EncodeError(reaction.error());
  if (!error.ok()) return reaction.error();
  return ResponseOf(error->code, std::move(error->json));
}

rest::Client ClientOf(const rest::Config& config) {
  absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  KUBE_CHECK(client.ok()) << client.status();
  return *std::move(client);
}

rest::Config WithTransport(rest::Config config, std::shared_ptr<httpclient::Transport> transport) {
  config.transport = std::move(transport);
  config.content_type = "application/json";  // the format in which actions are read
  return config;
}

bool HasStatus(const KindInfo& kind) {
  return std::any_of(kind.subresources.begin(), kind.subresources.end(),
                     [](const SubresourceInfo& each) { return each.name == "status"; });
}

std::string TextOf(const Value* object, absl::string_view member) {
  const Value* value = object == nullptr ? nullptr : object->Find(member);
  return value == nullptr ? "" : std::string(value->text().value_or(""));
}

rest::Request RequestOf(const char* verb, const KindInfo& kind, std::string json) {
  rest::Request request;
  request.verb = verb;
  request.resource = {.group = std::string(kind.group),
                      .version = std::string(kind.version),
                      .resource = std::string(kind.plural)};
  request.body = std::make_shared<const std::string>(std::move(json));
  request.content_type = "application/json";
  request.accept = "application/json";
  return request;
}

apiserver::HandlerOptions HandlerOptionsOf(ClientsetOptions options) {
  options.server.cluster_objects = options.cluster_objects;
  return std::move(options.server);
}

}  // namespace

// The transport between the clients and the server: logs actions and asks the reactors.
struct Clientset::State final : public httpclient::Transport {
  explicit State(apiserver::HandlerOptions options)
      : server(std::move(options)),
        config(envtest::InProcessConfig(server)),
        direct(ClientOf(config)) {}

  // Returns the first reaction other than PassOn.
  Reaction AskReactors(Action& action) {
    std::vector<Registered> asked;
    {
      base::MutexLock lock(mutex);
      actions.push_back(action);
      asked = reactors;
    }
    for (const Registered& each : asked) {
      if (!Covers(each, action)) continue;
      Reaction reaction = each.reactor(action);
      if (reaction.kind() != Reaction::Kind::kPassOn) return reaction;
    }
    return Reaction::PassOn();
  }

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    if (ctx.done()) return ctx.status();
    KUBE_ASSIGN_OR_RETURN(Action action, ActionOf(request));
    const Reaction reaction = AskReactors(action);
    if (reaction.kind() != Reaction::Kind::kPassOn) return ResponseTo(action, reaction);
    if (request.body != nullptr) {
      request.body = std::make_shared<const std::string>(std::move(action.body));
    }
    return config.transport->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override {}

  apiserver::ApiHandler server;
  const rest::Config config;
  // A client that bypasses the reactors.
  const rest::Client direct;
  mutable base::Mutex mutex;
  std::vector<Registered> reactors ABSL_GUARDED_BY(mutex);
  std::vector<Action> actions ABSL_GUARDED_BY(mutex);
};

Clientset::Clientset(ClientsetOptions options)
    : state_(std::make_shared<State>(HandlerOptionsOf(std::move(options)))),
      client_(ClientOf(WithTransport(state_->config, state_))) {}

Clientset::~Clientset() = default;

void Clientset::PrependReactor(absl::string_view verb, absl::string_view resource,
                               Reactor reactor) {
  base::MutexLock lock(state_->mutex);
  state_->reactors.insert(state_->reactors.begin(), {.verb = std::string(verb),
                                                     .resource = std::string(resource),
                                                     .reactor = std::move(reactor)});
}

void Clientset::AddReactor(absl::string_view verb, absl::string_view resource, Reactor reactor) {
  base::MutexLock lock(state_->mutex);
  state_->reactors.push_back({.verb = std::string(verb),
                              .resource = std::string(resource),
                              .reactor = std::move(reactor)});
}

std::vector<Action> Clientset::Actions() const {
  base::MutexLock lock(state_->mutex);
  return state_->actions;
}

void Clientset::ClearActions() {
  base::MutexLock lock(state_->mutex);
  state_->actions.clear();
}

apiserver::ApiHandler& Clientset::server() { return state_->server; }

absl::Status Clientset::MakeNamespace(const std::string& name) {
  rest::Request request =
      RequestOf("POST", *api::FindKind("v1", "Namespace"),
                absl::StrCat(R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")", name,
                             R"("}})"));
  const absl::Status status = state_->direct.Do(Context(), request).status();
  return errors::IsAlreadyExists(status) ? absl::OkStatus() : status;
}

absl::Status Clientset::AddObject(const kube::table::Message& message,
                                  absl::StatusOr<std::string> json) {
  const KindInfo* kind = internal::KindOf(message);
  if (kind == nullptr || kind->scope == Scope::kNone) {
    return absl::InvalidArgumentError("add object: no kind is registered for the type");
  }
  KUBE_ASSIGN_OR_RETURN(const std::string whole, internal::WithKind(std::move(json), message),
                        "add object");
  KUBE_ASSIGN_OR_RETURN(const Value object, unstructured::ParseJson(whole), "add object");
  rest::Request request = RequestOf("POST", *kind, whole);
  if (kind->scope == Scope::kNamespaced) {
    std::string name = TextOf(object.Find("metadata"), "namespace");
    if (name.empty()) name = "default";
    KUBE_RETURN_IF_ERROR(MakeNamespace(name));
    request.namespace_name = name;
  }
  KUBE_ASSIGN_OR_RETURN(const rest::Result created, state_->direct.Do(Context(), request),
                        "add object");
  const Value* status = object.Find("status");
  if (status == nullptr || !HasStatus(*kind)) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const Value stored, unstructured::ParseJson(created.body), "add object");
  KUBE_ASSIGN_OR_RETURN(std::string patch,
                        unstructured::EncodeJson(Map<Value>{{"status", *status}}), "add object");
  rest::Request write = RequestOf("PATCH", *kind, std::move(patch));
  write.namespace_name = request.namespace_name;
  write.name = TextOf(stored.Find("metadata"), "name");
  write.subresource = {"status"};
  write.content_type = std::string(patch::MediaType(patch::PatchType::kMerge));
  return state_->direct.Do(Context(), write).status();
}

}  // namespace kube::fake
