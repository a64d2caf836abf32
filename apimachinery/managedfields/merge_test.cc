#include "apimachinery/managedfields/merge.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/testing/sample_schemas.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

class MergeTest : public testing::Test {
 protected:
  absl::StatusOr<std::string> MergeJson(absl::string_view live, absl::string_view configuration) {
    const absl::StatusOr<Value> merged =
        Merge(*ParseJson(live), *ParseJson(configuration), *built_.schema);
    if (!merged.ok()) return merged.status();
    return EncodeJson(*merged);
  }

  const BuiltSchema built_ = *ParseSchema(kTwoKeysSchema, "root");
};

struct MergeCase {
  absl::string_view name;
  absl::string_view live;
  absl::string_view configuration;
  absl::string_view merged;
};

// Texts have their keys sorted, as EncodeJson writes them.
TEST_F(MergeTest, Merge_MapsAndScalars_ConfigurationWinsAndNothingIsRemoved) {
  for (const MergeCase& c : {
           MergeCase{"nothing live", R"({})", R"({"text":"a"})", R"({"text":"a"})"},
           {"nothing configured", R"({"text":"a"})", R"({})", R"({"text":"a"})"},
           {"null object", R"(null)", R"({"text":"a"})", R"({"text":"a"})"},
           {"scalar replaced", R"({"number":1})", R"({"number":1.5})", R"({"number":1.5})"},
           {"scalar by null", R"({"number":1})", R"({"number":null})", R"({"number":null})"},
           {"null by scalar", R"({"number":null})", R"({"number":1})", R"({"number":1})"},
           {"fields added before, between and behind", R"({"labels":{},"number":1})",
            R"({"args":["a"],"letters":["b"],"text":"c"})",
            R"({"args":["a"],"labels":{},"letters":["b"],"number":1,"text":"c"})"},
           {"keys of a map", R"({"labels":{"a":"1","b":"2"}})", R"({"labels":{"b":"3","c":"4"}})",
            R"({"labels":{"a":"1","b":"3","c":"4"}})"},
           {"struct", R"({"inner":{"text":"a"}})", R"({"inner":{"text":"b"}})",
            R"({"inner":{"text":"b"}})"},
           {"atomic map", R"({"selector":{"a":"1"}})", R"({"selector":{"b":"2"}})",
            R"({"selector":{"b":"2"}})"},
           {"atomic map by empty", R"({"selector":{"a":"1"}})", R"({"selector":{}})",
            R"({"selector":{}})"},
           {"atomic map by null", R"({"selector":{"a":"1"}})", R"({"selector":null})",
            R"({"selector":null})"},
           {"atomic list", R"({"args":["a","a"]})", R"({"args":["b"]})", R"({"args":["b"]})"},
           {"atomic list by empty", R"({"args":["a"]})", R"({"args":[]})", R"({"args":[]})"},
           {"atomic list by null", R"({"args":["a"]})", R"({"args":null})", R"({"args":null})"},
       }) {
    EXPECT_THAT(MergeJson(c.live, c.configuration), IsOkAndHolds(std::string(c.merged))) << c.name;
  }
}

TEST_F(MergeTest, Merge_NullOrEmptyOverMergedValue_ReplacesOnlyNullOrEmpty) {
  for (const MergeCase& c : {
           MergeCase{"null over map", R"({"labels":{"a":"1"}})", R"({"labels":null})",
                     R"({"labels":{"a":"1"}})"},
           {"empty over map", R"({"labels":{"a":"1"}})", R"({"labels":{}})",
            R"({"labels":{"a":"1"}})"},
           {"null over empty map", R"({"labels":{}})", R"({"labels":null})", R"({"labels":null})"},
           {"empty over null map", R"({"labels":null})", R"({"labels":{}})", R"({"labels":{}})"},
           {"map over null", R"({"labels":null})", R"({"labels":{"a":"1"}})",
            R"({"labels":{"a":"1"}})"},
           {"null over struct", R"({"inner":{"text":"a"}})", R"({"inner":null})",
            R"({"inner":{"text":"a"}})"},
           {"null over set", R"({"letters":["a"]})", R"({"letters":null})", R"({"letters":["a"]})"},
           {"empty over set", R"({"letters":["a"]})", R"({"letters":[]})", R"({"letters":["a"]})"},
           {"null over empty set", R"({"letters":[]})", R"({"letters":null})",
            R"({"letters":null})"},
           {"empty over null set", R"({"letters":null})", R"({"letters":[]})", R"({"letters":[]})"},
           {"set over null", R"({"letters":null})", R"({"letters":["a"]})", R"({"letters":["a"]})"},
       }) {
    EXPECT_THAT(MergeJson(c.live, c.configuration), IsOkAndHolds(std::string(c.merged))) << c.name;
  }
}

