#ifndef APISERVER_HANDLER_H_
#define APISERVER_HANDLER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/container.h"
#include "apiserver/faults.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhook.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {

struct LoggedRequest;

struct HandlerOptions {
  // Users by bearer token. Each also gets the group system:authenticated, and a service account
  // ("system:serviceaccount:NAMESPACE:NAME") the groups of service accounts.
  std::map<std::string, User> tokens = {};
  Anonymous anonymous = Anonymous::kHealthOnly;
  // What users may do. With kRbac a test can find out whether a program's roles suffice; the
  // administrator of ApiServer, and of envtest, is a member of system:masters and may do all.
  // Default: everything.
  Authorization authorization = Authorization::kAllowAll;
  // What users may not do, whatever `authorization` says.
  std::vector<DenyRule> deny = {};

  // Whether the objects of deleted owners, and the content of deleted namespaces, are deleted, and
  // each namespace has the service account "default" and, if the server uses TLS, the config map
  // "kube-root-ca.crt", cluster roles with an aggregationRule get their rules, and the status of a
  // ValidatingAdmissionPolicy says which of its expressions do not fit the kinds that it is about:
  // before the request that caused it is answered. If false, nothing does that, as with a
  // kube-apiserver that runs without kube-controller-manager; the roles admin, edit and view then
  // have no rules. Default: true.
  bool controllers = true;
  // Whether a new cluster has the objects that kube-apiserver creates by itself: the service
  // "kubernetes" with its endpoints, roles and bindings, priority classes, API services and more;
  // docs/envtest.md lists them. If false, it has only namespaces, and these are empty whatever
  // `controllers` says. The objects cost almost nothing until they are read; turn them off where a
  // test counts objects or revisions. Default: true.
  bool cluster_objects = true;
  // Whether pods get the service account "default" if they name none, and a volume with its token,
  // and are refused if their account does not exist (kube-apiserver: the admission plugin
  // ServiceAccount). A real cluster does so; the control planes of tests do not (ControlPlane,
  // controller-runtime's envtest), so that pods are stored as they were sent. Default: false.
  bool service_account_admission = false;
  // Whether metadata.managedFields says of every object who owns which fields, as a real server's
  // does. If false, only objects that were written by server-side apply have it; writes cost less,
  // and a test that compares whole objects sees nothing of it. Default: true.
  bool managed_fields = true;
  // Whether lists and watches honour `shardSelector` (apimachinery/sharding/selector.h). If false,
  // it is ignored, as by a real server without the alpha feature gate ShardedListAndWatch. Default:
  // false.
  bool sharded_lists = false;
  // Whether the server speaks application/cbor, and application/cbor-seq in watches, as a real one
  // does with the alpha feature gate CBORServingAndStorage. If false, bodies in CBOR are refused
  // with 415. The request log shows such requests with the media types of JSON. Default: false.
  bool cbor = false;
  // Time between two bookmarks of a watch that asked for them. Default: as kube-apiserver.
  absl::Duration bookmark_interval = absl::Minutes(1);
  // How long a read waits for a resourceVersion that does not exist yet. Default: as
  // kube-apiserver.
  absl::Duration fresh_timeout = absl::Seconds(3);
  // Maximum number of requests in the log; the oldest are dropped. Default: 100,000.
  size_t max_logged_requests = 100'000;
  // Called with each entry as it is added to the log, for a log elsewhere that misses none. Runs on
  // the thread that serves the request, several at a time, before the request is answered; it may
  // call the handler, and must not block for long. Null, the default: nothing is called.
  std::function<void(const LoggedRequest& request)> on_request = {};
  // Maximum size, as JSON, of an object that LoggedRequest::object keeps; larger ones are left out.
  // Each write then costs the decoding of its object, and the log keeps all of them, also secrets.
  // Default: zero, no objects are kept.
  size_t max_logged_object_bytes = 0;
  // Maximum number of exec, attach and port-forward sessions at a time; more get a 429. Each has
  // two or three threads, and one more for each forwarded connection. Default: 1000.
  size_t max_sessions = 1000;
  // Maximum number of requests that wait for webhooks or policies at a time; more get a 429. Each
  // has a thread. A webhook that writes something that it is itself asked about needs another one
  // for each level. Default: 1000.
  size_t max_webhook_requests = 1000;
  StorageOptions storage = {};
  // How tables, the format that kubectl asks for, show built-in kinds. It must outlive the handler.
  // If null, printers::PlainTables() is used: the columns "Name" and "Created At". With
  // printers::KubectlTables() `kubectl get` shows the same columns as on a real cluster, but the
  // printers of all kinds are linked; ApiServer uses it if this is null. Default: null.
  const printers::TablePrinter* tables = nullptr;
  // Faults injected from the first request on; see ApiHandler::faults. Default: none.
  std::vector<FaultRule> faults = {};
};

