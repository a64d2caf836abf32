#include "benchmarks/envtest/put.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/informer/process.h"
#include "envtest/in_process_transport.h"
#include "net/httpclient/http_message.h"

namespace kube::benchmarks {
namespace {

using unstructured::SetNestedField;
using unstructured::Value;

constexpr int kContainers = 8;
constexpr int kVariables = 30;
constexpr size_t kPuts = 40;  // at a time
constexpr int kRounds = 30;
constexpr char kDeployments[] = "/apis/apps/v1/namespaces/default/deployments";
constexpr char kToken[] = "token";

// Returns one container of the Deployment of tools/bench managedfields.
std::string ContainerJson(int i) {
  std::string env = R"({"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}})";
  for (int n = 0; n < kVariables; ++n) {
    absl::StrAppend(&env, R"(,{"name":"SETTING_)", n, R"(","value":"value of the setting )", n,
                    R"("})");
  }
  return absl::StrCat(
      R"({"name":"web-)", i, R"(","image":"registry.example.com/web:1.2.3","env":[)", env,
      R"(],"args":["--port=8080","--level=info"],"ports":[{"containerPort":8080,"name":"http-)", i,
      R"("},{"containerPort":9090,"name":"metrics-)", i,
      R"("}],"resources":{"limits":{"memory":"1Gi"},"requests":{"cpu":"100m","memory":"256Mi"}},)",
      R"("volumeMounts":[{"mountPath":"/etc/web","name":"config","readOnly":true}],)",
      R"("livenessProbe":{"httpGet":{"path":"/healthz","port":8080},"periodSeconds":10}})");
}

std::string DeploymentJson() {
  std::string containers = ContainerJson(0);
  for (int i = 1; i < kContainers; ++i) absl::StrAppend(&containers, ",", ContainerJson(i));
  return absl::StrCat(
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web",)",
      R"("labels":{"app":"web"},"annotations":{"example.com/team":"web"}},"spec":{"replicas":3,)",
      R"("selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)",
      R"("spec":{"containers":[)", containers,
      R"(],"volumes":[{"configMap":{"name":"web"},"name":"config"}]}}}})");
}

// An embedded server with a Deployment that has two managers: its creator, which replaces it, and a
// controller, which has written its status.
class PutServer {
 public:
  explicit PutServer(bool managed_fields)
      : handler_({.tokens = {{kToken, envtest::AdminUser()}},
                  .managed_fields = managed_fields,
                  .storage = {.max_changes = 100}}),
        transport_(handler_) {}

  absl::Status Prepare() {
    KUBE_ASSIGN_OR_RETURN(
        const std::string created,
        Send("POST", absl::StrCat(kDeployments, "?fieldManager=ctl"), DeploymentJson()));
    KUBE_ASSIGN_OR_RETURN(Value object, unstructured::ParseJson(created));
    Map<Value>& members = *object.object();
    KUBE_RETURN_IF_ERROR(SetNestedField(members, 3, {"status", "replicas"}));
    KUBE_RETURN_IF_ERROR(SetNestedField(members, 3, {"status", "updatedReplicas"}));
    KUBE_ASSIGN_OR_RETURN(const std::string observed, unstructured::EncodeJson(object));
    KUBE_ASSIGN_OR_RETURN(
        const std::string live,
        Send("PUT", absl::StrCat(kDeployments, "/web/status?fieldManager=controller"), observed));
    KUBE_ASSIGN_OR_RETURN(object, unstructured::ParseJson(live));
    // A replacement without a version replaces any.
    unstructured::RemoveNestedField(*object.object(), {"metadata", "resourceVersion"});
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const int replicas = 3 + static_cast<int>(i);
      KUBE_RETURN_IF_ERROR(SetNestedField(*object.object(), replicas, {"spec", "replicas"}));
      KUBE_ASSIGN_OR_RETURN(bodies_[i], unstructured::EncodeJson(object));
    }
    return absl::OkStatus();
  }

  // Returns the CPU time of one replacement in microseconds: the mean of kPuts, each of which
  // changes the object, which has its managed fields, if any, as clients send them back.
  absl::StatusOr<double> Put() {
    const absl::Duration before = ProcessCpu();
    for (size_t i = 0; i < kPuts; ++i) {
      KUBE_RETURN_IF_ERROR(Send("PUT", absl::StrCat(kDeployments, "/web?fieldManager=ctl"),
                                bodies_[i % bodies_.size()])
                               .status());
    }
    return absl::ToDoubleMicroseconds(ProcessCpu() - before) / static_cast<double>(kPuts);
  }

 private:
  absl::StatusOr<std::string> Send(const std::string& method, absl::string_view target,
                                   const std::string& body) {
    httpclient::HttpRequest request = {.method = method,
                                       .url = absl::StrCat("http://localhost", target)};
    request.headers = {{"accept", "application/json"},
                       {"authorization", absl::StrCat("Bearer ", kToken)},
                       {"content-type", "application/json"}};
    request.body = std::make_shared<const std::string>(body);
    KUBE_ASSIGN_OR_RETURN(const httpclient::HttpResponse response,
                          transport_.RoundTrip(Context(), std::move(request)));
    std::string text;
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Context()));
      if (piece.empty()) break;
      text += piece;
    }
    if (response.status == 200 || response.status == 201) return text;
    return absl::InternalError(absl::StrCat(method, " ", target, ": ", response.status, " ", text));
  }

  apiserver::ApiHandler handler_;
  envtest::InProcessTransport transport_;
  std::array<std::string, 2> bodies_;
};

}  // namespace

absl::Status MeasurePuts(Report& report) {
  PutServer tracked(/*managed_fields=*/true);
  PutServer untracked(/*managed_fields=*/false);
  KUBE_RETURN_IF_ERROR(tracked.Prepare());
  KUBE_RETURN_IF_ERROR(untracked.Prepare());
  std::vector<double> with, without, ratios;
  // The first round is for caches and the allocator.
  for (int round = 0; round <= kRounds; ++round) {
    PutServer& first = round % 2 == 0 ? tracked : untracked;
    PutServer& second = round % 2 == 0 ? untracked : tracked;
    KUBE_ASSIGN_OR_RETURN(double on, first.Put());
    KUBE_ASSIGN_OR_RETURN(double off, second.Put());
    if (round % 2 != 0) std::swap(on, off);
    if (round == 0) continue;
    with.push_back(on);
    without.push_back(off);
    ratios.push_back(on / off);
  }
  report.Add("tracked_cpu", "us", Median(std::move(with)));
  report.Add("untracked_cpu", "us", Median(std::move(without)));
  report.Add("ratio", "1", Median(std::move(ratios)));
  return absl::OkStatus();
}

}  // namespace kube::benchmarks