TEST_F(MergeTest, Merge_SchemaWithSeveralForms_FollowsTheFormOfTheConfiguration) {
  for (const MergeCase& c : {
           MergeCase{"map", R"({"anything":{"a":1,"b":{"c":2}}})", R"({"anything":{"b":{"d":3}}})",
                     R"({"anything":{"a":1,"b":{"c":2,"d":3}}})"},
           {"list", R"({"anything":[1,2]})", R"({"anything":[2]})", R"({"anything":[2]})"},
           {"scalar over map", R"({"anything":{"a":1}})", R"({"anything":2})", R"({"anything":2})"},
           {"list over map", R"({"anything":{"a":1}})", R"({"anything":[2]})",
            R"({"anything":[2]})"},
           {"map over scalar", R"({"anything":1})", R"({"anything":{"a":2}})",
            R"({"anything":{"a":2}})"},
           {"empty map over list", R"({"anything":[1]})", R"({"anything":{}})",
            R"({"anything":{}})"},
           {"null over list", R"({"anything":[1]})", R"({"anything":null})",
            R"({"anything":null})"},
           {"null over scalar", R"({"anything":1})", R"({"anything":null})",
            R"({"anything":null})"},
           {"null over map", R"({"anything":{"a":1}})", R"({"anything":null})",
            R"({"anything":{"a":1}})"},
       }) {
    EXPECT_THAT(MergeJson(c.live, c.configuration), IsOkAndHolds(std::string(c.merged))) << c.name;
  }
}

// Each letter is an item.
TEST_F(MergeTest, Merge_Sets_SharedItemsFollowTheConfigurationAndOthersKeepTheirPlaces) {
  struct Row {
    absl::string_view live;
    absl::string_view configuration;
    absl::string_view merged;
  };
  const auto json = [](absl::string_view letters) {
    std::string text = R"({"letters":[)";
    for (const char letter : letters) {
      if (text.back() != '[') text += ',';
      text += {'"', letter, '"'};
    }
    return text + "]}";
  };
  for (const Row& row : {
           Row{"abc", "ab", "abc"},
           {"ab", "abc", "abc"},
           {"ab", "ba", "ba"},
           {"abc", "def", "abcdef"},
           {"ab", "cb", "acb"},
           {"abc", "cxa", "bcxa"},
           {"cagf", "cfag", "cfag"},
           {"abcd", "defa", "bcdefa"},
           {"abcde", "edx", "abcedx"},
           {"pqrs", "srq", "psrq"},
           {"abcxyz", "x", "abcxyz"},
           // The live list has an item several times.
           {"abb", "c", "abbc"},
           {"abb", "b", "ab"},
           {"abb", "a", "abb"},
           {"aabb", "bcd", "aabcd"},
           {"abcdec", "1b2ed", "a1bc2ecd"},
           {"abcabc", "ca", "bcab"},
       }) {
    EXPECT_THAT(MergeJson(json(row.live), json(row.configuration)), IsOkAndHolds(json(row.merged)))
        << row.live << " " << row.configuration;
  }
}

