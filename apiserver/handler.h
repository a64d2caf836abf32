#ifndef APISERVER_HANDLER_H_
#define APISERVER_HANDLER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/faults.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {

struct HandlerOptions {
  // Who is who by bearer token. All get the group system:authenticated beside their own.
  std::map<std::string, User> tokens = {};
  Anonymous anonymous = Anonymous::kHealthOnly;
  // Who may not do what; everybody may do all else.
  std::vector<DenyRule> deny = {};

  // Whether objects whose owners are gone, and the content of deleted namespaces, are deleted.
  // Default: yes, before the request that did it is answered. No: as a kube-apiserver alone.
  bool controllers = true;
  // Whether a new cluster has the objects that kube-apiserver makes by itself: the service
  // "kubernetes" with its endpoints, roles and bindings, priority classes, API services and more;
  // docs/envtest.md lists them. No: namespaces only. Default: yes. They cost next to nothing as
  // long as nobody asks for them; leave them out where a test counts objects or revisions.
  bool cluster_objects = true;
  // Between two bookmarks of a watch that wants them. Default: as kube-apiserver.
  absl::Duration bookmark_interval = absl::Minutes(1);
  // How long a read waits for a resourceVersion that is to come. Default: as kube-apiserver.
  absl::Duration fresh_timeout = absl::Seconds(3);
  // Of the log, so many requests are kept, the last ones. Default: 100,000.
  size_t max_logged_requests = 100'000;
  StorageOptions storage = {};
  // How tables, which kubectl asks for, show built-in kinds; it must outlive the handler. Default,
  // null: printers::PlainTables(), "Name" and "Created At". With printers::KubectlTables()
  // `kubectl get` shows what it shows elsewhere; ApiServer uses that one where this is null. It is
  // apart because it links the printers of all kinds, which tests in one process do without.
  const printers::TablePrinter* tables = nullptr;
  // What goes wrong from the first request on. Default: nothing; see ApiHandler::faults.
  std::vector<FaultRule> faults = {};
};

// A request that the server has answered, or whose watch it has begun, or that a fault took away.
struct LoggedRequest {
  std::string method = {};  // "GET"
  std::string target = {};  // "/api/v1/pods?watch=1"
  std::string verb = {};    // "watch"
  std::string group = {};
  std::string version = {};
  std::string resource = {};  // empty: the path is no resource's
  std::string subresource = {};
  std::string namespace_name = {};
  std::string name = {};
  std::string user = {};
  std::string user_agent = {};
  std::string content_type = {};
  std::string accept = {};
  // Zero: no answer was made. What was made and then lost has its code.
  int code = 0;
  // What went wrong with it on purpose, of the faults that are about one request: "delay,drop".
  std::string fault = {};
};

struct RestartOptions {
  // False: it comes back with a new cluster, whose revisions begin anew.
  bool keep_data = true;
};

// The embedded API server without a socket: HTTP in, HTTP out, whatever carries it. ApiServer puts
// it behind a port; a transport within the process drives it under SimRuntime, where it behaves the
// same in each run: it has no threads, and takes time, timers and random numbers from
// base::Runtime.
//
// A new one has the namespaces default, kube-system, kube-public and kube-node-lease, and what
// HandlerOptions::cluster_objects says. Which parts of the Kubernetes API it has, and what it does
// not imitate, is in docs/envtest.md.
//
// Thread-safe. Exchanges that are still open when it is destroyed are left alone: their carrier
// ends them.
class ApiHandler : public httpserver::Handler {
 public:
  explicit ApiHandler(HandlerOptions options = {});
  ~ApiHandler() override;

  // Answers at once, but for watches, for reads of a resourceVersion that is to come, and where a
  // fault is in the way.
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override;

  // The last revision: the resourceVersion of a list made now.
  int64_t revision() const;
  // Forgets the past, as etcd's compaction: whoever asks for an older revision gets 410.
  void Compact();

  // From the oldest to the latest, up to HandlerOptions::max_logged_requests.
  std::vector<LoggedRequest> Requests() const;
  void ClearRequests();

  // Where the server is reached, for the objects that tell it: the endpoints of the service
  // "kubernetes", and the config map with the authority of clients. Call it before the first
  // request; ApiServer does.
  void SetAddress(ServerAddress address);
  // Instead of those before. Watches that have begun go on.
  void SetDenyRules(std::vector<DenyRule> rules);
  // One more user by token; instead of who had it.
  void AddToken(absl::string_view token, User user);
  // What GET pods/NAME/log answers from now on. A pod whose log was never set has an empty one.
  void SetPodLog(absl::string_view namespace_name, absl::string_view pod,
                 absl::string_view container, absl::string_view text);

  // Open watches.
  size_t watches() const;

  // What goes wrong, and how often it did.
  Faults faults() const { return Faults(layer_); }
  // As if the process had ended and begun again: all requests that are open break off. The history
  // stays with the data (a real server's watch cache begins anew, so that watches of older versions
  // may get 410: Compact does that). Tokens, rules and the log of requests stay in any case.
  void Restart(const RestartOptions& options = {});

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
  std::shared_ptr<apiserver::internal::FaultLayer> layer_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_HANDLER_H_
