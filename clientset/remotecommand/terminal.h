#ifndef CLIENTSET_REMOTECOMMAND_TERMINAL_H_
#define CLIENTSET_REMOTECOMMAND_TERMINAL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/streams.h"

// The user's terminal, for programs like `kubectl exec -it`. All functions take the file descriptor
// of a terminal, which they do not close.
namespace kube::remotecommand {

// Returns whether a file descriptor is a terminal. (Go: `term.IsTerminal`)
bool IsTerminal(int fd);

// Returns the size of a terminal, or FAILED_PRECONDITION if it is not one. (Go: `term.GetSize`)
absl::StatusOr<TerminalSize> SizeOfTerminal(int fd);

// Puts a terminal into raw mode, and back into the mode that it had before when it is destroyed.
// In raw mode each key, also Ctrl-C, goes to the program as a byte and is not shown; the terminal
// in the container gives it its meaning. (Go: `term.MakeRaw`, `term.Restore`)
//
//   KUBE_ASSIGN_OR_RETURN(const RawTerminal raw, RawTerminal::Make(fd));
//   return Run(ctx, *session, std::move(streams));
//
// A program that ends without destroying it, such as by a signal, leaves the terminal unusable:
// have SIGTERM end a context (apimachinery/base/signal_context.h), and return from main. Movable,
// thread-compatible.
class RawTerminal {
 public:
  // Returns FAILED_PRECONDITION if `fd` is not a terminal. It must stay open as long as the result.
  static absl::StatusOr<RawTerminal> Make(int fd);
  ~RawTerminal();
  RawTerminal(RawTerminal&&) noexcept;
  RawTerminal& operator=(RawTerminal&& other) noexcept;

  // Does what the destructor does; for programs that print before they end. Does nothing if called
  // again.
  void Restore();

 private:
  struct Mode;
  explicit RawTerminal(std::unique_ptr<Mode> before);

  std::unique_ptr<Mode> before_;  // null if nothing is to be restored
};

// Returns a source for Streams::sizes: the size of a terminal now, and then its changes. It ends
// when the size cannot be read any more.
//
// It asks for the size four times a second, as kubectl does on Windows. The system's signal for a
// change, SIGWINCH, would need a handler, of which a process has only one, or to be blocked in all
// threads; both belong to the program, not to a library. A program that handles SIGWINCH anyway may
// write a SizeSource of its own.
SizeSource TerminalSizes(int fd);

}  // namespace kube::remotecommand

#endif  // CLIENTSET_REMOTECOMMAND_TERMINAL_H_