TEST_F(MergeTest, Merge_ListsWithKeys_MergesItemsOfEqualKeys) {
  for (const MergeCase& c : {
           MergeCase{"item merged", R"({"ports":[{"host":"h","name":"a","port":1}]})",
                     R"({"ports":[{"labels":{"x":"y"},"name":"a","port":1}]})",
                     R"({"ports":[{"host":"h","labels":{"x":"y"},"name":"a","port":1}]})"},
           {"all keys count", R"({"ports":[{"name":"a","port":1}]})",
            R"({"ports":[{"name":"a","port":2}]})",
            R"({"ports":[{"name":"a","port":1},{"name":"a","port":2}]})"},
           {"a key that is absent is another one", R"({"ports":[{"name":"a","port":1}]})",
            R"({"ports":[{"name":"a"}]})", R"({"ports":[{"name":"a","port":1},{"name":"a"}]})"},
           {"numbers compared by value", R"({"ports":[{"host":"h","name":"a","port":1}]})",
            R"({"ports":[{"name":"a","port":1.0}]})",
            R"({"ports":[{"host":"h","name":"a","port":1}]})"},
           {"set of numbers", R"({"numbers":[1,2.5]})", R"({"numbers":[2.5,1.0,3]})",
            R"({"numbers":[2.5,1,3]})"},
           {"list within an item", R"({"ports":[{"letters":["a","b"],"name":"a"}]})",
            R"({"ports":[{"letters":["c","b"],"name":"a"}]})",
            R"({"ports":[{"letters":["a","c","b"],"name":"a"}]})"},
           {"several live items of one key are replaced by one",
            R"({"ports":[{"host":"h","name":"a"},{"name":"b"},{"host":"i","name":"a"}]})",
            R"({"ports":[{"labels":{"x":"y"},"name":"a"},{"name":"c"}]})",
            R"({"ports":[{"labels":{"x":"y"},"name":"a"},{"name":"b"},{"name":"c"}]})"},
           {"several live items of another key stay",
            R"({"ports":[{"host":"h","name":"a"},{"host":"i","name":"a"}]})",
            R"({"ports":[{"name":"b"}]})",
            R"({"ports":[{"host":"h","name":"a"},{"host":"i","name":"a"},{"name":"b"}]})"},
       }) {
    EXPECT_THAT(MergeJson(c.live, c.configuration), IsOkAndHolds(std::string(c.merged))) << c.name;
  }
}

TEST_F(MergeTest, Merge_ItemsThatCannotBeToldApart_IsInvalidArgument) {
  for (const MergeCase& c : {
           MergeCase{"duplicate", R"({"letters":["a"]})", R"({"letters":["b","b"]})",
                     R"(.letters: duplicate entries for key [="b"])"},
           {"no key", R"({"ports":[{"name":"a"}]})", R"({"ports":[{"name":"a"},{"host":"h"}]})",
            ".ports: element 1: associative list with keys has an element that omits all key "
            R"(fields ["name" "port"] (and doesn't have default values for any key fields))"},
           {"null in a live list", R"({"ports":[null]})", R"({"ports":[{"name":"a"}]})",
            ".ports: element 0: associative list with keys may not have a null element"},
           {"within an item", R"({"ports":[{"letters":["a"],"name":"a"}]})",
            R"({"ports":[{"letters":["b","b"],"name":"a"}]})",
            R"(.ports[name="a"].letters: duplicate entries for key [="b"])"},
           {"several", R"({"letters":["a"],"numbers":[1]})",
            R"({"letters":["b","b"],"numbers":[2,2]})",
            "errors:\n  .letters: duplicate entries for key [=\"b\"]\n"
            "  .numbers: duplicate entries for key [=2]"},
           {"undeclared field", R"({"unknown":1})", R"({"unknown":2})",
            ".unknown: schema error: invalid atom: inlined"},
       }) {
    EXPECT_THAT(MergeJson(c.live, c.configuration),
                StatusIs(absl::StatusCode::kInvalidArgument, std::string(c.merged)))
        << c.name;
  }
}

}  // namespace
}  // namespace kube::managedfields
