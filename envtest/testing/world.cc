#include "envtest/testing/world.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/watch/event.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::envtest {
namespace {

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kSecrets = {
    .version = "v1", .plural = "secrets", .kind = "Secret", .built_in = true};

}  // namespace

std::ostream& operator<<(std::ostream& out, Form form) {
  constexpr const char* kNames[] = {"InProcess", "Http1", "Http2"};
  return out << kNames[static_cast<int>(form)];
}

ConfigMaps MapsOf(const rest::Config& config) {
  return ConfigMaps(*rest::MakeClient(config), kConfigMaps).Namespace("default");
}

World::World(Form form, apiserver::HandlerOptions options) : form_(form) {
  // Lists and watches of config maps are those of the test, whether or not the server uses TLS.
  options.cluster_objects = false;
  if (form == Form::kInProcess) {
    handler_.emplace(std::move(options));
    return;
  }
  absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> environment =
      EmbeddedEnvironment::Start({.handler = std::move(options)});
  EXPECT_THAT(environment, base::IsOk());
  environment_ = *std::move(environment);
}

apiserver::ApiHandler& World::server() {
  return environment_ == nullptr ? *handler_ : environment_->server().handler();
}

absl::Status World::Restart(const apiserver::RestartOptions& options) {
  if (environment_ != nullptr) return environment_->server().Restart(options);
  handler_->Restart(options);
  return absl::OkStatus();
}

rest::Config World::Config(absl::string_view user) {
  if (form_ == Form::kInProcess) return InProcessConfig(server(), {.name = std::string(user)});
  server().AddToken(user, {.name = std::string(user)});
  rest::Config config = environment_->Config(user);
  config.http_version =
      form_ == Form::kHttp1 ? httpclient::HttpVersion::kHttp1 : httpclient::HttpVersion::kHttp2Only;
  return config;
}

ConfigMaps World::Maps(absl::string_view user) { return MapsOf(Config(user)); }

Secrets World::MakeSecrets() {
  return Secrets(*rest::MakeClient(Config()), kSecrets).Namespace("default");
}

absl::Duration World::quiet() const {
  return form_ == Form::kInProcess ? absl::Minutes(1) : absl::Milliseconds(30);
}

bool Eventually(absl::FunctionRef<bool()> condition) {
  return base::PollUntilTimeout(Context(), absl::Milliseconds(1), absl::Seconds(60),
                                base::FirstPoll::kAtOnce,
                                [&](const Context&) { return condition(); })
      .ok();
}

std::string Next(ConfigMapWatcher& watcher, absl::Duration patience) {
  const auto event = watcher.Next(WithTimeout(Context(), patience));
  if (!event.ok()) return "QUIET";
  if (!event->has_value()) return "END";
  if ((*event)->type == watch::EventType::kError) {
    if (errors::IsResourceExpired((*event)->error)) return "ERROR Expired";
    return errors::StatusOf((*event)->error).has_value() ? "ERROR" : "BROKEN";
  }
  const auto& metadata = (*event)->object->metadata;
  const bool initial_end = metadata.annotations.contains("k8s.io/initial-events-end");
  return absl::StrCat(watch::ToString((*event)->type), metadata.name.empty() ? "" : " ",
                      metadata.name.view(), initial_end ? " END" : "");
}

void WorldTest::Run(const std::function<void(World&)>& body, apiserver::HandlerOptions options) {
  if (GetParam() == Form::kInProcess) {
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      World world(GetParam(), std::move(options));
      body(world);
    }),
                base::IsOk());
    return;
  }
  World world(GetParam(), std::move(options));
  body(world);
}

std::string FormName(const testing::TestParamInfo<Form>& info) {
  return testing::PrintToString(info.param);
}

}  // namespace kube::envtest
