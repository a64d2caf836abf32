#ifndef NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_
#define NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_

#include <functional>

// libcurl creates socket pairs without SOCK_CLOEXEC and reveals few of their descriptors. These
// functions find both ends and set FD_CLOEXEC, so that programs started by this process do not
// inherit them. An end is recognized by the bytes that arrive at it, never by its number alone,
// because other threads open descriptors at the same time that may be meant to be inherited.
// Thread-safe.
namespace kube::httpclient::internal {

// Sets FD_CLOEXEC on `fd` and, if `fd` is a connected Unix socket whose other end is in this
// process without FD_CLOEXEC, on that end. Sends some bytes to the other end and reads them again.
void SetCloseOnExec(int fd);

// As above, for the pair into which each call of `wake` writes a byte. Tries `guess` and
// `other_guess` first, then all descriptors of the process. The bytes stay in the pair.
void SetCloseOnExecOfWakeUp(const std::function<void()>& wake, int guess, int other_guess);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CLOSE_ON_EXEC_H_
