#include "apimachinery/base/status.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

constexpr char kUrl[] = "kubernetes.io/metav1.Status";

absl::Status NotFound() {
  absl::Status status = absl::NotFoundError("no such pod");
  status.SetPayload(kUrl, absl::Cord("details"));
  status.SetPayload("other", absl::Cord("more"));
  return status;
}

TEST(Annotate, PrefixesAndKeepsCodeAndPayloads) {
  const absl::Status annotated = Annotate(NotFound(), "get pods \"web-0\" in \"prod\"");
  const absl::Status copy = annotated;
  EXPECT_THAT(copy,
              StatusIs(absl::StatusCode::kNotFound, "get pods \"web-0\" in \"prod\": no such pod"));
  EXPECT_EQ(copy.GetPayload(kUrl), absl::Cord("details"));
  EXPECT_EQ(copy.GetPayload("other"), absl::Cord("more"));
  EXPECT_EQ(Annotate(copy, "sync").GetPayload(kUrl), absl::Cord("details"));
}

TEST(Annotate, LeavesTheOriginalAlone) {
  const absl::Status status = NotFound();
  Annotate(status, "get").IgnoreError();
  EXPECT_EQ(status, NotFound());
}

TEST(Annotate, Annotate_OkOrEmptyText_AddsNothing) {
  EXPECT_THAT(Annotate(absl::OkStatus(), "get"), IsOk());
  EXPECT_EQ(Annotate(NotFound(), ""), NotFound());
  EXPECT_THAT(Annotate(absl::Status(absl::StatusCode::kAborted, ""), "get"),
              StatusIs(absl::StatusCode::kAborted, "get"));
}

TEST(JoinErrors, JoinErrors_SeveralErrors_JoinsThemAsNewAggregate) {
  const absl::Status a = absl::InternalError("a");
  const absl::Status b = absl::InternalError("b");
  const absl::Status other = absl::NotFoundError("c");
  const absl::Status other_a = absl::NotFoundError("a");
  const struct {
    const char* name;
    std::vector<absl::Status> errors;
    absl::Status want;
  } kRows[] = {
      {"nothing", {}, absl::OkStatus()},
      {"nothing but OK", {absl::OkStatus(), absl::OkStatus()}, absl::OkStatus()},
      {"one keeps its payloads", {absl::OkStatus(), NotFound()}, NotFound()},
      {"two of one code", {a, absl::OkStatus(), b}, absl::InternalError("[a, b]")},
      {"two codes", {a, other}, absl::UnknownError("[a, c]")},
      {"the same twice", {NotFound(), NotFound()}, NotFound()},
      {"duplicates among others", {a, b, a, b}, absl::InternalError("[a, b]")},
      {"one message, two codes", {a, other_a}, absl::UnknownError("a")},
      {"joined errors nest", {JoinErrors({a, b}), other}, absl::UnknownError("[[a, b], c]")},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(JoinErrors(row.errors), row.want);
  }
}

// ---- KUBE_RETURN_IF_ERROR

absl::Status Forward(const absl::Status& status) {
  KUBE_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

absl::Status ForwardWithContext(const absl::Status& status, int* evaluated) {
  KUBE_RETURN_IF_ERROR(status, "step ", ++*evaluated);
  return absl::OkStatus();
}

absl::Status FromStatusOr(absl::StatusOr<std::unique_ptr<int>> result) {
  KUBE_RETURN_IF_ERROR(std::move(result), "get");
  return absl::OkStatus();
}

absl::Status Nested(const absl::Status& inner, const absl::Status& outer) {
  KUBE_RETURN_IF_ERROR(
      [&]() -> absl::Status {
        KUBE_RETURN_IF_ERROR(inner, "inner");
        return outer;
      }(),
      "outer");
  return absl::OkStatus();
}

TEST(ReturnIfError, PassesOrReturns) {
  EXPECT_THAT(Forward(absl::OkStatus()), IsOk());
  EXPECT_EQ(Forward(NotFound()), NotFound());
  int evaluated = 0;
  EXPECT_THAT(ForwardWithContext(absl::OkStatus(), &evaluated), IsOk());
  EXPECT_EQ(evaluated, 0);
  EXPECT_EQ(ForwardWithContext(NotFound(), &evaluated), Annotate(NotFound(), "step 1"));
  EXPECT_THAT(FromStatusOr(std::make_unique<int>(1)), IsOk());
  EXPECT_EQ(FromStatusOr(NotFound()), Annotate(NotFound(), "get"));
}

TEST(ReturnIfError, ReturnIfError_Nested_AnnotatesFromInnerToOuter) {
  EXPECT_THAT(Nested(absl::OkStatus(), absl::OkStatus()), IsOk());
  EXPECT_THAT(Nested(absl::InternalError("x"), absl::OkStatus()),
              StatusIs(absl::StatusCode::kInternal, "outer: inner: x"));
  EXPECT_THAT(Nested(absl::OkStatus(), absl::InternalError("y")),
              StatusIs(absl::StatusCode::kInternal, "outer: y"));
}

// ---- KUBE_ASSIGN_OR_RETURN

absl::StatusOr<int> Twice(const absl::StatusOr<int>& value) {
  KUBE_ASSIGN_OR_RETURN(const int once, value);
  return once * 2;
}

absl::StatusOr<std::string> Two(absl::StatusOr<std::unique_ptr<int>> first,
                                const absl::StatusOr<std::string>& second) {
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<int> number, std::move(first), "first ", 1);
  std::string text = "old";
  KUBE_ASSIGN_OR_RETURN(text, second, "second");
  return absl::StrCat(*number, text);
}

