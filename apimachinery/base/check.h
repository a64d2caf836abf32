#ifndef APIMACHINERY_BASE_CHECK_H_
#define APIMACHINERY_BASE_CHECK_H_

// Checks for programming errors: a failed check prints one line to stderr and aborts the process.
//
//   KUBE_CHECK(!started) << "Run called twice";
//   KUBE_CHECK_EQ(values.size(), label_names.size()) << "labels of " << name;
//   KUBE_CHECK_OK(Save(values));  // a Status or a StatusOr
//
// If the second one fails, it prints
// `store.cc:42: check failed: values.size() == label_names.size() (2 vs. 3) labels of requests`.
//
// Do not check input from a server, a file or a user: return a Status for it. Operands are
// evaluated once; the streamed message is evaluated only if the check fails. KUBE_DCHECK evaluates
// nothing if NDEBUG is defined. Thread-safe. These macros exist because old abseil releases lack
// absl/log/check.h.

#include <concepts>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/source_location.h"

namespace kube::base::internal {

// Collects the message of a failed check. Its destructor, at the end of the full expression, prints
// the message and aborts.
class CheckFailure {
 public:
  CheckFailure(const std::string& what, SourceLocation where);
  [[noreturn]] ~CheckFailure();
  CheckFailure(const CheckFailure&) = delete;
  CheckFailure& operator=(const CheckFailure&) = delete;

  // Returns the stream for the caller's message, which follows the failed condition after a blank.
  std::ostream& stream();

 private:
  std::ostringstream stream_;
};

template <typename T>
void PrintOperand(std::ostream& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_null_pointer_v<T>) {
    out << "nullptr";
  } else if constexpr (requires { out << value; }) {
    out << value;
  } else if constexpr (std::is_enum_v<T>) {
    out << +static_cast<std::underlying_type_t<T>>(value);
  } else {
    out << "(not printable)";
  }
}

// Whether two such integers are compared by value, whatever their signedness: a literal such as 0
// may be compared with a size() without a warning.
template <typename T>
inline constexpr bool kComparesByValue =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
    !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> &&
    !std::same_as<T, char32_t>;

#define KUBE_INTERNAL_DEFINE_COMPARISON(name, op, cmp)            \
  struct name {                                                   \
    static constexpr const char* kText = " " #op " ";             \
    template <typename A, typename B>                             \
    static bool Holds(const A& a, const B& b) {                   \
      if constexpr (kComparesByValue<A> && kComparesByValue<B>) { \
        return std::cmp(a, b);                                    \
      } else {                                                    \
        return static_cast<bool>(a op b);                         \
      }                                                           \
    }                                                             \
  }
KUBE_INTERNAL_DEFINE_COMPARISON(CheckEq, ==, cmp_equal);
KUBE_INTERNAL_DEFINE_COMPARISON(CheckNe, !=, cmp_not_equal);
KUBE_INTERNAL_DEFINE_COMPARISON(CheckLt, <, cmp_less);
KUBE_INTERNAL_DEFINE_COMPARISON(CheckLe, <=, cmp_less_equal);
KUBE_INTERNAL_DEFINE_COMPARISON(CheckGt, >, cmp_greater);
KUBE_INTERNAL_DEFINE_COMPARISON(CheckGe, >=, cmp_greater_equal);
#undef KUBE_INTERNAL_DEFINE_COMPARISON

// Returns null if the comparison holds, otherwise the text that describes the failure.
template <typename Op, typename A, typename B>
std::unique_ptr<std::string> CheckOp(const A& a, const B& b, const char* a_text,
                                     const char* b_text) {
  if (Op::Holds(a, b)) [[likely]] {
    return nullptr;
  }
  std::ostringstream out;
  out << a_text << Op::kText << b_text << " (";
  PrintOperand(out, a);
  out << " vs. ";
  PrintOperand(out, b);
  out << ")";
  return std::make_unique<std::string>(out.str());
}

// Returns null if `status` is OK, otherwise the text that describes the failure.
std::unique_ptr<std::string> CheckOk(const absl::Status& status, const char* text);
template <typename T>
std::unique_ptr<std::string> CheckOk(const absl::StatusOr<T>& result, const char* text) {
  return result.ok() ? nullptr : CheckOk(result.status(), text);
}

}  // namespace kube::base::internal

#define KUBE_INTERNAL_CHECK_FAILURE(what)                                                         \
  ::kube::base::internal::CheckFailure(what,                                                      \
                                       ::kube::base::SourceLocation::Current(__FILE__, __LINE__)) \
      .stream()

// Gives each use a variable of its own: a check may stand in a lambda in another check's argument.
#define KUBE_INTERNAL_CHECK_NAME(number) KUBE_INTERNAL_CHECK_NAME_2(number)
#define KUBE_INTERNAL_CHECK_NAME_2(number) kube_check_failed_##number

#define KUBE_INTERNAL_CHECK_UNLESS(name, failed) \
  while (auto name = failed) KUBE_INTERNAL_CHECK_FAILURE(*name)

#define KUBE_INTERNAL_CHECK_OP(op, a, b)     \
  KUBE_INTERNAL_CHECK_UNLESS(                \
      KUBE_INTERNAL_CHECK_NAME(__COUNTER__), \
      (::kube::base::internal::CheckOp<::kube::base::internal::op>(a, b, #a, #b)))

#define KUBE_CHECK(condition) \
  while (ABSL_PREDICT_FALSE(!(condition))) KUBE_INTERNAL_CHECK_FAILURE(#condition)

#define KUBE_CHECK_EQ(a, b) KUBE_INTERNAL_CHECK_OP(CheckEq, a, b)
#define KUBE_CHECK_NE(a, b) KUBE_INTERNAL_CHECK_OP(CheckNe, a, b)
#define KUBE_CHECK_LT(a, b) KUBE_INTERNAL_CHECK_OP(CheckLt, a, b)
#define KUBE_CHECK_LE(a, b) KUBE_INTERNAL_CHECK_OP(CheckLe, a, b)
#define KUBE_CHECK_GT(a, b) KUBE_INTERNAL_CHECK_OP(CheckGt, a, b)
#define KUBE_CHECK_GE(a, b) KUBE_INTERNAL_CHECK_OP(CheckGe, a, b)

#define KUBE_CHECK_OK(expr)                                         \
  KUBE_INTERNAL_CHECK_UNLESS(KUBE_INTERNAL_CHECK_NAME(__COUNTER__), \
                             ::kube::base::internal::CheckOk((expr), #expr))

#ifdef NDEBUG
#define KUBE_DCHECK(condition) \
  while (false) KUBE_CHECK(condition)
#else
#define KUBE_DCHECK(condition) KUBE_CHECK(condition)
#endif

#endif  // APIMACHINERY_BASE_CHECK_H_
