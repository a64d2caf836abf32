#ifndef CLIENTSET_PORTFORWARD_INTERNAL_SPLICE_H_
#define CLIENTSET_PORTFORWARD_INTERNAL_SPLICE_H_

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/port_stream.h"

namespace kube::portforward::internal {

// Copies bytes between a program on this machine and a port of a pod, in both directions, until the
// connection is over: both sides have ended, the kubelet says that the connection has ended, or one
// side has failed. Each side's end is passed on to the other. Blocks, and uses one more thread.
//
// Returns OK also if the local program has gone, the error of the pod's side, RESOURCE_EXHAUSTED if
// there is no thread, or ctx.status(). Afterwards both connections have ended.
absl::Status Splice(const Context& ctx, LocalSocket& local, PortStream& remote);

}  // namespace kube::portforward::internal

#endif  // CLIENTSET_PORTFORWARD_INTERNAL_SPLICE_H_
