#ifndef APIMACHINERY_TYPES_KIND_TABLE_H_
#define APIMACHINERY_TYPES_KIND_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"

namespace kube::table {

// The kinds of an IDL file in the form in which protoc-gen-kube writes them. A KindInfo has 240
// bytes, most of them pointers that the loader must relocate. As text a kind takes about fifty
// bytes, and only programs that call Kinds() build the rest, on the heap.
struct KindTable {
  // The defaults for each kind.
  absl::string_view group;
  absl::string_view version;
  // One line per message, made of members that end in '|'. A member is a letter and a text; members
  // that are missing have their defaults.
  //
  //   k Pods           kind; default: the name of the message
  //   g apps/v1        group and version; "/v1" for the core group
  //   n pods, c nodes  plural of a namespaced or cluster-scoped resource; default: no resource
  //   - 1              singular is plural without this number of characters (at most 9) at its end
  //   s ox             singular; default: none
  //   h po,pd          short names
  //   a all            categories
  //   v gup            verbs: see below; default: all for a resource, otherwise none
  //   / scale,gup,x,y  a subresource: name, verbs, input, result; the last two may be missing
  //   l                list_of is the kind without "List"
  //   L Ox             list_of
  //   i 1.2  d 1.2  r 1.2  w policy/v1 Pod    introduced, deprecated, removed, replacement
  //
  // Each verb is a letter: "glwcupdD" are get, list, watch, create, update, patch, delete and
  // deletecollection. Other verbs are written in full, all of them with a '+' before:
  // "+get+connect".
  absl::string_view lines;
  absl::Span<const Message* const> messages;
};

// Returns the kinds of a table. They are never destroyed, and refer to the text of the table. Call
// it once per table and keep the result.
absl::Span<const KindInfo> ReadKinds(const KindTable& table);

}  // namespace kube::table

#endif  // APIMACHINERY_TYPES_KIND_TABLE_H_
