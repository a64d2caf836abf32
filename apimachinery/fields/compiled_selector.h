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

// A field selector that is prepared for the objects of one type: each field is looked up once, and
// matching reads the object's memory at known offsets.
//
//   KUBE_ASSIGN_OR_RETURN(const CompiledSelector on_node,
//                         CompiledSelector::Make<corev1::Pod>(selector));
//   return on_node.Matches(pod);
//
// A field is named by its JSON path from the top of the object: "metadata.name", "status.phase",
// "involvedObject.name". Every string, bool and integer that is not inside a list or a map is
// supported; servers support only a few of them. Values compare as on a server: bools are "true"
// and "false", integers are decimal without a plus sign or leading zeros, and an absent field is
// "".
//
// Names that servers define in addition, such as "source" of Events and "status.successful" of
// Jobs, are not supported: apply Selector::Transform first. client-go has no counterpart; servers
// do this in the GetAttrs functions and field label converters of each kind.
//
// Immutable and thread-safe. Copying copies the compiled form.
class CompiledSelector {
 public:
  // Compiles `selector` for T. Returns INVALID_ARGUMENT "field label not supported: NAME" if T has
  // no such field.
  template <ApiStruct T>
  static absl::StatusOr<CompiledSelector> Make(const Selector& selector) {
    return MakeFor(selector, T::kMessage);
  }

  // Returns whether `object` matches. T must be the type that the selector was made for. Does not
  // allocate or parse.
  template <ApiStruct T>
  bool Matches(const T& object) const {
    KUBE_DCHECK(message_ == &T::kMessage);
    return MatchesObject(&object);
  }

  // As Make and Matches, for a type that is known only at run time.
  static absl::StatusOr<CompiledSelector> MakeFor(const Selector& selector,
                                                  const kube::table::Message& message);
  bool MatchesObject(const void* object) const;

 private:
  // A requirement on a field, which is `offset` bytes into the struct that is reached by following
  // the boxes at the offsets `boxes`.
  struct Term {
    std::vector<uint32_t> boxes;
    uint32_t offset = 0;
    // For an Opt: the offset of the byte that tells whether it has a value; otherwise 0.
    uint32_t presence = 0;
    kube::table::Kind kind = kube::table::Kind::kString;
    bool equals = true;
    // The value to compare with. For bools and integers it is `number`; `never` is true if the
    // value is not in canonical form, so that no field can equal it.
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
