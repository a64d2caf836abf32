#include "controller/leaderelection/testing/lease_cluster.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::leaderelection {

namespace coordinationv1 = api::coordination::v1;

namespace {

class TextBody final : public watch::ByteStream {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  absl::StatusOr<std::string> Read(const Context&) override { return std::exchange(text_, ""); }
  void Close() override {}

 private:
  std::string text_;
};

// Tells the sender at once that the connection is lost, or nothing at all.
absl::Status Lost(const Context& ctx) {
  if (Chance(0.5)) {
    return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, "lost");
  }
  return base::WaitUntilDone(ctx);
}

}  // namespace

bool Chance(double probability) { return base::UniformDouble() < probability; }

absl::Duration UpTo(absl::Duration most) { return most * base::UniformDouble(); }

LeaseCluster::LeaseCluster()
    : runtime_(base::Runtime::Current()), transport_(server_), couriers_(Context()) {}

LeaseCluster::~LeaseCluster() { couriers_.Wait().IgnoreError(); }

absl::StatusOr<httpclient::HttpResponse> LeaseCluster::Execute(httpclient::HttpRequest request) {
  const base::RuntimeScope scope(runtime_);  // the server's clock, not the sender's
  const bool writes = request.method != "GET";
  KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                        transport_.RoundTrip(Context(), std::move(request)));
  std::string text;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Context()));
    if (piece.empty()) break;
    text += piece;
  }
  if (writes && response.status / 100 == 2) Note(text);
  response.body = std::make_unique<TextBody>(std::move(text));
  return response;
}

void LeaseCluster::ExecuteLater(absl::Duration delay, httpclient::HttpRequest request) {
  const base::RuntimeScope scope(runtime_);
  couriers_.Go("courier", [this, delay, request = std::move(request)](const Context&) mutable {
    base::SleepFor(Context(), delay).IgnoreError();
    Execute(std::move(request)).IgnoreError();
    return absl::OkStatus();
  });
}

void LeaseCluster::Note(const std::string& lease_json) {
  const absl::StatusOr<coordinationv1::Lease> lease =
      codec::DecodeJson<coordinationv1::Lease>(lease_json);
  KUBE_CHECK_OK(lease.status());
  int64_t version = 0;
  KUBE_CHECK(absl::SimpleAtoi(std::string(lease->metadata.resource_version.view()), &version));
  base::MutexLock lock(mutex_);
  ledger_[version] = std::string(lease->spec.holder_identity->view());
}

coordinationv1::LeaseClient LeaseCluster::ClientOf(
    std::shared_ptr<httpclient::Transport> transport) {
  rest::Config config = envtest::InProcessConfig(server_);
  config.transport = std::move(transport);
  config.content_type = "application/json";  // what Note reads
  absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  KUBE_CHECK_OK(client.status());
  return coordinationv1::CoordinationV1Client(*client).Leases("default");
}

int64_t LeaseCluster::HeldSince(const std::string& identity) const {
  base::MutexLock lock(mutex_);
  int64_t since = 0;
  std::string holder;
  for (const auto& [version, next] : ledger_) {
    if (next == identity && holder != identity) since = version;
    holder = next;
  }
  return since;
}

absl::StatusOr<httpclient::HttpResponse> UnreliableLink::RoundTrip(
    const Context& ctx, httpclient::HttpRequest request) {
  LinkFaults faults;
  {
    base::MutexLock lock(mutex_);
    faults = faults_;
  }
  const auto travel = [&] {
    return base::SleepFor(ctx, UpTo(Chance(faults.slow) ? faults.slow_latency : faults.latency));
  };
  KUBE_RETURN_IF_ERROR(travel());
  if (IsCut() || Chance(faults.lose_request)) return Lost(ctx);
  if (Chance(faults.late)) {
    cluster_.ExecuteLater(UpTo(faults.lateness), std::move(request));
    return Lost(ctx);
  }
  KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response, cluster_.Execute(std::move(request)));
  KUBE_RETURN_IF_ERROR(travel());
  if (IsCut() || Chance(faults.lose_answer)) return Lost(ctx);
  return response;
}

void UnreliableLink::SetFaults(const LinkFaults& faults) {
  base::MutexLock lock(mutex_);
  faults_ = faults;
}

void UnreliableLink::CutUntil(base::MonotonicTime true_time) {
  base::MutexLock lock(mutex_);
  cut_until_ = true_time;
}

bool UnreliableLink::IsCut() const {
  base::MutexLock lock(mutex_);
  return true_time_.Now() < cut_until_;
}

}  // namespace kube::leaderelection
