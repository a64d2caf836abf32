#ifndef CLIENTSET_RECORDING_RECORDER_H_
#define CLIENTSET_RECORDING_RECORDER_H_

#include <cstdint>
#include <memory>

#include "clientset/recording/redaction.h"
#include "clientset/recording/sink.h"
#include "clientset/rest/config.h"
#include "net/httpclient/transport.h"

namespace kube::recording {

struct RecorderOptions {
  RedactionOptions redaction = {};
  // The limit of the response's body of one exchange, in bytes. The rest of a larger body is not
  // recorded, and replaying it fails there. Default: 64 MiB.
  int64_t max_body_bytes = int64_t{64} << 20;
};

// Records what a program and its clusters say to each other, so that ReplayTransport can play it
// again without a cluster: a bug report becomes a test.
//
//   KUBE_ASSIGN_OR_RETURN(auto sink, recording::MakeFileSink(path));
//   const recording::Recorder recorder(sink);
//   KUBE_ASSIGN_OR_RETURN(auto client, kubernetes::Clientset::Make(recorder.Record(config)));
//
// Each request is recorded as the network sees it: after credentials were added, and once for each
// attempt. Each line goes to the sink when it happens, and so the recording has also the watches
// that were open when the program ended. Credentials are redacted: see RedactionOptions.
//
// Requests that ask for another protocol (exec, attach, port-forward) pass through and are not
// recorded. Neither are connections, TLS, compression and exec plug-ins.
//
// Use one Recorder for each sink, for all clients of the program. Clients keep what they need of
// it, and may outlive it. Thread-safe.
class Recorder {
 public:
  explicit Recorder(std::shared_ptr<Sink> sink, const RecorderOptions& options = {});

  // Returns a configuration whose clients are recorded. They speak JSON, unless
  // `config.content_type` says otherwise, because in protobuf a Secret could be redacted only as a
  // whole, and a replayed program could not read it.
  rest::Config Record(rest::Config config) const;

  // Returns a transport that records what `next` does, for clients that are not made from a
  // rest::Config.
  std::shared_ptr<httpclient::Transport> Wrap(std::shared_ptr<httpclient::Transport> next) const;

 private:
  httpclient::TransportWrapper wrap_;
};

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_RECORDER_H_
