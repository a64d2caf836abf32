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

// The result of a reactor. (client-go: the three results of `ReactionFunc`)
//
// A value.
class Reaction {
 public:
  // Leaves the action to the next reactor, and finally to the server. Changes that the reactor made
  // to the action are kept. (client-go: `false, nil, nil`)
  static Reaction PassOn() { return Reaction(Kind::kPassOn); }

  // Answers with `object`, without asking the server. For list actions, pass a list.
  // (client-go: `true, object, nil`)
  template <ApiStruct T>
  static Reaction Return(const T& object) {
    return Answer(internal::WithKind(codec::EncodeJson(object), T::kMessage));
  }

  // Answers with success, for delete, deletecollection and other actions without a result.
  // (client-go: `true, nil, nil`)
  static Reaction Done();

  // Answers with `error`, which must not be OK. An error with a metav1.Status, such as those of
  // errors::NotFound, is a response of the server with its code; any other error is a transport
  // error, as if no response had arrived. (client-go: `true, nil, err`)
  static Reaction Fail(absl::Status error);

  // Answers a watch with these events, after which it ends. (client-go: `WatchReactionFunc` with a
  // FakeWatcher)
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

  // Accessors for code that carries out the reaction, as fake::Clientset does.
  enum class Kind { kPassOn, kAnswer, kError };
  Kind kind() const { return kind_; }
  const std::string& answer() const { return answer_; }
  const absl::Status& error() const { return error_; }

 private:
  explicit Reaction(Kind kind) : kind_(kind) {}
  // Makes an answer, or an error if `json` is one.
  static Reaction Answer(absl::StatusOr<std::string> json);

  Kind kind_;
  std::string answer_;
  absl::Status error_;
};

// Called on the thread that sends the request, before anything else is done with it, and
// concurrently if several threads send. It may use the clients, which calls reactors again.
// (client-go: `testing.ReactionFunc`)
using Reactor = std::function<Reaction(Action&)>;

}  // namespace kube::fake

#endif  // ENVTEST_FAKE_REACTION_H_
