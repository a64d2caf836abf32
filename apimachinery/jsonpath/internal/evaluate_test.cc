#include "apimachinery/jsonpath/internal/evaluate.h"

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::jsonpath::internal {
namespace {

using unstructured::Value;

const SliceNode kSecond = {.begin = {.known = true, .value = 1},
                           .end = {.known = true, .value = 2},
                           .step = {},
                           .single = true};

// A filter takes whatever comes with an error for existence: an element that is not there exists,
// a member that is not there does not.
TEST(EvaluateTest, WhatComesWithAnError) {
  const Value list = List<Value>{1};
  const Outcome element = Evaluate({&list}, Nodes{{kSecond}}, false);
  EXPECT_THAT(element.status, base::StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(element.values, Values{&list});
  const Value object = Map<Value>{{"a", 1}};
  const Outcome member = Evaluate({&object}, Nodes{{FieldNode{"b"}}}, false);
  EXPECT_THAT(member.status, base::StatusIs(absl::StatusCode::kNotFound));
  EXPECT_TRUE(member.values.empty());
}

TEST(EvaluateTest, MembersOfSome) {
  const Value a = Map<Value>{{"a", 1}};
  const Value b = Map<Value>{{"b", 2}};
  const Value null;
  const Outcome outcome = Evaluate({&a, &b, &null}, Nodes{{FieldNode{"b"}}}, false);
  EXPECT_THAT(outcome.status, base::IsOk());
  EXPECT_EQ(outcome.values, Values{b.Find("b")});
}

TEST(EvaluateTest, NothingLeadsToNothing) {
  const Outcome outcome = Evaluate({}, Nodes{{FieldNode{"a"}}, {kSecond}, {WildcardNode()}}, false);
  EXPECT_THAT(outcome.status, base::IsOk());
  EXPECT_TRUE(outcome.values.empty());
}

}  // namespace
}  // namespace kube::jsonpath::internal
