// The code about servers, certificates and conversion in docs/webhooks.md, which
// //docs:snippets_test compares.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "docs/snippets/widget.client.kube.h"
#include "docs/snippets/widget.kube.h"
#include "docs/snippets/widget_v2.client.kube.h"
#include "docs/snippets/widget_v2.kube.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"
#include "webhook/ca_bundle.h"
#include "webhook/conversion.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"
#include "webhook/server_options.h"

namespace kube::webhook {
namespace {

namespace field = validation::field;
namespace v1 = ::example::widgets::v1;
namespace v2 = ::example::widgets::v2;
using base::IsOk;
using testing::HasSubstr;
using v1::Widget;

absl::Status Complete(const AdmissionRequest<Widget>&, Widget& widget) {
  if (widget.spec.size.empty()) widget.spec.size = "medium";
  return absl::OkStatus();
}

field::ErrorList Validate(const AdmissionRequest<Widget>&) { return {}; }

// In a manager.
void RegisterWebhooks(controller::Manager& manager) {
  Server& webhooks = manager.webhooks();
  webhooks.Defaults<Widget>(Complete);
  webhooks.Validates<Widget>(Validate, {.timeout = absl::Seconds(5)});
}

// Without one.
absl::Status ServeWidgets(const Context& ctx) {
  Server server(ServerOptions{.certificate_folder = "/certificates"});
  server.Defaults<Widget>(Complete);
  return server.Run(ctx);
}

controller::ManagerOptions Options() {
  controller::ManagerOptions options = {.name = "widget-operator"};
  options.webhooks.self_signed = SelfSignedOptions{
      .dns_names = {"widget-operator-webhook-service.prod.svc",
                    "widget-operator-conversion-service.prod.svc"},
      .mutating_configurations = {"widget-operator-mutating-webhook-configuration"},
      .validating_configurations = {"widget-operator-validating-webhook-configuration"}};
  return options;
}

absl::Status TellApiServer(const Context& ctx, const rest::Client& client, Server& server) {
  KUBE_ASSIGN_OR_RETURN(const std::string ca, server.CaCertificate());
  return AddCaBundle(ctx, client, {.mutating_configurations = {"widget-operator"}}, ca);
}

// v2, the hub, has the size in a shape, whose form v1 has no member for.
constexpr char kForm[] = "example.com/form";

absl::Status ToHub(const v1::Widget& widget, v2::Widget& hub) {
  hub.spec.replicas = widget.spec.replicas;
  hub.spec.shape.size = widget.spec.size;
  hub.spec.shape.form = hub.metadata.annotations.value_or(kForm, "");
  hub.metadata.annotations.erase(kForm);
  return absl::OkStatus();
}

absl::Status FromHub(const v2::Widget& hub, v1::Widget& widget) {
  widget.spec.replicas = hub.spec.replicas;
  widget.spec.size = hub.spec.shape.size;
  if (!hub.spec.shape.form.empty()) widget.metadata.annotations[kForm] = hub.spec.shape.form;
  return absl::OkStatus();
}

void RegisterConversions(Server& webhooks) {
  webhooks.Converts<v2::Widget, v1::Widget>(ToHub, FromHub);
}

TEST(Widgets, KeepTheirForm) {
  v2::Widget before, after;
  before.spec.shape.size = "small";
  before.spec.shape.form = "round";
  v1::Widget widget;
  EXPECT_THAT(FromHub(before, widget), IsOk());
  after.metadata = widget.metadata;  // as the server does
  EXPECT_THAT(ToHub(widget, after), IsOk());
  EXPECT_EQ(after.spec, before.spec);
}

TEST(WebhookServerGuide, EachExampleWorks) {
  const log::LogCapture quiet;
  EXPECT_THAT(ServeWidgets(WithTimeout(Context(), absl::Milliseconds(1))), IsOk());
  apiserver::ApiHandler api;
  controller::ManagerOptions options = Options();
  options.health.reset();
  options.webhooks.listen = false;
  const auto manager = controller::Manager::Make(envtest::InProcessConfig(api), std::move(options));
  ASSERT_THAT(manager, IsOk());
  RegisterWebhooks(**manager);
  EXPECT_EQ((*manager)->webhooks().registrations().size(), 2u);
  EXPECT_THAT((*manager)->webhooks().CheckRegistrations(), IsOk());
  EXPECT_THAT(TellApiServer(Context(), (*manager)->client(), (*manager)->webhooks()).message(),
              HasSubstr("MutatingWebhookConfiguration \"widget-operator\""));
}

TEST(WebhookServerGuide, TheServerConverts) {
  Server server;
  RegisterConversions(server);
  ASSERT_THAT(server.CheckRegistrations(), IsOk());
  EXPECT_EQ(server.registrations().front().versions.size(), 2u);
  Conversions conversions;
  ASSERT_THAT((conversions.Add<v2::Widget, v1::Widget>(ToHub, FromHub)), IsOk());
  const auto hub = unstructured::ParseJson(
      R"({"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"w"},)"
      R"("spec":{"replicas":2,"shape":{"size":"small","form":"round"}}})");
  ASSERT_THAT(hub, IsOk());
  const auto spoke = conversions.Convert(*hub, "example.com/v1");
  ASSERT_THAT(spoke, IsOk());
  const auto again = conversions.Convert(*spoke, "example.com/v2");
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ((*again)["spec"], (*hub)["spec"]);
  EXPECT_EQ((*spoke)["spec"]["size"].text(), "small");
}

}  // namespace
}  // namespace kube::webhook
