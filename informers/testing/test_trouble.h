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

// What simulations of informers have in common: what goes wrong, and who writes meanwhile.
namespace kube::informers {

// One kind of trouble. Both may be null.
struct FaultKind {
  const char* name;
  // Now and then, while there are troubles.
  std::function<void(TestCluster&)> strike;
  // Instead of one request of four.
  std::function<absl::StatusOr<httpclient::HttpResponse>(const httpclient::HttpRequest&)> answer;
};

// The first is none.
std::vector<FaultKind> FaultKinds();

// True so often of a hundred times.
bool Chance(int percent);
// A time at random.
absl::Duration UpTo(absl::Duration most);

// Creates, changes and deletes at random, until `ctx` is done. Objects of two writers have
// different names.
absl::Status WriteAtRandom(const Context& ctx, TestCluster& cluster, int writer);

// Until `ctx` is done; the answers go wrong until FaultyTransport::SetFault(nullptr).
absl::Status CauseTrouble(const Context& ctx, TestCluster& cluster, const FaultKind& fault);

// "default/a" -> "17", of what the server has now.
std::map<std::string, std::string> VersionsOf(const TestCluster& cluster);

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_TEST_TROUBLE_H_
