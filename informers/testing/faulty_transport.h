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

// Returns the response of a server for `error`, which must carry a Status: that Status as JSON.
httpclient::HttpResponse ErrorResponse(const absl::Status& error);
// Returns status 200 with this body in one piece.
httpclient::HttpResponse JsonResponse(std::string body);
// Returns status 200 with a body that never delivers anything.
httpclient::HttpResponse SilentResponse();

// A transport that fails when a test says so, and otherwise forwards requests to another transport.
// Records all requests. Thread-safe.
class FaultyTransport final : public httpclient::Transport {
 public:
  // An error or a response in place of the request; nothing to forward the request.
  using Answer = std::optional<absl::StatusOr<httpclient::HttpResponse>>;
  using Fault = std::function<Answer(const httpclient::HttpRequest&)>;

  explicit FaultyTransport(std::shared_ptr<httpclient::Transport> next);
  ~FaultyTransport() override;

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  void CloseIdleConnections() override {}

  // Sets a function that is called for each request, on the sending thread. Null: no faults.
  void SetFault(Fault fault);
  // Forwards requests to `next` from now on.
  void SetNext(std::shared_ptr<httpclient::Transport> next);

  // Ends every open body with this error, or without one if it is OK.
  void BreakStreams(absl::Status error);
  // Makes every open body stop delivering, without ending it.
  void StallStreams();

  // Returns the requests in order, such as "/api/v1/pods?watch=1".
  std::vector<std::string> Requests() const;
  void ClearRequests();

 private:
  class Body;
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_FAULTY_TRANSPORT_H_
