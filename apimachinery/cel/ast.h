#ifndef APIMACHINERY_CEL_AST_H_
#define APIMACHINERY_CEL_AST_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "apimachinery/cel/source.h"
#include "apimachinery/cel/type.h"

// The tree of an expression, after its macros were expanded.
namespace kube::cel {

enum class ExprKind : uint8_t {
  kUnspecified,  // at the place of a syntax error
  kLiteral,
  kIdent,
  kSelect,  // operand.name, or has(operand.name)
  kCall,    // name(arguments), or operand.name(arguments); operators are calls
  kList,    // the elements are `arguments`
  kMap,     // `arguments` are a key, its value, the next key, ...
  kStruct,  // name{field: value}; `arguments` are the values
  kComprehension,
};

// Bytes in a literal, to tell them from a string.
struct BytesLiteral {
  std::string bytes = {};
  friend bool operator==(const BytesLiteral&, const BytesLiteral&) = default;
};

// The value of a literal; std::monostate is null.
using Literal =
    std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, BytesLiteral>;

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// The loop that macros such as all and map expand to. (cel-go: `ComprehensionExpr`)
//
// 1. The accumulator is `initial`, which is computed when it is first read.
// 2. For each element of `range`, the loop ends if `condition` is false; otherwise the accumulator
//    becomes `step`.
// 3. The value is `result`.
//
// `variable` is an element of a list or a key of a map; if there is a second variable, the two are
// index and element, or key and value.
struct Comprehension {
  std::string variable = {};
  std::string variable2 = {};  // "" if there is only one
  std::string accumulator = {};
  ExprPtr range = nullptr;
  ExprPtr initial = nullptr;
  ExprPtr condition = nullptr;
  ExprPtr step = nullptr;
  ExprPtr result = nullptr;
};

// A node of the tree. Pointers to parts of a node are never null where the kind has the part.
// Thread-compatible. (cel-go: `ast.Expr`)
struct Expr {
  ExprKind kind = ExprKind::kUnspecified;
  // The byte of the source that stands for the node in error messages.
  size_t offset = 0;
  // An identifier, a field, a function, or a type. Operators have cel-go's names: "_+_".
  std::string name = {};
  Literal literal = {};
  // The operand of a field or the receiver of a method; null for other nodes.
  ExprPtr operand = nullptr;
  std::vector<ExprPtr> arguments = {};
  // For lists: whether each element is optional; for maps and structs: whether each entry is.
  std::vector<bool> optional = {};
  // For structs.
  std::vector<std::string> fields = {};
  // For structs and maps: the places of the entries.
  std::vector<size_t> entry_offsets = {};
  // For kSelect: whether this is has(operand.name).
  bool test_only = false;
  std::unique_ptr<Comprehension> comprehension = nullptr;

  // What the checker found. The type is null before.
  TypePtr type = nullptr;
  // For calls: the overloads that may apply. If there is more than one, the values decide.
  std::vector<std::string> overloads = {};
  // For identifiers: whether the name is that of a type.
  bool names_type = false;
};

// An expression: its text and its tree. Movable; thread-compatible.
struct Ast {
  Source source = {};
  ExprPtr root = nullptr;
  // Whether Check has accepted it.
  bool checked = false;
};

// Returns a copy of a tree, without what the checker found.
ExprPtr Copy(const Expr& expr);

// Calls `visit` for each node of a tree, a node before its parts.
void Visit(const Expr& expr, absl::FunctionRef<void(const Expr& node)> visit);

// Returns the number of nodes of a tree.
size_t CountNodes(const Expr& expr);

// Returns "a.b.c" if the expression is an identifier with fields, otherwise "".
std::string QualifiedName(const Expr& expr);

// Prints a tree for tests and for people: calls as name(arguments), fields as .name, has(x.y) as
// x.y~test-only~, a comprehension as __fold__(variable, range, accumulator, initial, condition,
// step, result).
std::string DebugString(const Expr& expr);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_AST_H_
