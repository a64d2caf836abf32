#ifndef INFORMERS_TESTING_FAULTY_TRANSPORT_H_
#define INFORMERS_TESTING_FAULTY_TRANSPORT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::informers {

// The answer of a server that says no: the error's Status as JSON. It must have one.
httpclient::HttpResponse ErrorResponse(const absl::Status& error);
// 200 with this body, all at once.
httpclient::HttpResponse JsonResponse(std::string body);
// 200, and then nothing comes.
httpclient::HttpResponse SilentResponse();

// A transport that goes wrong when a test says so, and otherwise hands requests to another. It
// remembers them. Thread-safe.
class FaultyTransport final : public httpclient::Transport {
 public:
  // What happens instead of a request: an error, or a response. Nothing: the request itself.
  using Answer = std::optional<absl::StatusOr<httpclient::HttpResponse>>;
  using Fault = std::function<Answer(const httpclient::HttpRequest&)>;

  explicit FaultyTransport(std::shared_ptr<httpclient::Transport> next);
  ~FaultyTransport() override;

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  void CloseIdleConnections() override {}

  // Asked about each request from now on, by the thread that sends. Null: nothing goes wrong.
  void SetFault(Fault fault);
  // From now on, requests go there.
  void SetNext(std::shared_ptr<httpclient::Transport> next);

  // Every body that is open now ends with this error; OK: just ends.
  void BreakStreams(absl::Status error);
  // Every body that is open now says nothing any more, and does not end.
  void StallStreams();

  // "/api/v1/pods?watch=1", in the order of their coming.
  std::vector<std::string> Requests() const;
  void ClearRequests();

 private:
  class Body;
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_FAULTY_TRANSPORT_H_
