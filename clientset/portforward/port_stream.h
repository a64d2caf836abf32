#ifndef CLIENTSET_PORTFORWARD_PORT_STREAM_H_
#define CLIENTSET_PORTFORWARD_PORT_STREAM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "net/io/duplex_stream.h"

namespace kube::portforward {

// One connection to a port of a pod, which Forwarder::Dial makes.
//
// Read, Write and Flush return UNAVAILABLE with the text of the kubelet if it reports that the
// connection has failed: `forward to port 5000 of pod "web-0" in "prod": an error occurred: …`. A
// port on which nothing listens is reported like this, and not by Dial. The error concerns this
// connection only; others of the same Forwarder go on. CloseWrite ends the bytes that go to the
// pod, and bytes from there go on.
//
// Thread-safe as io::DuplexStream is: one thread reads, another one writes. May outlive its
// Forwarder; it then returns errors.
class PortStream : public io::DuplexStream {
 public:
  // The port of the pod.
  virtual uint16_t port() const = 0;

  // Blocks until the kubelet has said how the connection ended. Returns OK, the error that it
  // reports, ABORTED or the error of the connection to the cluster if that is lost first, or
  // ctx.status(). Any thread may call it.
  //
  // kubelets tell this when the connection in the pod has ended, so call it after Read has returned
  // the end. Read reports an error that has arrived by then; this function waits for it.
  virtual absl::Status Outcome(const Context& ctx) = 0;
};

}  // namespace kube::portforward

#endif  // CLIENTSET_PORTFORWARD_PORT_STREAM_H_
