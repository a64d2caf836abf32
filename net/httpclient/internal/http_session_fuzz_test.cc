// Feeds bytes of a server, in pieces, to an HTTP/1 or HTTP/2 session while requests start, are
// cancelled and resumed. The session must not crash, and must not call a stream after its end (see
// FakeStream).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/testing/fake_stream.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

constexpr SessionLimits kLimits = {.max_header_bytes = 500, .window_bytes = 20'000};
constexpr size_t kMaxStreams = 8;

class Requests {
 public:
  explicit Requests(bool http2)
      : session_(http2 ? MakeHttp2Session(kLimits) : MakeHttp1Session(kLimits, {})) {}
  ~Requests() {
    for (size_t i = 0; i < streams_.size(); ++i) Cancel(i);
    Send();
  }

  void Start(uint8_t kind) {
    if (streams_.size() == kMaxStreams || session_->draining() || session_->failure()) return;
    if (session_->http_version() == 1 && !streams_.empty() && streams_.back() != nullptr &&
        streams_.back()->open()) {
      return;
    }
    HttpRequest request = {.method = kind % 4 == 0 ? "HEAD" : kind % 4 == 1 ? "POST" : "GET"};
    if (kind % 4 == 1) request.body = std::make_shared<std::string>(100'000, 'x');
    request.upgrade = kind % 16 == 10;
    streams_.push_back(std::make_unique<FakeStream>(std::move(request)));
    streams_.back()->reluctant = kind % 8 == 7 || kind % 32 == 26;
    streams_.back()->outgoing = "bytes";
    session_->Start(*streams_.back());
  }
  void Act(uint8_t action) {
    const size_t which = streams_.empty() ? 0 : action / 4 % streams_.size();
    switch (action % 4) {
      case 0:
        return Start(action / 4);
      case 1:
        return Cancel(which);
      case 2:
        if (which < streams_.size() && streams_[which] != nullptr && streams_[which]->open()) {
          session_->Resume(*streams_[which]);
        }
        return;
      default:
        session_->Ping();
        return Send();
    }
  }
  void Send() {
    for (std::string out; session_->Produce(out, 1000), !out.empty();) out.clear();
  }
  Session& session() { return *session_; }
  const FakeStream& first() const { return *streams_.front(); }

 private:
  void Cancel(size_t which) {
    if (which >= streams_.size() || streams_[which] == nullptr) return;
    FakeStream& stream = *streams_[which];
    if (stream.open()) session_->Cancel(stream);
    stream.OnCancel();
    streams_[which].reset();  // must not be used any longer
  }

  const std::unique_ptr<Session> session_;
  std::vector<std::unique_ptr<FakeStream>> streams_;
};

void Run(bool http2, size_t piece, absl::string_view actions, absl::string_view bytes) {
  Requests requests(http2);
  requests.Start(actions[0]);
  if (http2) requests.Start(actions[1]);
  requests.Send();
  for (size_t i = 0; !bytes.empty(); ++i) {
    requests.session().Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    requests.Act(static_cast<uint8_t>(actions[i % actions.size()]));
    if (i % 2 == 0) requests.Send();
  }
  requests.session().EndOfInput();
  KUBE_CHECK(requests.session().failure().has_value());
}

// Returns what the first request was told.
std::string Outcome(bool http2, size_t piece, uint8_t kind, absl::string_view bytes) {
  Requests requests(http2);
  requests.Start(kind & 3);
  if (http2) requests.Start(2);
  requests.Send();
  while (!bytes.empty() && requests.first().open()) {
    requests.session().Receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  const bool complete = !requests.first().open();
  requests.session().EndOfInput();
  std::string told = requests.first().Told();
  if (complete) return told;
  const auto& failure = requests.session().failure();
  KUBE_CHECK(failure.has_value() && failure->error.has_value());
  // How much of a malformed response is reported is unspecified.
  if (*failure->error == TransportErrorKind::kProtocol) return "broken";
  return absl::StrCat(told, " ", ToString(*failure->error));
}

}  // namespace
}  // namespace kube::httpclient::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::httpclient::internal::Outcome;
  if (size < 6) return 0;
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const bool http2 = (data[0] & 1) != 0;
  const absl::string_view bytes = input.substr(6);
  kube::httpclient::internal::Run(http2, size_t{1} + data[1], input.substr(2, 4), bytes);
  if (!http2) {
    KUBE_CHECK_EQ(Outcome(http2, 1, data[2], bytes),
                  Outcome(http2, bytes.size() + 1, data[2], bytes));
  }
  return 0;
}