// An entry of the request log: a request that was answered, a watch or a session (exec, attach,
// port-forward) that was begun, or a request that a fault kept from being served.
struct LoggedRequest {
  std::string method = {};  // "GET"
  std::string target = {};  // "/api/v1/pods?watch=1"
  std::string verb = {};    // "watch"
  std::string group = {};
  std::string version = {};
  std::string resource = {};  // empty for paths without a resource
  std::string subresource = {};
  std::string namespace_name = {};
  std::string name = {};
  std::string user = {};
  std::string user_agent = {};
  std::string content_type = {};
  std::string accept = {};
  // The response's status code, also if the response was lost on the way; 101 for a session. Zero
  // if there was none.
  int code = 0;
  // The injected faults that applied to the request as a whole, such as "delay,drop".
  std::string fault = {};
  // Whether the request was authorized: "allow" or "forbid". Empty if that was not decided, for
  // example because the user is unknown.
  std::string decision = {};
  // By what it was decided: a binding (`RBAC: allowed by RoleBinding "read/default" of Role "read"
  // to User "jane"`), roles of bindings that do not exist, a deny rule, or the group
  // system:masters. Empty if everything is allowed, or if no rule allows the request.
  std::string reason = {};
  // The admission webhooks that were called, in the order of the calls. An update that is tried
  // again, because the object was changed meanwhile, calls them again.
  std::vector<CalledWebhook> webhooks = {};
  // When the request was answered, by the clock of base::Runtime.
  absl::Time time = absl::InfinitePast();
  // Whether a successful write changed what is stored: false for an update or patch that leaves the
  // object, and so its resourceVersion, as it was, for the deletion of an object that is being
  // deleted already, and for a dry run. Always false for reads, and for subresources other than
  // status, whose writes may well change the object: scale, eviction, binding. False for errors,
  // unless a collection was deleted in part.
  bool changed = false;
  // The name of the object that a write has made or deleted, also of a create, whose path has no
  // name, and of a create that failed because the object exists. Empty for other requests.
  std::string object_name = {};
  // The resourceVersion in the body of an update. That in the body of a patch or of an apply is
  // known only if the handler keeps objects (HandlerOptions::max_logged_object_bytes). Empty if the
  // body had none, or for other requests.
  std::string sent_version = {};
  // What a successful write of an object, or of its status, has made of it, with apiVersion and
  // kind; for a deletion the object as it was last. Null if the request wrote no object, if the
  // object is larger than HandlerOptions::max_logged_object_bytes, and by default.
  std::shared_ptr<const unstructured::Value> object = {};
  // The verb for which the user lacks the right although `decision` is "allow": "create", for an
  // apply or update of an object that does not exist. Empty otherwise.
  std::string denied_verb = {};
};

struct RestartOptions {
  // Whether the objects are kept. If false, the server comes back with a new cluster, whose
  // revisions start from the beginning.
  bool keep_data = true;
};

// The embedded API server without a socket: it takes HTTP requests from any carrier and answers
// them. ApiServer puts it behind a port; a transport within the process drives it under SimRuntime.
// It has no threads but those of sessions (exec, attach, port-forward) and of requests that
// admission webhooks are asked about, and takes time, timers and random numbers from base::Runtime,
// so each run under SimRuntime is the same.
//
// A new cluster has the namespaces default, kube-system, kube-public and kube-node-lease, and the
// objects of HandlerOptions::cluster_objects. docs/envtest.md says which parts of the Kubernetes
// API are implemented, and what differs.
//
// Thread-safe. Destroying the handler does not answer exchanges that are still open: their carrier
// must end them. Those that a fault holds back are aborted. The destructor cancels sessions and
// calls of webhooks, and waits until the functions of containers and webhooks have returned, at
// most 30 seconds; a function that ignores its context is then logged and left alone, and must not
// use what the test destroys.
class ApiHandler : public httpserver::Handler {
 public:
  explicit ApiHandler(HandlerOptions options = {});
  ~ApiHandler() override;

  // Serves a request on the calling thread, and answers it before returning. Exceptions are
  // watches, logs that are followed, reads that wait for a future resourceVersion, requests that a
  // fault delays, and writes that an admission webhook could be asked about: these are answered
  // later, from other threads. Sessions run on threads of their own.
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override;

