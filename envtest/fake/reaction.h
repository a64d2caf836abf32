#ifndef ENVTEST_FAKE_REACTION_H_
#define ENVTEST_FAKE_REACTION_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/event.h"
#include "envtest/fake/action.h"
#include "envtest/fake/internal/kinds.h"

namespace kube::fake {

// What a reactor makes of an action. (The three results of client-go's ReactionFunc)
//
// A value.
class Reaction {
 public:
  // It is none of this reactor's business: the next one is asked, and at the end the server. What
  // the reactor has changed of the action stays changed. (false, nil, nil)
  static Reaction PassOn() { return Reaction(Kind::kPassOn); }

  // The server is not asked: this is its answer. Of list actions a list. (true, object, nil)
  template <ApiStruct T>
  static Reaction Return(const T& object) {
    return Answer(internal::WithKind(codec::EncodeJson(object), T::kMessage));
  }

  // The answer to a delete or deletecollection, and to what gives no object. (true, nil, nil)
  static Reaction Done();

  // The same with an error, which must not be OK. One that has a metav1.Status, as those that
  // errors::NotFound and its siblings make, is the server's answer, with its code; any other one is
  // an error of the transport: no answer came. (true, nil, err)
  static Reaction Fail(absl::Status error);

  // The answer to a watch: these events, then its end. (WatchReactionFunc, with a FakeWatcher)
  template <typename T>
  static Reaction Events(const std::vector<watch::Event<T>>& events) {
    std::vector<internal::EncodedEvent> encoded;
    for (const watch::Event<T>& event : events) {
      encoded.push_back({.type = event.type, .error = event.error});
      if (event.object == nullptr) continue;
      encoded.back().object = internal::WithKind(codec::EncodeJson(*event.object), T::kMessage);
    }
    return Answer(internal::EncodeEvents(encoded));
  }

  // What the reaction is, for code that carries it out, as fake::Clientset does.
  enum class Kind { kPassOn, kAnswer, kError };
  Kind kind() const { return kind_; }
  const std::string& answer() const { return answer_; }
  const absl::Status& error() const { return error_; }

 private:
  explicit Reaction(Kind kind) : kind_(kind) {}
  // An object that cannot be encoded is an error.
  static Reaction Answer(absl::StatusOr<std::string> json);

  Kind kind_;
  std::string answer_;
  absl::Status error_;
};

// Called by the thread that sends the request, before anything of it is done; several at a time if
// several threads send. May use the clients, but not without end. (testing.ReactionFunc)
using Reactor = std::function<Reaction(Action&)>;

}  // namespace kube::fake

#endif  // ENVTEST_FAKE_REACTION_H_
