#include "informers/testing/faulty_transport.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::informers {

namespace metav1 = api::meta::v1;

namespace {

class TextBody final : public watch::ByteStream {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  absl::StatusOr<std::string> Read(const Context&) override { return std::exchange(text_, ""); }
  void Close() override {}

 private:
  std::string text_;
};

class SilentBody final : public watch::ByteStream {
 public:
  absl::StatusOr<std::string> Read(const Context& ctx) override { return base::WaitUntilDone(ctx); }
  void Close() override {}
};

httpclient::HttpResponse TextResponse(int status, std::string text) {
  httpclient::HttpResponse response;
  response.status = status;
  response.headers.Set("content-type", "application/json");
  response.body = std::make_unique<TextBody>(std::move(text));
  return response;
}

}  // namespace

httpclient::HttpResponse ErrorResponse(const absl::Status& error) {
  metav1::Status status = *errors::StatusOf(error);
  status.kind = "Status";
  status.api_version = "v1";
  httpclient::HttpResponse response = TextResponse(status.code, *codec::EncodeJson(status));
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.Set("retry-after", std::to_string(status.details->retry_after_seconds));
  }
  return response;
}

httpclient::HttpResponse JsonResponse(std::string body) {
  return TextResponse(200, std::move(body));
}

struct FaultyTransport::State {
  base::Mutex mutex;
  std::shared_ptr<httpclient::Transport> next ABSL_GUARDED_BY(mutex);
  Fault fault ABSL_GUARDED_BY(mutex);
  std::vector<std::string> requests ABSL_GUARDED_BY(mutex);
  std::set<Body*> bodies ABSL_GUARDED_BY(mutex);
};

class FaultyTransport::Body final : public watch::ByteStream {
 public:
  Body(std::shared_ptr<State> state, std::unique_ptr<watch::ByteStream> body)
      : state_(std::move(state)), body_(std::move(body)), end_(WithCancel(Context())) {
    base::MutexLock lock(state_->mutex);
    state_->bodies.insert(this);
  }
  ~Body() override {
    base::MutexLock lock(state_->mutex);
    state_->bodies.erase(this);
  }

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    CancelScope scope = WithCancel(ctx);
    {
      // Cancels at once if the transport has ended already.
      const DoneCallback on_end = end_.context().OnDone([&scope] { scope.Cancel(); });
      absl::StatusOr<std::string> bytes = ReadOrStall(scope.context());
      if (!end_.context().done() || (!bytes.ok() && ctx.done())) return bytes;
      // What has arrived is read before an end, but is lost with the connection.
      base::MutexLock lock(state_->mutex);
      if (!error_.ok()) return error_;
      if (bytes.ok()) return bytes;
    }
    return std::string();
  }
  void Close() override { body_->Close(); }

  // Called with the state's mutex held, which guards what they set.
  void Break(const absl::Status& error) { error_ = error; }
  void Stall() { stalled_ = true; }
  void Wake() { end_.Cancel(); }

 private:
  absl::StatusOr<std::string> ReadOrStall(const Context& ctx) {
    absl::StatusOr<std::string> bytes = body_->Read(ctx);
    {
      base::MutexLock lock(state_->mutex);
      if (!stalled_) return bytes;
    }
    return base::WaitUntilDone(ctx);
  }

  const std::shared_ptr<State> state_;
  const std::unique_ptr<watch::ByteStream> body_;
  CancelScope end_;
  absl::Status error_;
  bool stalled_ = false;
};

FaultyTransport::FaultyTransport(std::shared_ptr<httpclient::Transport> next)
    : state_(std::make_shared<State>()) {
  base::MutexLock lock(state_->mutex);
  state_->next = std::move(next);
}

httpclient::HttpResponse SilentResponse() {
  httpclient::HttpResponse response = JsonResponse("");
  response.body = std::make_unique<SilentBody>();
  return response;
}

FaultyTransport::~FaultyTransport() = default;

absl::StatusOr<httpclient::HttpResponse> FaultyTransport::RoundTrip(
    const Context& ctx, httpclient::HttpRequest request) {
  std::shared_ptr<httpclient::Transport> next;
  Fault fault;
  {
    base::MutexLock lock(state_->mutex);
    const size_t host = request.url.find("://") + 3;
    state_->requests.push_back(request.url.substr(request.url.find('/', host)));
    next = state_->next;
    fault = state_->fault;
  }
  if (fault != nullptr) {
    Answer answer = fault(request);
    if (answer.has_value()) return *std::move(answer);
  }
  KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                        next->RoundTrip(ctx, std::move(request)));
  response.body = std::make_unique<Body>(state_, std::move(response.body));
  return response;
}

void FaultyTransport::SetFault(Fault fault) {
  base::MutexLock lock(state_->mutex);
  state_->fault = std::move(fault);
}

void FaultyTransport::SetNext(std::shared_ptr<httpclient::Transport> next) {
  base::MutexLock lock(state_->mutex);
  state_->next = std::move(next);
}

void FaultyTransport::BreakStreams(absl::Status error) {
  base::MutexLock lock(state_->mutex);
  for (Body* body : state_->bodies) {
    body->Break(error);
    body->Wake();
  }
}

void FaultyTransport::StallStreams() {
  base::MutexLock lock(state_->mutex);
  for (Body* body : state_->bodies) body->Stall();
}

std::vector<std::string> FaultyTransport::Requests() const {
  base::MutexLock lock(state_->mutex);
  return state_->requests;
}

void FaultyTransport::ClearRequests() {
  base::MutexLock lock(state_->mutex);
  state_->requests.clear();
}

}  // namespace kube::informers
