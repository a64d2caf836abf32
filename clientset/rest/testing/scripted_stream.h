#ifndef CLIENTSET_REST_TESTING_SCRIPTED_STREAM_H_
#define CLIENTSET_REST_TESTING_SCRIPTED_STREAM_H_

#include <deque>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/watch/byte_stream.h"

namespace kube::rest {

// The sending end of a response's body, controlled by a test.
//
//   std::shared_ptr<ScriptedStream> watch = transport->ExpectStream({.path = "/api/v1/pods"});
//   watch->Write("{\"type\":\"ADDED\",...}\n");
//   watch->Pause(absl::Minutes(5));
//   watch->End();
//
// What is written is kept until it is read. Thread-safe.
class ScriptedStream {
 public:
  // Adds a piece, which a Read returns as it is: short pieces test whether the reader can handle
  // them.
  void Write(absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // Delays the next piece, or the end, by `duration` after the reader asks for it, on the reader's
  // clock.
  void Pause(absl::Duration duration) ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the body. With an error, for example from MakeTransportError, the body breaks off. Nothing
  // can be sent after it.
  void End(absl::Status status = absl::OkStatus()) ABSL_LOCKS_EXCLUDED(mutex_);

  // Block until the response's header was sent, or until the reader has closed or destroyed the
  // body. Return OK, or ctx.status() if `ctx` is done first.
  absl::Status WaitUntilOpened(const Context& ctx) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WaitUntilClosed(const Context& ctx) const ABSL_LOCKS_EXCLUDED(mutex_);
  bool closed() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  friend class ScriptedTransport;
  class Body;
  struct Piece {
    std::string bytes = {};
    absl::Duration pause = absl::ZeroDuration();
    bool is_end = false;
    absl::Status status = {};
  };

  // Returns the reading end of `stream`, and marks the stream as opened.
  static std::unique_ptr<watch::ByteStream> Open(std::shared_ptr<ScriptedStream> stream);
  absl::StatusOr<std::string> Read(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  mutable base::Mutex mutex_;
  mutable base::CondVar changed_;
  std::deque<Piece> pieces_ ABSL_GUARDED_BY(mutex_);
  bool opened_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TESTING_SCRIPTED_STREAM_H_