  // Returns the latest revision, which is the resourceVersion of a list made now.
  int64_t revision() const;
  // Drops the history, as etcd's compaction does: requests for an older revision get 410.
  void Compact();

  // Returns the log of requests, oldest first, up to HandlerOptions::max_logged_requests entries,
  // without the first `from` of them: a reader that comes again and again passes how many it has
  // read, and gets the new ones. The indexes hold until the log is full or is cleared.
  std::vector<LoggedRequest> Requests(size_t from = 0) const;
  // Returns the number of entries of the log.
  size_t request_count() const;
  void ClearRequests();

  // Sets the address at which clients reach the server, for objects and documents that contain it:
  // the endpoints of the service "kubernetes", the config maps with certificate authorities, the
  // OpenID configuration. Call it before the first request; ApiServer does.
  void SetAddress(ServerAddress address);
  // Replaces all deny rules. Open watches are not affected.
  void SetDenyRules(std::vector<DenyRule> rules);
  // Adds a token for `user`, replacing any user the token had.
  void AddToken(absl::string_view token, User user);

  // Sets what `kubectl exec`, `attach` and `port-forward` find in a container, in place of what was
  // set for it before. The pod may be created later, but must have a node (spec.nodeName) when a
  // client comes. Sessions that have begun are not affected.
  void SetContainer(absl::string_view namespace_name, absl::string_view pod,
                    absl::string_view container, Container provided);
  // Sets the same for all containers that SetContainer does not name: `find` is called for each
  // session and each forwarded connection, on any thread, and returns nullopt for a container that
  // has nothing. It may call the handler. Null means that no others are provided.
  void SetContainers(std::function<std::optional<Container>(const ContainerName&)> find);

  // Sets the log of a container, in place of the old one. It is complete, so that those who follow
  // it come to its end. The default is an empty log.
  void SetPodLog(absl::string_view namespace_name, absl::string_view pod,
                 absl::string_view container, absl::string_view text);
  // Appends to the log of a container, with the present time for each line that begins. A
  // client that follows it (`kubectl logs -f`) gets the text at once, and waits for more: until
  // EndPodLog, until the pod is deleted, or until its status says that the container has
  // terminated. A log of a container that is provided, or whose status says that it runs, can be
  // followed before its first line. Up to 64 MiB are kept for each container; the oldest lines go.
  void AppendPodLog(absl::string_view namespace_name, absl::string_view pod,
                    absl::string_view container, absl::string_view text);
  // Completes the log of a container, which stays as it is.
  void EndPodLog(absl::string_view namespace_name, absl::string_view pod,
                 absl::string_view container);
  // Completes the log of a container, and begins a new one, as when the container restarts. The
  // completed one is that of `kubectl logs --previous`.
  void RestartPodLog(absl::string_view namespace_name, absl::string_view pod,
                     absl::string_view container);

  // Sets the function that answers the admission webhooks, and the conversion webhooks of
  // CustomResourceDefinitions, whose configurations name this service and path, whatever the port
  // is, in place of the old one; no socket and no certificate is needed. Null removes it. Calls
  // that have begun are not affected.
  void SetWebhook(absl::string_view namespace_name, absl::string_view service,
                  absl::string_view path, WebhookFunction function);
  // Does the same for webhooks whose configurations have a URL, such as
  // "https://hooks.example.com/pods".
  void SetWebhook(absl::string_view url, WebhookFunction function);
  // Sets where a port of a service is, such as "127.0.0.1:9443", for webhooks that have no
  // function. They are called over HTTPS, on real sockets whatever the Runtime is; the certificate
  // there must be one for SERVICE.NAMESPACE.svc that caBundle trusts. An empty address removes it.
  // Webhooks with a URL are called there.
  void SetServiceAddress(absl::string_view namespace_name, absl::string_view service, int port,
                         absl::string_view address);

  // Returns the number of open watches.
  size_t watches() const;
  // Returns the number of exec, attach and port-forward sessions that have not ended.
  size_t sessions() const;

  // Returns a handle to add and remove fault rules, and to see how often they fired.
  Faults faults() const { return Faults(layer_); }
  // Behaves like a restart of the server process: all open requests are aborted. Users, deny rules,
  // the containers and webhooks that were set, and the log of requests are kept. With `keep_data`
  // the history and the logs of containers are kept too; a real server starts with an empty watch
  // cache, so that watches of older versions may get 410: call Compact to imitate that. Waits for
  // functions as the destructor does, so those of containers and webhooks must not call it.
  void Restart(const RestartOptions& options = {});

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
  std::shared_ptr<apiserver::internal::FaultLayer> layer_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_HANDLER_H_
