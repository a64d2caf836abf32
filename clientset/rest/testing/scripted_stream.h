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

// The sending end of a response's body, in a test's hands.
//
//   std::shared_ptr<ScriptedStream> watch = transport->ExpectStream({.path = "/api/v1/pods"});
//   watch->Write("{\"type\":\"ADDED\",...}\n");
//   watch->Pause(absl::Minutes(5));
//   watch->End();
//
// What is written before somebody reads waits for him. Thread-safe.
class ScriptedStream {
 public:
  // A piece, which a Read gets as it is: shorter ones show whether a reader minds.
  void Write(absl::string_view bytes) ABSL_LOCKS_EXCLUDED(mutex_);
  // The next piece, or the end, comes so much later than it is asked for, on the reader's clock.
  void Pause(absl::Duration duration) ABSL_LOCKS_EXCLUDED(mutex_);
  // The end of the body; an error, for instance of MakeTransportError, is one that breaks off.
  // Nothing is sent after it.
  void End(absl::Status status = absl::OkStatus()) ABSL_LOCKS_EXCLUDED(mutex_);

  // Block until the response's header was sent, or until the reader closed or destroyed the body
  // (OK), or `ctx` is done.
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

  // The reading end of `stream`; also says that it was opened.
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
