#ifndef APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_
#define APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// A Value to which the operations of a JSON patch are applied; each may add or remove members and
// elements anywhere. An object or list is open once an operation has entered it: an open object
// keeps its changes beside the original members, and an open list is cut into chunks. So an
// operation moves O(log n) or O(sqrt(n)) entries instead of n. What no operation enters stays a
// Value. Close turns everything into a Value again.
//
// Operations may nest values more deeply than recursion could follow. Therefore no function here
// recurses, and Close returns an error for a result that is too deep for the rest of the program.
// Thread-compatible.
class EditedValue {
 public:
  EditedValue();
  explicit EditedValue(unstructured::Value value);
  EditedValue(EditedValue&& other) noexcept;
  EditedValue& operator=(EditedValue&& other) noexcept;
  ~EditedValue();

  bool is_object() const { return members_ != nullptr || value_.is_object(); }
  bool is_list() const { return elements_ != nullptr || value_.is_list(); }

  // ---- for objects; pointers are valid until the member is erased or the object is closed

  // Returns null if there is no such member.
  EditedValue* FindMember(absl::string_view key);
  void SetMember(absl::string_view key, EditedValue value);
  // Returns whether the member existed.
  bool EraseMember(absl::string_view key);

  // ---- for lists; pointers are valid until the list is changed or closed

  size_t size() const;
  // Requires that `index` is less than size().
  EditedValue* Element(size_t index);
  // Inserts before the element at `index`; size() is the end.
  void InsertElement(size_t index, EditedValue value);
  void EraseElement(size_t index);

  // Returns the complete Value, which the caller may move from. Returns INVALID_ARGUMENT if it is
  // nested more deeply than a JSON text may be.
  absl::StatusOr<unstructured::Value*> Close();

 private:
  struct Members;
  struct Elements;
  struct Place;

  bool is_open() const { return members_ != nullptr || elements_ != nullptr; }
  Members& OpenObject();
  Elements& OpenList();
  static Place Find(Elements& elements, size_t index);
  // Calls `visit` with each child that is an EditedValue.
  template <typename Visit>
  void VisitChildren(const Visit& visit);
  // Closes this value; its children must be closed.
  void CloseAlone();
  bool IsTooDeep();

  // Null while this is open.
  unstructured::Value value_;
  std::unique_ptr<Members> members_;
  std::unique_ptr<Elements> elements_;
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_
