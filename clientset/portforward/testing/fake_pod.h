#ifndef CLIENTSET_PORTFORWARD_TESTING_FAKE_POD_H_
#define CLIENTSET_PORTFORWARD_TESTING_FAKE_POD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/portforward/forwarder.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/session.h"

namespace kube::portforward {

// A pod and its kubelet for tests, within the process: the other side of a Forwarder.
//
//   FakePod pod;
//   pod.Listen(80, FakePod::Echo);
//   auto forwarder = Forwarder::Connect(ctx, pod.MakeConnector(), {"prod", "web-0"});
//
// It answers as the kubelet does: it pairs streams by their request ids, and when a handler returns
// an error it writes "error forwarding port 80 to pod ...: ..." to the error stream and resets
// both. Ports on which nothing listens are such an error. It does not imitate the time limit for
// streams without a partner, nor the refusal of streams with wrong headers.
//
// Works under SimRuntime. Thread-safe. The destructor ends all connections and joins the threads.
class FakePod {
 public:
  // What listens on a port: handles one connection, on a thread of its own, and returns when that
  // is over.
  using Handler = std::function<absl::Status(const Context& ctx, io::DuplexStream& connection)>;

  FakePod();
  ~FakePod();
  FakePod(const FakePod&) = delete;
  FakePod& operator=(const FakePod&) = delete;

  // A handler that sends back what it receives, until the client ends.
  static absl::Status Echo(const Context& ctx, io::DuplexStream& connection);

  void Listen(uint16_t port, Handler handler) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes the next `count` connections fail with an error.
  void FailConnections(size_t count, absl::Status error) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the client's end of a new connection with the kubelet, which speaks SPDY.
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> Connect() ABSL_LOCKS_EXCLUDED(mutex_);
  // Speaks SPDY on a connection, as the server, on a thread of its own.
  void Serve(std::unique_ptr<io::DuplexStream> connection) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a function that calls Connect. The pod must outlive it.
  Connector MakeConnector();

  // Ends all connections, as the loss of a network does.
  void LoseConnections() ABSL_LOCKS_EXCLUDED(mutex_);

  // The number of connections so far, including those that failed.
  size_t connections() const ABSL_LOCKS_EXCLUDED(mutex_);
  // The request ids of the connections to ports, in the order in which they were complete.
  std::vector<std::string> request_ids() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // The streams of a connection to a port.
  struct Pair {
    std::unique_ptr<spdy::SessionStream> error;
    std::unique_ptr<spdy::SessionStream> data;
  };

  void ServeSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection);
  void Handle(const Context& ctx, uint16_t port, Pair& pair);
  Handler HandlerOf(uint16_t port) const ABSL_LOCKS_EXCLUDED(mutex_);

  mutable base::Mutex mutex_;
  std::map<uint16_t, Handler> handlers_ ABSL_GUARDED_BY(mutex_);
  size_t failures_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  size_t connections_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::string> request_ids_ ABSL_GUARDED_BY(mutex_);
  // Its context is that of all open connections; LoseConnections replaces it.
  std::unique_ptr<CancelScope> network_ ABSL_GUARDED_BY(mutex_);
  base::ThreadGroup threads_;
};

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_TESTING_FAKE_POD_H_
