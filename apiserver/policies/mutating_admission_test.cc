#include "apiserver/policies/mutating_admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using testing::HasSubstr;
using testing::NotNull;
using unstructured::Value;

// Returns the members of a spec whose only mutation is this one.
std::string Merges(absl::string_view expression, absl::string_view reinvocation = "Never") {
  return absl::StrCat(
      R"("reinvocationPolicy":")", reinvocation,
      R"(","mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":")",
      expression, "\"}}]");
}

// Does the same for one that is a list of JSON patches.
std::string Patches(absl::string_view expression) {
  return absl::StrCat(R"("reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch",)",
                      R"("jsonPatch":{"expression":")", expression, "\"}}]");
}

class MutatingAdmissionTest : public testing::Test {
 protected:
  MutatingAdmissionTest() : resources_(Resources::BuiltIn()) {}

  void SetUp() override {
    EXPECT_THAT(
        storage_.Create("/namespaces", "default",
                        ObjectOfJson("v1", "Namespace", R"({"metadata":{"name":"default"}})")),
        IsOk());
  }

  std::unique_ptr<MutatingAdmission> Admission() {
    PolicySource source(storage_, PolicyKind::kMutating);
    std::shared_ptr<const PolicySet> policies = source.For(creation_.info(), resources_);
    EXPECT_THAT(policies, NotNull());
    return std::make_unique<MutatingAdmission>(MutatingAdmission::Parts{
        .policies = std::move(policies),
        .authorize = [](const User&, const RequestInfo&) { return Decision(); },
        .storage = &storage_});
  }

  // Returns a member of the config map's data.
  std::string Data(absl::string_view name) const {
    const absl::StatusOr<Value> value = creation_.object().ToValue();
    EXPECT_THAT(value, IsOk());
    return std::string((*value)["data"][name].text().value_or(""));
  }

  const Resources resources_;
  Storage storage_;
  ConfigMapCreation creation_{resources_, R"({"metadata":{"name":"m"},"data":{"x":"1"}})"};
};

TEST_F(MutatingAdmissionTest, EachSeesWhatWasMadeBefore) {
  StoreMutatingPolicy(storage_, "b", Merges("Object{data: {'z': object.data.y + '3'}}"));
  StoreMutatingPolicy(storage_, "a", Merges("Object{data: {'y': object.data.x + '2'}}"));
  EXPECT_THAT(Admission()->Mutate(creation_.question(), /*again=*/false), IsOkAndHolds(true));
  EXPECT_EQ(Data("x"), "1");
  EXPECT_EQ(Data("y"), "12");
  EXPECT_EQ(Data("z"), "123");
}

TEST_F(MutatingAdmissionTest, TheSecondRoundIsForThoseThatWishIt) {
  constexpr char kCounts[] = "Object{data: {'n': object.data.?n.orValue('') + '+'}}";
  StoreMutatingPolicy(storage_, "a", Merges(kCounts, "IfNeeded"));
  StoreMutatingPolicy(storage_, "b",
                      Merges("Object{data: {'y': object.data.?y.orValue('') + '-'}}"));
  const std::unique_ptr<MutatingAdmission> admission = Admission();
  EXPECT_THAT(admission->Mutate(creation_.question(), /*again=*/false), IsOkAndHolds(true));
  EXPECT_THAT(admission->Mutate(creation_.question(), /*again=*/true), IsOkAndHolds(true));
  EXPECT_EQ(Data("n"), "++");
  EXPECT_EQ(Data("y"), "-");
}

TEST_F(MutatingAdmissionTest, ConditionsDecide) {
  StoreMutatingPolicy(
      storage_, "a",
      absl::StrCat(R"("matchConditions":[{"name":"c","expression":"object.data.x == '2'"}],)",
                   Merges("Object{data: {'y': '1'}}")));
  EXPECT_THAT(Admission()->Mutate(creation_.question(), /*again=*/false), IsOkAndHolds(false));
  EXPECT_EQ(Data("y"), "");
}

TEST_F(MutatingAdmissionTest, TheFirstErrorIsTheMessage) {
  StoreMutatingPolicy(storage_, "a", Merges("Object{none: 1}"));
  StoreMutatingPolicy(storage_, "b", Merges("Object{data: {'y': object.data.none}}"));
  const absl::StatusOr<bool> mutated = Admission()->Mutate(creation_.question(), /*again=*/false);
  EXPECT_THAT(std::string(mutated.status().message()),
              HasSubstr("policy 'a' with binding 'a' denied request: error applying patch: "));
}

TEST_F(MutatingAdmissionTest, AConfigurationThatMakesNoObject_IsAnErrorOfThePolicy) {
  constexpr char kWrong[] = "Object{metadata: Object.metadata{creationTimestamp: 'never'}}";
  StoreMutatingPolicy(storage_, "a", absl::StrCat(R"("failurePolicy":"Ignore",)", Merges(kWrong)));
  EXPECT_THAT(Admission()->Mutate(creation_.question(), /*again=*/false), IsOkAndHolds(false));
  StoreMutatingPolicy(storage_, "b", Merges(kWrong));
  EXPECT_THAT(
      std::string(Admission()->Mutate(creation_.question(), /*again=*/false).status().message()),
      HasSubstr("policy 'b' with binding 'b' denied request: error applying patch: failed to "
                "convert typed object to object: "));
}

TEST_F(MutatingAdmissionTest, APatchThatAddsAnUnknownField_IsAnErrorOfTheServer) {
  StoreMutatingPolicy(storage_, "a",
                      absl::StrCat(R"("failurePolicy":"Ignore",)",
                                   Patches("[JSONPatch{op: 'add', path: '/bogus', value: 'x'}]")));
  EXPECT_THAT(
      std::string(Admission()->Mutate(creation_.question(), /*again=*/false).status().message()),
      HasSubstr("strict decoding error: unknown field \"bogus\""));
}

TEST_F(MutatingAdmissionTest, UnknownParametersAreErrorsOfThePolicy) {
  StoreMutatingPolicy(
      storage_, "a",
      absl::StrCat(R"("paramKind":{"apiVersion":"v1","kind":"None"},)", Merges("Object{}")));
  EXPECT_EQ(Admission()->Mutate(creation_.question(), /*again=*/false).status().message(),
            "policy \"a\" denied request: failed to configure policy: failed to find resource "
            "referenced by paramKind: '/v1, Kind=None'");
}

}  // namespace
}  // namespace kube::apiserver::internal
