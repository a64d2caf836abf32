#ifndef APIMACHINERY_FIELDS_COMPILED_SELECTOR_H_
#define APIMACHINERY_FIELDS_COMPILED_SELECTOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/types/string.h"

namespace kube::fields {

// A field selector made ready for the objects of one type: each field is looked up once, and
// matching reads the object's memory at known places.
//
//   KUBE_ASSIGN_OR_RETURN(const CompiledSelector on_node,
//                         CompiledSelector::Make<corev1::Pod>(selector));
//   if (on_node.Matches(pod)) ...
//
// Fields are named as in JSON, from the object's top: "metadata.name", "status.phase",
// "involvedObject.name". Any text, bool or integer that is not within a list or a map can be
// selected by, of which servers serve a few. Values compare as a server's do: "true" and "false",
// decimal numbers without a plus or zeros before them, and "" of what is absent.
//
// The names that servers have beside these, "source" of Events and "status.successful" of Jobs, are
// none here: Transform the selector before. client-go has no such thing; the servers' GetAttrs
// functions and the converters of field labels do this, kind by kind.
//
// Immutable, and thread-safe. Copying copies what was compiled.
class CompiledSelector {
 public:
  // INVALID_ARGUMENT "field label not supported: NAME" where T has no such field.
  template <ApiStruct T>
  static absl::StatusOr<CompiledSelector> Make(const Selector& selector) {
    return MakeFor(selector, T::kMessage);
  }

  // Neither allocates nor parses. T is what the selector was made for.
  template <ApiStruct T>
  bool Matches(const T& object) const {
    KUBE_DCHECK(message_ == &T::kMessage);
    return MatchesObject(&object);
  }

  // The same where the type is known at run time only. For the engine.
  static absl::StatusOr<CompiledSelector> MakeFor(const Selector& selector,
                                                  const kube::table::Message& message);
  bool MatchesObject(const void* object) const;

 private:
  // A requirement on the member that is `offset` bytes into the struct that the pointers at
  // `boxes` lead to.
  struct Term {
    std::vector<uint32_t> boxes;
    uint32_t offset = 0;
    // Of an Opt: where the byte is that says whether it is there; else 0.
    uint32_t presence = 0;
    kube::table::Kind kind = kube::table::Kind::kString;
    bool equals = true;
    // What the member is compared with. Of bools and integers the number; if the text is none as
    // they are written, `never`.
    String value;
    int64_t number = 0;
    bool never = false;
  };

  CompiledSelector() = default;

  static absl::StatusOr<Term> Compile(const Requirement& requirement,
                                      const kube::table::Message& message);
  static bool IsSame(const Term& term, const char* object);

  const kube::table::Message* message_ = nullptr;
  bool nothing_ = false;
  std::vector<Term> terms_;
};

}  // namespace kube::fields

#endif  // APIMACHINERY_FIELDS_COMPILED_SELECTOR_H_
