#ifndef APIMACHINERY_CEL_DIFFERENTIAL_EXPRESSION_MAKER_H_
#define APIMACHINERY_CEL_DIFFERENTIAL_EXPRESSION_MAKER_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/strings/string_view.h"
#include "tests/dice.h"

namespace kube::cel {

// Makes random expressions over the variables self, n (7), s ("text") and l ([1, 2, 3]). A few are
// not of the type that they should have, or use what does not exist. The same seed makes the same
// expressions. Thread-compatible.
class ExpressionMaker {
 public:
  explicit ExpressionMaker(uint64_t seed) : dice_(seed) {}

  // Returns an expression of any type, in which calls and operators are nested `depth` deep.
  std::string Any(int depth);

 private:
  std::string Pick(std::initializer_list<absl::string_view> words);
  std::string Fill(absl::string_view pattern, int depth);
  bool Slips();

  std::string Dyn(int depth);
  std::string Bool(int depth);
  std::string Int(int depth);
  std::string Number(int depth);
  std::string Text(int depth);
  std::string List(int depth);
  std::string Time(int depth);
  // Functions of the libraries.
  std::string LibraryBool(int depth);
  std::string LibraryInt(int depth);
  std::string LibraryText(int depth);
  std::string LibraryList(int depth);

  oracle::Dice dice_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_DIFFERENTIAL_EXPRESSION_MAKER_H_