std::optional<int> g_seen;
absl::Status IntoGlobal(const absl::StatusOr<int>& value) {
  KUBE_ASSIGN_OR_RETURN(g_seen, value);
  return absl::OkStatus();
}

TEST(AssignOrReturn, AssignsOrReturns) {
  EXPECT_THAT(Twice(3), IsOkAndHolds(6));
  EXPECT_EQ(Twice(NotFound()).status(), NotFound());
  EXPECT_THAT(Two(std::make_unique<int>(1), "b"), IsOkAndHolds("1b"));
  EXPECT_EQ(Two(NotFound(), "b").status(), Annotate(NotFound(), "first 1"));
  EXPECT_EQ(Two(std::make_unique<int>(1), NotFound()).status(), Annotate(NotFound(), "second"));
  EXPECT_THAT(IntoGlobal(4), IsOk());
  EXPECT_EQ(g_seen, 4);
  EXPECT_EQ(IntoGlobal(NotFound()), NotFound());
  EXPECT_EQ(g_seen, 4);
}

TEST(AssignOrReturn, AnLvalueIsLeftAlone) {
  const absl::StatusOr<std::string> kept =
      "a text that is too long for the small buffer of a string";
  EXPECT_THAT(Two(std::make_unique<int>(1), kept), IsOk());
  EXPECT_THAT(kept, IsOkAndHolds("a text that is too long for the small buffer of a string"));
}

// ---- The examples of the header

absl::StatusOr<std::string> Send(absl::string_view name) {
  if (name != "web-0") return absl::UnavailableError("connection refused");
  return "{}";
}

absl::StatusOr<std::string> Decode(const std::string& body) { return absl::StrCat("pod ", body); }

absl::StatusOr<std::string> GetPod(const Context& ctx, absl::string_view name) {
  KUBE_RETURN_IF_ERROR(ctx.status());
  KUBE_ASSIGN_OR_RETURN(std::string body, Send(name), "get pods \"", name, "\"");
  return Decode(body);
}

TEST(StatusMacros, ReturnErrorsWithTheirContext_AsInTheHeader) {
  EXPECT_THAT(GetPod(Context(), "web-0"), IsOkAndHolds("pod {}"));
  EXPECT_THAT(GetPod(Context(), "web-1"),
              StatusIs(absl::StatusCode::kUnavailable, "get pods \"web-1\": connection refused"));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(GetPod(scope.context(), "web-0"), StatusIs(absl::StatusCode::kCancelled));
}

absl::StatusOr<std::string> ReadToken() { return "hunter2"; }

absl::Status Save(const std::string& token, const std::string& path) {
  return token.empty() || path == "/" ? absl::PermissionDeniedError("denied") : absl::OkStatus();
}

absl::Status CopyToken(const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(std::string token, ReadToken(), "read token");
  KUBE_RETURN_IF_ERROR(Save(token, path), "save token to ", path);
  return absl::OkStatus();
}

TEST(StatusMacros, JoinThePiecesOfTheContext_AsInTheHeader) {
  EXPECT_THAT(CopyToken("/tmp/token"), IsOk());
  EXPECT_THAT(CopyToken("/"),
              StatusIs(absl::StatusCode::kPermissionDenied, "save token to /: denied"));
}

}  // namespace
}  // namespace kube::base
