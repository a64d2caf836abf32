#ifndef NET_IO_PIPE_H_
#define NET_IO_PIPE_H_

#include <cstddef>
#include <memory>

#include "net/io/duplex_stream.h"

namespace kube::io {

// The two ends of a pipe: what is written to one is read from the other.
struct Pipe {
  std::unique_ptr<DuplexStream> first;
  std::unique_ptr<DuplexStream> second;
};

// Makes a connection within the process, without sockets, for tests and for protocols that are
// stacked on each other. In each direction, Write blocks while more than `buffer_bytes` wait to be
// read; so does Flush until nothing waits any more. If one end is closed or destroyed, the other
// one reads what was written before and then the end, and its Write returns UNAVAILABLE. The ends
// may be used on different threads. Works under SimRuntime. (Go: `net.Pipe`, which has no buffer)
Pipe MakePipe(size_t buffer_bytes = size_t{64} << 10);

}  // namespace kube::io

#endif  // NET_IO_PIPE_H_
