#ifndef NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_
#define NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_

#include <functional>

// libcurl makes socket pairs for itself without SOCK_CLOEXEC, and tells the numbers of few of them.
// These functions find both ends and set FD_CLOEXEC, so that the programs that this process starts
// do not inherit them. An end is recognised by what arrives at it, never by its number alone: other
// threads open descriptors at the same time, and theirs may be meant to be inherited. Thread-safe.
namespace kube::httpclient::internal {

// Sets FD_CLOEXEC on `fd` and, if it is a connected Unix socket whose other end is in this process
// without FD_CLOEXEC, on that end. Some bytes go to the other end and are taken from it again.
void SetCloseOnExec(int fd);

// The same for the pair that `wake` writes a byte into each time that it is called. `guess` and
// `other_guess` are tried first, then all descriptors of the process. The bytes stay in the pair.
void SetCloseOnExecOfWakeUp(const std::function<void()>& wake, int guess, int other_guess);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_
