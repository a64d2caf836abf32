#ifndef INFORMERS_TESTING_TEST_TROUBLE_H_
#define INFORMERS_TESTING_TEST_TROUBLE_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "informers/testing/test_cluster.h"
#include "net/httpclient/http_message.h"

// The common part of simulations of informers: faults, and writers.
namespace kube::informers {

// A kind of fault. Both functions may be null.
struct FaultKind {
  const char* name;
  // Called now and then while faults are on.
  std::function<void(TestCluster&)> strike;
  // Answers one request of four.
  std::function<absl::StatusOr<httpclient::HttpResponse>(const httpclient::HttpRequest&)> answer;
};

// Returns all kinds; the first one has no faults.
std::vector<FaultKind> FaultKinds();

// Returns true with this probability.
bool Chance(int percent);
// Returns a random duration.
absl::Duration UpTo(absl::Duration most);

// Creates, changes and deletes objects at random until `ctx` is done. Different writers use
// different names.
absl::Status WriteAtRandom(const Context& ctx, TestCluster& cluster, int writer);

// Causes faults until `ctx` is done; failing responses last until
// FaultyTransport::SetFault(nullptr).
absl::Status CauseTrouble(const Context& ctx, TestCluster& cluster, const FaultKind& fault);

// Returns the versions of the server's objects, such as "default/a" -> "17".
std::map<std::string, std::string> VersionsOf(const TestCluster& cluster);

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_TEST_TROUBLE_H_
