#include "apimachinery/validation/field_error.h"

#include <cstdint>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"

namespace kube::validation::field {
namespace {

const Path kReplicas = Path("spec").Child("replicas");

TEST(FieldError, Texts) {
  const struct {
    const char* name;
    Error error;
    const char* text;
  } kCases[] = {
      {"number", Invalid(kReplicas, -1, "must be positive"),
       "spec.replicas: Invalid value: -1: must be positive"},
      {"text", Invalid(kReplicas, "a\"\n", ""), "spec.replicas: Invalid value: \"a\\\"\\n\""},
      {"named text", Invalid(kReplicas, JsonText("<"), ""),
       "spec.replicas: Invalid value: \"\\u003c\""},
      {"bool", Invalid(kReplicas, true, ""), "spec.replicas: Invalid value: true"},
      {"double", Invalid(kReplicas, 1e21, ""), "spec.replicas: Invalid value: 1e+21"},
      {"omitted", Duplicate(kReplicas, OmittedValue()), "spec.replicas: Duplicate value"},
      {"list", Invalid(kReplicas, JsonOf(List<String>{"a", "b"}), ""),
       "spec.replicas: Invalid value: [\"a\",\"b\"]"},
      {"no list", Invalid(kReplicas, JsonTexts({}), ""), "spec.replicas: Invalid value: null"},
      {"no JSON", Invalid(kReplicas, JsonOf(Quantity("x")), ""),
       "spec.replicas: Invalid value: null"},
      {"required", Required(kReplicas, ""), "spec.replicas: Required value"},
      {"forbidden", Forbidden(kReplicas, "why"), "spec.replicas: Forbidden: why"},
      {"not found", NotFound(kReplicas, "a"), "spec.replicas: Not found: \"a\""},
      {"type", TypeInvalid(kReplicas, "a", "b"), "spec.replicas: Invalid value: \"a\": b"},
      {"not supported", NotSupported(kReplicas, "c", {"a", "b"}),
       "spec.replicas: Unsupported value: \"c\": supported values: \"a\", \"b\""},
      {"too long", TooLong(kReplicas, 1), "spec.replicas: Too long: may not be more than 1 byte"},
      {"too short", TooShort(kReplicas, "", 2),
       "spec.replicas: Too short: must be at least 2 characters"},
      {"too many", TooMany(kReplicas, 3, 2),
       "spec.replicas: Too many: 3: must have at most 2 items"},
      {"too many unknown", TooMany(kReplicas, -1, 2),
       "spec.replicas: Too many: must have at most 2 items"},
      {"too few", TooFew(kReplicas, 0, 1), "spec.replicas: Too few: 0: must have at least 1 item"},
      {"internal", InternalError(kReplicas, "oops"), "spec.replicas: Internal error: oops"},
  };
  for (const auto& c : kCases) EXPECT_EQ(c.error.ToString(), c.text) << c.name;
}

absl::Status Validate(int replicas) {
  ErrorList errors;
  if (replicas < 0) {
    errors.push_back(Invalid(Path("spec").Child("replicas"), replicas, "must not be negative"));
  }
  return ToAggregate(errors);  // spec.replicas: Invalid value: -1: must not be negative
}

TEST(FieldError, TheErrorsOfAnObjectBecomeAStatus_AsInTheHeader) {
  EXPECT_EQ(Validate(0), absl::OkStatus());
  EXPECT_EQ(Validate(-1),
            absl::InvalidArgumentError("spec.replicas: Invalid value: -1: must not be negative"));
}

TEST(FieldError, Types) {
  EXPECT_EQ(CauseType(ErrorType::kTooShort), "FieldValueTooShort");
  EXPECT_EQ(CauseType(ErrorType::kInternal), "InternalError");
  EXPECT_EQ(CauseType(ErrorType::kTypeInvalid), "FieldValueTypeInvalid");
  std::ostringstream out;
  out << ErrorType::kNotFound << "; " << Required(kReplicas, "");
  EXPECT_EQ(out.str(), "Not found; spec.replicas: Required value");
}

TEST(ErrorList, ToAggregate) {
  EXPECT_TRUE(ToAggregate({}).ok());
  const Error a = Required(Path("a"), "");
  const Error b = Required(Path("b"), "");
  EXPECT_EQ(ToAggregate({a, a}), absl::InvalidArgumentError("a: Required value"));
  EXPECT_EQ(ToAggregate({a, b, a}),
            absl::InvalidArgumentError("[a: Required value, b: Required value]"));
}

TEST(ErrorList, FilterOutAndAppend) {
  ErrorList errors = {Required(Path("a"), ""), Forbidden(Path("b"), "")};
  Append(errors, {Required(Path("a"), ""), Forbidden(Path("b"), "")});
  const ErrorList rest =
      FilterOut(errors, [](const Error& e) { return e.type == ErrorType::kRequired; });
  EXPECT_EQ(rest, ErrorList({Forbidden(Path("b"), "")}));
}

TEST(ErrorList, WithOrigin) {
  const ErrorList errors = WithOrigin({Required(Path("a"), "")}, "required");
  EXPECT_EQ(errors.front().origin, "required");
  EXPECT_EQ(errors.front().ToString(), "a: Required value");
}

}  // namespace
}  // namespace kube::validation::field
