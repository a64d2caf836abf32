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

// What can go wrong. Of "after the commit" a client cannot tell whether its write was done: it was.
namespace fault {

// The answer comes late. Infinite: never. For a client that gives up before nothing is done, but
// with after_commit.
struct Delay {
  absl::Duration time = absl::Seconds(1);
  // More, at random: up to this part of `time`.
  double jitter = 0;
  // What is asked for is done at once, and only the answer waits.
  bool after_commit = false;
};

// An error of the server, as errors::TooManyRequests("...", absl::Seconds(1)): anything of
// apimachinery/errors. Other errors are a 500 with their message.
struct Error {
  absl::Status status = absl::InternalError("injected fault");
  // The header Retry-After, in whole seconds. Default: what the error itself says, or none.
  std::optional<absl::Duration> retry_after = {};
  bool after_commit = false;
};

// The connection breaks without an answer: a stream of HTTP/2 is reset, a connection of HTTP/1
// closed.
struct Drop {
  bool after_commit = false;
};

// The network between a client and the server, until the rule is taken away: requests wait, watches
// say nothing, and go on then, where the client has not given up. What the server has answered
// before is not held back.
struct Partition {
  // Instead of waiting: what is open breaks, and what is new breaks at once.
  bool refuse = false;
};

// Reads come from a watch cache that is behind. As upstream, these may be stale:
//
//   * get and list of resourceVersion "0";
//   * get and list of a resourceVersion: from a cache that has at least this one; it is waited for,
//     and 504 ("Too large resource version") if it does not come in HandlerOptions::fresh_timeout;
//   * watches: they begin and go on with what the cache has. Without a resourceVersion they begin
//     as with "0", whatever upstream's documentation says.
//
// These may not: get and list without a resourceVersion, lists of one exact version (with
// "Exact", `continue`, or a limit), writes; and a watch with sendInitialEvents and no
// resourceVersion, which waits until the cache has what was there when it began. A real server
// waits for its cache with consistent lists too, and reads etcd when that takes too long; this one
// answers at once.
//
// So that a client sees time go back, give a rule for some of its requests. The cache never goes
// behind the history (StorageOptions::max_changes, Compact).
struct Lag {
  // Changes of any resource.
  int64_t revisions = 1;
};

// The bookmarks of a watch come late or never.
struct Bookmarks {
  // Between two. Infinite, the default: there are none, nor at the end of the watch.
  absl::Duration interval = absl::InfiniteDuration();
  // Whether the one is sent that ends the initial events.
  bool initial_end = true;
};

// Of events: those of watches that the rule selects, about objects of its namespace and name.
// Initial events count, bookmarks do not. They hold for watches that are open already, too.

// It is not sent, and nobody is told.
struct DropEvent {};
// It is sent twice.
struct DuplicateEvent {};
// Neither it nor anything after it is sent; the connection stays, and does not end either.
struct StallWatch {};
// The watch ends before it, as at its timeout.
struct CloseWatch {};
// The connection breaks before it.
struct BreakWatch {};
// The event ERROR with 410 instead of it, then the watch's end. (A 410 as the answer to a list or a
// watch is an Error: errors::ResourceExpired.)
struct ExpireWatch {};

}  // namespace fault

using Fault =
    std::variant<std::monostate, fault::Delay, fault::Error, fault::Drop, fault::Partition,
                 fault::Lag, fault::Bookmarks, fault::DropEvent, fault::DuplicateEvent,
                 fault::StallWatch, fault::CloseWatch, fault::BreakWatch, fault::ExpireWatch>;

// One way in which a server fails: which requests, which of those, and how.
//
//   {.verbs = {"update"}, .resource = "leases", .from = 2, .times = 3,
//    .fault = fault::Error{errors::ServiceUnavailable("busy")}}
//
// is: the second to the fourth update of leases is answered with 503.
struct FaultRule {
  // ---- which requests; all that is empty stands for whatever there is

  // "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; of paths
  // that are no resource's the method in lower case.
  std::vector<std::string> verbs = {};
  // "" is the core group; nothing: all groups.
  std::optional<std::string> group = {};
  // "pods": they themselves, without subresources; "pods/status"; "pods/*": any subresource.
  std::string resource = {};
  std::string namespace_name = {};
  // As the path says it, or the field selector: a create has none. Of events: the object's.
  std::string name = {};
  std::string user = {};
  // What the User-Agent begins with.
  std::string user_agent = {};

  // ---- which of those, counted from 1 since the rule was set

  int64_t from = 1;
  // From then on each so many: 1, the default, is all.
  int64_t every = 1;
  // So many at most. Zero, the default: no limit.
  int64_t times = 0;
  // Of those that are left, at random, by this seed: the same numbers decide the same.
  double probability = 1;
  uint64_t seed = 1;

  // ---- what goes wrong; nothing, the default: the rule only counts
  Fault fault = {};
};

// What a rule has seen and done.
struct FaultCount {
  // Requests, or events, that it was asked about; and those that it chose.
  int64_t matched = 0;
  int64_t fired = 0;

  friend bool operator==(const FaultCount&, const FaultCount&) = default;
};

// A rule that was added.
using FaultId = int64_t;

}  // namespace kube::apiserver

#endif  // APISERVER_FAULT_RULE_H_
