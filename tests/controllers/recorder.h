#ifndef TESTS_CONTROLLERS_RECORDER_H_
#define TESTS_CONTROLLERS_RECORDER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::controllers {

// A reconcile, and the program that does it. A replica starts a new program whenever one has ended.
struct Work {
  std::string program = {};  // "replica-0 #3"
  std::string controller = {};
  std::string key = {};
  // Whether the controller works only in the replica that leads.
  bool leads = true;
  // Whether requests to the server come between the taking of the key and the reconcile, such as
  // the one that adds a finalizer. They may last as long as the drain.
  bool prepares = false;
};

// The names and versions of the objects of a namespace.
using Versions = std::map<std::string, std::string>;

// Hears of each reconcile of all programs, and finds those that must not be:
//   * two reconciles of one key at a time in one program;
//   * reconciles of a controller that leads in two programs at a time;
//   * a reconcile that begins a second after its program was told to end, or later, or of one that
//     prepares, after the drain;
//   * a reconcile that runs or begins after Manager::Run has returned.
// It keeps the last lines of the story, which are part of the error. Thread-safe.
class Recorder {
 public:
  // A reconcile that runs. The destructor ends it.
  class Reconcile {
   public:
    ~Reconcile() { recorder_.End(id_); }
    Reconcile(const Reconcile&) = delete;
    Reconcile& operator=(const Reconcile&) = delete;

   private:
    friend class Recorder;
    Reconcile(Recorder& recorder, int64_t id) : recorder_(recorder), id_(id) {}

    Recorder& recorder_;
    const int64_t id_;
  };

  // Notes that a reconcile begins. `why` is for the story.
  [[nodiscard]] Reconcile Begin(const Work& work, absl::string_view why)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Notes that a program was told to end.
  void NoteStop(const std::string& program) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that the Run of a program has returned, so that nothing of it may run.
  void NoteEnd(const std::string& program) ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds a line to the story.
  void Tell(absl::string_view line) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes a mistake. Only the first one counts.
  void Violate(absl::string_view what) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns OK, or DATA_LOSS with the first mistake and the story that led to it.
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the last lines of the story.
  std::string Story() const ABSL_LOCKS_EXCLUDED(mutex_);
  int64_t reconciles() const ABSL_LOCKS_EXCLUDED(mutex_);
  int64_t programs() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Remember the name that the server has given to a child when it was created last; empty if it
  // was never created.
  void NoteCreated(const std::string& child, const std::string& name) ABSL_LOCKS_EXCLUDED(mutex_);
  std::string LastCreated(const std::string& child) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Remember what the last reconcile of a program saw in a namespace.
  void NoteSeen(const std::string& program, const std::string& namespace_name, Versions seen)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns what a program saw last, by namespace, without namespaces in which it saw nothing.
  std::map<std::string, Versions> Seen(const std::string& program) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void End(int64_t id) ABSL_LOCKS_EXCLUDED(mutex_);
  void CheckBegin(const Work& work) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellLocked(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ViolateLocked(absl::string_view what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string StoryLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  int64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, Work> running_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, base::MonotonicTime> stopped_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> ended_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::string> story_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> created_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::map<std::string, Versions>> seen_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_RECORDER_H_
