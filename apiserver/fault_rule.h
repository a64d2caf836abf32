#ifndef APISERVER_FAULT_RULE_H_
#define APISERVER_FAULT_RULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kube::apiserver {

// The faults that can be injected. A fault with `after_commit` hits the response of a request that
// was carried out, which the client cannot see.
//
// A request that asks for another protocol, as exec and port-forward do, is a request as any other:
// its response is the 101 that switches protocols. Of the faults, BreakConnection, Partition and
// Faults::BreakConnections apply to the connection afterwards.
namespace fault {

// Delays a request. If the client gives up meanwhile, the request is not carried out, unless
// `after_commit` is set. An infinite time means that the response never comes.
struct Delay {
  absl::Duration time = absl::Seconds(1);
  // Adds a random time of up to this fraction of `time`.
  double jitter = 0;
  // Carries the request out at once and delays only the response.
  bool after_commit = false;
};

// Answers with an error, such as errors::TooManyRequests("...", absl::Seconds(1)) or any other of
// apimachinery/errors. A status that is not one of these becomes a 500 with its message.
struct Error {
  absl::Status status = absl::InternalError("injected fault");
  // The Retry-After header, in whole seconds. Default: as the error says.
  std::optional<absl::Duration> retry_after = {};
  bool after_commit = false;
};

// Closes the connection without a response: resets the stream of HTTP/2, or closes the connection
// of HTTP/1.1.
struct Drop {
  bool after_commit = false;
};

// Resets a connection that has switched protocols, as those of exec and port-forward have, after a
// number of bytes: in the middle of a frame, if that number is random. Requests that do not ask for
// another protocol do not match the rule.
struct BreakConnection {
  // How many bytes pass before, in both directions together. Those of the request and its answer do
  // not count. Bytes that were sent and not read yet may be lost, as with any reset. Default: none.
  int64_t after_bytes = 0;
};

// Cuts the network between a client and the server until the rule is removed. Requests and watches
// wait, and continue then if the client has not given up. Data that the server has sent before
// still arrives.
//
// On a connection that has switched protocols, no bytes pass in either direction, and neither side
// learns that the other one has closed it. Reads and writes of the server wait; the client can send
// until its buffers are full.
struct Partition {
  // Aborts open requests, and new ones at once, instead of letting them wait. Connections that have
  // switched protocols are reset: the client's reads and writes fail.
  bool refuse = false;
};

// Serves reads from a watch cache that is behind. As in Kubernetes, these reads may be stale:
//
// * get and list with resourceVersion "0";
// * get and list with another resourceVersion: the cache must have at least this one. They wait for
//   it, and get a 504 ("Too large resource version") after HandlerOptions::fresh_timeout;
// * watches: they start and continue with what the cache has. Without a resourceVersion they start
//   as with "0", although Kubernetes' documentation says otherwise.
//
// These reads are never stale: get and list without a resourceVersion, lists of one exact version
// (with "Exact", `continue`, or a limit), and a watch with sendInitialEvents and no
// resourceVersion, which waits until the cache has all that existed when it started. Writes are not
// affected. A real server also lets consistent lists wait for its cache, and reads from etcd if
// that takes too long; this one answers at once.
//
// To let a client see time go backwards, apply the rule to only some of its requests. The cache
// never falls behind the history (StorageOptions::max_changes, ApiHandler::Compact).
struct Lag {
  // How many revisions the cache is behind, counting changes of all resources. With a number that
  // the test does not reach, such as 1'000'000, a cache stays as it is until the rule is removed.
  int64_t revisions = 1;
};

// Delays or suppresses the bookmarks of a watch.
struct Bookmarks {
  // Time between two bookmarks. Infinite, the default: no bookmarks, not even when the watch ends.
  absl::Duration interval = absl::InfiniteDuration();
  // Whether the bookmark that ends the initial events is sent.
  bool initial_end = true;
};

// The faults below apply to single events of the watches that the rule selects, about objects with
// the rule's namespace and name. Initial events count as events, bookmarks do not. They also apply
// to watches that were open when the rule was added.

// Leaves the event out. The client is not told.
struct DropEvent {};
// Sends the event twice.
struct DuplicateEvent {};
// Sends neither the event nor anything after it, and keeps the connection open.
struct StallWatch {};
// Ends the watch before the event, as if its timeout had passed.
struct CloseWatch {};
// Aborts the connection before the event.
struct BreakWatch {};
// Sends an ERROR event with code 410 instead, and ends the watch. (To answer a list or a watch
// request with 410, use Error with errors::ResourceExpired.)
struct ExpireWatch {};

}  // namespace fault

using Fault = std::variant<std::monostate, fault::Delay, fault::Error, fault::Drop,
                           fault::BreakConnection, fault::Partition, fault::Lag, fault::Bookmarks,
                           fault::DropEvent, fault::DuplicateEvent, fault::StallWatch,
                           fault::CloseWatch, fault::BreakWatch, fault::ExpireWatch>;

// A fault, and the requests that it applies to. For example, this rule answers the second to the
// fourth creation of a config map with 503:
//
//   const FaultRule rule = {.verbs = {"create"},
//                           .resource = "configmaps",
//                           .from = 2,
//                           .times = 3,
//                           .fault = fault::Error{errors::ServiceUnavailable("busy")}};
struct FaultRule {
  // ---- which requests match; an empty field matches everything

  // "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; for paths
  // without a resource, the method in lower case.
  std::vector<std::string> verbs = {};
  // The API group; "" is the core group. Unset matches all groups.
  std::optional<std::string> group = {};
  // "pods" matches the resource without its subresources, "pods/status" one subresource, "pods/*"
  // any subresource.
  std::string resource = {};
  std::string namespace_name = {};
  // The name in the path or in the field selector; a create has none. For faults of events, the
  // name of the event's object.
  std::string name = {};
  std::string user = {};
  // A prefix of the User-Agent header.
  std::string user_agent = {};

  // ---- which of the matching requests the fault hits, counted from 1 since the rule was added

  int64_t from = 1;
  // From `from` on, every `every`th request. Default: 1, all.
  int64_t every = 1;
  // Maximum number of times that the fault fires. Default: 0, no limit.
  int64_t times = 0;
  // The probability with which a request that passed the conditions above is hit. The decisions
  // depend only on `seed` and the rule's position, so that each run decides the same.
  double probability = 1;
  uint64_t seed = 1;

  // ---- the fault; if unset, the rule only counts
  Fault fault = {};
};

// How often a rule has been applied.
struct FaultCount {
  // Requests or events that matched the rule, and those that its fault hit.
  int64_t matched = 0;
  int64_t fired = 0;

  friend bool operator==(const FaultCount&, const FaultCount&) = default;
};

// Identifies a rule that was added.
using FaultId = int64_t;

}  // namespace kube::apiserver

#endif  // APISERVER_FAULT_RULE_H_
