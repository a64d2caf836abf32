// rate_limits_and_retries: what a client does while it, or the server, is busy. The server is in
// this process, fails as it is told to, and says what it was asked.
//
//   rate limit: 10 requests took 100 ms or longer
//   429 with Retry-After: OK
//     get namespaces: 429 (error)
//     get namespaces: 200
//   503 without Retry-After: UNAVAILABLE
//     get namespaces: 503 (error)
//   lost answer: UNAVAILABLE
//     create configmaps: 201 (drop)
//   the same once more: ALREADY_EXISTS
//     create configmaps: 409
//   silent server: DEADLINE_EXCEEDED
#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"

namespace apiserver = kube::apiserver;
using kube::kubernetes::Clientset;

namespace {

// Prints the code of a result, and what the server was asked since the last call.
void Report(absl::string_view what, const absl::Status& status, apiserver::ApiHandler& server) {
  std::cout << what << ": " << absl::StatusCodeToString(status.code()) << "\n";
  for (const apiserver::LoggedRequest& request : server.Requests()) {
    std::cout << "  " << request.verb << " " << request.resource << ": " << request.code;
    if (!request.fault.empty()) std::cout << " (" << request.fault << ")";
    std::cout << "\n";
  }
  server.ClearRequests();
}

// Without `qps` a client sends as fast as the program asks it to: API servers protect themselves.
absl::Status ShowRateLimit(const kube::Context& ctx, apiserver::ApiHandler& server) {
  kube::rest::Config config = kube::envtest::InProcessConfig(server);
  config.qps = 50;
  config.burst = 5;
  KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(config));
  const auto begin = kube::base::Now();
  for (int i = 0; i < 10; ++i) {
    KUBE_RETURN_IF_ERROR(client.CoreV1().Namespaces().Get(ctx, "default"));
  }
  const bool limited = kube::base::Now() - begin > absl::Milliseconds(99);
  std::cout << "rate limit: 10 requests took "
            << (limited ? "100 ms or longer" : "less than 100 ms") << "\n";
  server.ClearRequests();
  return absl::OkStatus();
}

void ShowErrors(const kube::Context& ctx, const Clientset& client, apiserver::ApiHandler& server) {
  const auto get = [&] { return client.CoreV1().Namespaces().Get(ctx, "default").status(); };
  server.faults().Add({.verbs = {"get"},
                       .times = 1,
                       .fault = apiserver::fault::Error{
                           kube::errors::TooManyRequests("too busy", absl::Seconds(1))}});
  Report("429 with Retry-After", get(), server);  // the client has waited, and asked again

  server.faults().Add(
      {.verbs = {"get"},
       .times = 1,
       .fault = apiserver::fault::Error{kube::errors::ServiceUnavailable("not ready")}});
  Report("503 without Retry-After", get(), server);  // the caller knows how long it can wait

  const auto create = [&] {
    return client.CoreV1()
        .ConfigMaps("default")
        .Create(ctx, {.metadata = {.name = "settings"}})
        .status();
  };
  server.faults().Add(
      {.verbs = {"create"}, .times = 1, .fault = apiserver::fault::Drop{.after_commit = true}});
  Report("lost answer", create(), server);  // a write that may have been done is not repeated
  Report("the same once more", create(), server);
}

absl::Status Run(const kube::Context& ctx) {
  apiserver::ApiHandler server;
  KUBE_RETURN_IF_ERROR(ShowRateLimit(ctx, server));
  KUBE_ASSIGN_OR_RETURN(const Clientset client,
                        Clientset::Make(kube::envtest::InProcessConfig(server)));
  ShowErrors(ctx, client, server);

  // Config::timeout limits every request, with its retries; a context limits a piece of work.
  server.faults().Add({.verbs = {"get"},
                       .times = 1,
                       .fault = apiserver::fault::Delay{.time = absl::InfiniteDuration()}});
  const kube::Context soon = kube::WithTimeout(ctx, absl::Milliseconds(200));
  const absl::Status late = client.CoreV1().Namespaces().Get(soon, "default").status();
  std::cout << "silent server: " << absl::StatusCodeToString(late.code()) << "\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run(kube::WithTimeout(kube::Context(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
