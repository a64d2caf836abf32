#ifndef CLIENTSET_RECORDING_REPLAY_TRANSPORT_H_
#define CLIENTSET_RECORDING_REPLAY_TRANSPORT_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "clientset/recording/exchange.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::recording {

// The order in which requests must come.
enum class ReplayOrder {
  // Requests with the same method and URL are answered in the order of the recording; others may
  // come before or after them, as threads do.
  kByRequest,
  // Each request must be the next one of the recording.
  kStrict,
};

struct ReplayOptions {
  ReplayOrder order = ReplayOrder::kByRequest;

  // Whether a request's body must be equal to the recorded one: the same JSON, or else the same
  // bytes. Set it if a changed write should fail the test; programs that write the time or random
  // names cannot be replayed with it. A value that was redacted is equal only if the program has it
  // from the recording.
  bool match_bodies = false;
  // Whether scheme and host must be equal, for recordings of several clusters.
  bool match_hosts = false;

  // Query parameters that are not compared. Default: `timeoutSeconds`, which watches choose at
  // random, and `timeout`, which follows from it or from the configuration.
  std::vector<std::string> ignored_parameters = {"timeout", "timeoutSeconds"};

  // Whether a request that has been used up gets its last answer again, for programs that poll.
  bool repeat_last = false;

  // How fast time passes: 2 plays everything in half the time. Zero: nothing waits, so that the
  // events of a watch come at once, perhaps before the program has done what they are the answer
  // to. Default: 1, which costs nothing in virtual time (SimRuntime).
  double speed = 1;
};

// Plays a recording: it answers the requests of a program as the cluster did, at the same time
// after the request, on the clock of the calling thread's Runtime. Events of a watch come as far
// apart as they came; errors and ends are those of the recording. A watch that the program gave up,
// or that was open at the end, stays silent until it is given up again.
//
//   KUBE_ASSIGN_OR_RETURN(recording::Recording bug, recording::LoadRecording(path));
//   auto replay = std::make_shared<recording::ReplayTransport>(std::move(bug));
//   const rest::Config config = recording::ReplayConfig(replay);
//   KUBE_ASSIGN_OR_RETURN(auto client, kubernetes::Clientset::Make(config));
//
// A request that is not in the recording fails with INTERNAL and a text that names the nearest
// recorded one, and says if the recording is incomplete; Verify reports it again. Requests are
// compared by method, path and query, in which the order of parameters does not matter; headers are
// not compared.
//
// It does not imitate a server: it checks and stores nothing, so a program that acts differently
// from the recorded one meets what was recorded, or an error. It does not imitate header_timeout
// either. Upgrades fail with UNIMPLEMENTED. Thread-safe. Bodies may outlive it.
class ReplayTransport final : public httpclient::Transport {
 public:
  explicit ReplayTransport(Recording recording, ReplayOptions options = {});

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Does nothing, as there are no connections.
  void CloseIdleConnections() override {}

  // Returns "scheme://host" of the first recorded request, or "http://localhost" if the recording
  // is empty.
  std::string host() const;

  static constexpr size_t kMostUnexpected = 1000;

  // Return, in the order of the recording, the exchanges that no request has used, such as
  // "exchange 3: GET /api/v1/pods?limit=500", and the errors of the first kMostUnexpected requests
  // that were not recorded: a program may try again without end.
  std::vector<std::string> unused() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::string> unexpected() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns OK, or FAILED_PRECONDITION with what `unused` and `unexpected` return.
  absl::Status Verify() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Line {
    std::shared_ptr<const Exchange> exchange;
    const std::string* key = nullptr;  // what requests are compared by, of `groups_`
    bool used = false;
  };
  // The lines with the same key.
  struct Group {
    std::vector<size_t> lines = {};  // as indices, in the order of the recording
    size_t used = 0;                 // how many at the beginning are used up
  };

  std::string KeyOf(const std::string& method, const std::string& url) const;
  bool BodyMatches(const Exchange& exchange, const httpclient::HttpRequest& request) const;
  // Finds the exchange for a request and uses it up.
  absl::StatusOr<std::shared_ptr<const Exchange>> Take(const httpclient::HttpRequest& request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the line of an exchange, or null.
  Line* Find(const std::string& key, const httpclient::HttpRequest& request)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status NotRecorded(const std::string& key, const httpclient::HttpRequest& request)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const ReplayOptions options_;
  mutable base::Mutex mutex_;
  std::vector<Line> lines_ ABSL_GUARDED_BY(mutex_);
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;  // the first line that is not used up
  std::map<std::string, Group> groups_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> unexpected_ ABSL_GUARDED_BY(mutex_);
  std::string host_;  // constant
  const bool full_;
};

// Returns a configuration for clients that are replayed: JSON, as recorded clients speak it, no
// credentials, and ReplayTransport::host. If the recorded program's `host` had a path, add it.
rest::Config ReplayConfig(std::shared_ptr<ReplayTransport> transport);

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_REPLAY_TRANSPORT_H_
