#ifndef CLIENTSET_REMOTECOMMAND_INTERNAL_LIVENESS_H_
#define CLIENTSET_REMOTECOMMAND_INTERNAL_LIVENESS_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::remotecommand::internal {

// Client-go's times: a ping every five seconds, twelve of which may stay without an answer.
inline constexpr absl::Duration kPingInterval = absl::Seconds(5);
inline constexpr absl::Duration kLostAfter = absl::Seconds(61);

// Decides when a session sends a ping, and when its server counts as lost: if nothing has arrived
// for kLostAfter, as far as a thread was there to read it.
//
// An exception are servers that may be busy with what they were sent. Kubernetes' server reads a
// message of stdin, hands it to the command, and reads the next message, or ping, only when the
// command has taken it. A command that computes for an hour before it reads its input thus keeps
// the server from answering for an hour, and nothing is wrong. A pong to a ping that was sent after
// the data says that the server has got past the data; until then silence means nothing, and a
// server that is really gone is found by the operating system: it retransmits what was written and
// probes the connection (TCP keep-alive), and reading fails when it gives up.
//
// A value without a clock. Thread-compatible.
class Liveness {
 public:
  explicit Liveness(base::MonotonicTime now) : next_ping_(now + kPingInterval) {}

  // Returns when the next ping is due.
  base::MonotonicTime next_ping() const { return next_ping_; }
  // Returns until when a thread may wait to read: then a ping is due, or the server is lost.
  base::MonotonicTime WaitUntil(base::MonotonicTime now) const {
    if (silence_ >= kLostAfter) return next_ping_;
    return std::min(next_ping_, now + (kLostAfter - silence_));
  }
  // Sets the time of the next ping; call it before one is sent, even if it then cannot be sent.
  void OnPingDue(base::MonotonicTime now) { next_ping_ = now + kPingInterval; }

  // A ping has been sent. Each has a greater number than the one before.
  void OnPing(uint64_t number) { last_ping_ = number; }
  // Something was sent that the server may have to hand on before it reads what follows.
  void OnData() {
    data_sent_ = true;
    ping_before_data_ = last_ping_;
  }
  // Writing has failed: silence cannot be the fault of what was written.
  void OnWriteFailed() { write_failed_ = true; }

  // Something has arrived, whatever it is.
  void OnBytes() { silence_ = absl::ZeroDuration(); }
  // The answer to a ping has arrived. Call OnBytes, too.
  void OnPong(uint64_t number) {
    if (number > ping_before_data_) data_sent_ = false;
  }
  // A thread has waited to read, and nothing has arrived.
  void OnSilence(absl::Duration waited) { silence_ += waited; }

  // Returns whether the server counts as lost.
  bool lost() const { return silence_ >= kLostAfter && (!data_sent_ || write_failed_); }

 private:
  base::MonotonicTime next_ping_;
  absl::Duration silence_ = absl::ZeroDuration();
  uint64_t last_ping_ = 0;
  // Whether data was sent that the server has perhaps not got past, and the last ping before it.
  bool data_sent_ = false;
  uint64_t ping_before_data_ = 0;
  bool write_failed_ = false;
};

}  // namespace kube::remotecommand::internal

#endif  // CLIENTSET_REMOTECOMMAND_INTERNAL_LIVENESS_H_
