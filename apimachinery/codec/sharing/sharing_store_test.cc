// Objects that share values equal those decoded without a store.
#include "apimachinery/codec/sharing/sharing_store.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace metav1 = kube::kitchen::base::v1;
namespace sink = kube::kitchen::sink::v1;
using codec::Encoding;
using internal::SampleObject;
using kube::table::Message;

constexpr uint64_t kSeed = 4711;
constexpr Encoding kEncodings[] = {Encoding::kJson, Encoding::kProtobuf};

// Long enough to be shared.
constexpr absl::string_view kLong = "a text of more than thirty-two bytes";

std::string Encode(const char* object, const Message& message, Encoding encoding) {
  std::string bytes;
  const absl::Status status = encoding == Encoding::kJson ? AppendJson(bytes, object, message)
                                                          : AppendProtobuf(bytes, object, message);
  EXPECT_TRUE(status.ok()) << status;
  return bytes;
}

template <typename T>
std::string Encode(const T& object, Encoding encoding) {
  return Encode(reinterpret_cast<const char*>(&object), T::kMessage, encoding);
}

template <typename T>
std::shared_ptr<const T> Decode(SharedDecoder& decoder, Encoding encoding,
                                absl::string_view bytes) {
  const PaddedBuffer buffer(bytes);
  absl::StatusOr<std::shared_ptr<const T>> object = encoding == Encoding::kJson
                                                        ? decoder.DecodeJson<T>(buffer)
                                                        : decoder.DecodeProtobuf<T>(buffer);
  EXPECT_TRUE(object.ok()) << object.status();
  return object.ok() ? *object : nullptr;
}

// Returns an object with one value to share, and a name.
metav1::ObjectMeta WithLabels(absl::string_view label, absl::string_view name) {
  metav1::ObjectMeta meta;
  meta.name = name;
  meta.labels = {{"app", label}};
  return meta;
}

// ---- values in the store

TEST(SharingStoreTest, KeepsAValueFromItsSecondSightingOn) {
  for (const Encoding encoding : kEncodings) {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
    const auto decode = [&](int i) {
      objects.push_back(Decode<metav1::ObjectMeta>(
          decoder, encoding, Encode(WithLabels(kLong, absl::StrCat("n", i)), encoding)));
      return store.statistics();
    };
    SharingStatistics statistics = decode(0);
    EXPECT_EQ(statistics.values, 0);
    EXPECT_EQ(statistics.lookups, 2) << "the labels, and the text in them";
    statistics = decode(1);
    EXPECT_EQ(statistics.values, 1) << "the labels";
    EXPECT_EQ(statistics.added, 1);
    EXPECT_EQ(statistics.hits, 0);
    const size_t bytes = statistics.bytes;
    EXPECT_GT(bytes, kLong.size());
    statistics = decode(2);
    EXPECT_EQ(statistics.values, 1);
    EXPECT_EQ(statistics.hits, 1);
    EXPECT_EQ(statistics.lookups, 4);
    EXPECT_EQ(statistics.bytes, bytes);
    EXPECT_NE(objects[0]->labels.find("app")->data(), objects[1]->labels.find("app")->data());
    EXPECT_EQ(objects[1]->labels.find("app")->data(), objects[2]->labels.find("app")->data());
    EXPECT_EQ(*objects[2], WithLabels(kLong, "n2"));
    objects.clear();
    store.Sweep();
    statistics = store.statistics();
    EXPECT_EQ(statistics.values, 0);
    EXPECT_EQ(statistics.bytes, 0);
    EXPECT_EQ(statistics.swept, 1);
    EXPECT_EQ(statistics.sweeps, 1);
  }
}

TEST(SharingStoreTest, CountsTheBytesOfStrings) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const std::string json = R"({"name":"a text of twenty-five byt"})";  // a node of 16, and 32
  const auto first = Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json);
  const auto second = Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json);
  EXPECT_EQ(store.statistics().values, 1);
  EXPECT_EQ(store.statistics().bytes, 48);
}

// Values whose neighbours differ from object to object: a list is longer or shorter than the last
// time, or another field follows.
TEST(SharingStoreTest, WhatWasNextTheLastTimeNeedNotBe) {
  const auto with = [](std::vector<absl::string_view> finalizers, absl::string_view owner) {
    metav1::ObjectMeta meta = WithLabels(kLong, "n");
    for (absl::string_view name : finalizers) meta.finalizers.push_back(name);
    if (!owner.empty()) meta.owner_references.push_back({.name = owner});
    return meta;
  };
  const std::string a = absl::StrCat("a/", kLong);
  const std::string b = absl::StrCat("b/", kLong);
  const metav1::ObjectMeta objects[] = {with({a, b}, a), with({a, b, a}, a), with({a}, b),
                                        with({}, a),     with({a, b}, ""),   with({b, a}, b)};
  for (const Encoding encoding : kEncodings) {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    for (int i = 0; i < 100; ++i) {
      const metav1::ObjectMeta& object = objects[i * 7 % 13 % std::size(objects)];
      EXPECT_EQ(*Decode<metav1::ObjectMeta>(decoder, encoding, Encode(object, encoding)), object);
      if (i % 20 == 19) store.Sweep();
    }
    EXPECT_GT(store.statistics().hits, 100);
  }
}

// Strings in a list that grows while it is decoded, and in a field that occurs twice.
TEST(SharingStoreTest, TextsAreSharedWhereTheyEndUp) {
  std::string texts;
  for (int i = 0; i < 3; ++i) absl::StrAppend(&texts, "\"", i, "/", kLong, "\",");
  SharingStore store;
  SharedDecoder decoder({}, &store);
  std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
  for (int i = 0; i < 4; ++i) {
    // Each list has an element of its own; otherwise the whole list would be shared.
    const std::string json =
        absl::StrCat(R"({"finalizers":[)", texts, R"("only )", i, R"("],)", R"("name":"first, )",
                     kLong, R"(","name":")", kLong, R"(","generateName":")", kLong, R"("})");
    objects.push_back(Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json));
    const metav1::ObjectMeta& meta = *objects.back();
    ASSERT_EQ(meta.finalizers.size(), 4);
    EXPECT_EQ(meta.finalizers[2], absl::StrCat("2/", kLong));
    EXPECT_EQ(meta.finalizers[3], absl::StrCat("only ", i));
    EXPECT_EQ(meta.name, kLong);
    EXPECT_EQ(meta.generate_name, kLong);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(objects[0]->finalizers[i].data(), objects[3]->finalizers[i].data());
    EXPECT_EQ(objects[2]->finalizers[i].data(), objects[3]->finalizers[i].data());
  }
  EXPECT_EQ(objects[2]->name.data(), objects[3]->generate_name.data());
}

// An object has one reference to a value that it uses in several places. This holds also after the
// numbers of objects start again: if an object took the reference of an earlier one with the same
// number for its own, its value would be freed too early.
TEST(SharingStoreTest, CountsObjectsAnew) {
  const std::string json =
      absl::StrCat(R"({"name":")", kLong, R"(","generateName":")", kLong, "\"}");
  const PaddedBuffer other(R"({"generation":1})");
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const auto decode = [&] { return Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json); };
  auto first = decode();  // number 1; its second name is a second sighting
  ASSERT_EQ(store.statistics().values, 1);
  // All numbers up to the last one, 2^18 - 1.
  for (int i = 2; i < 1 << 18; ++i) {
    ASSERT_TRUE(decoder.DecodeJson<metav1::ObjectMeta>(other).ok());
  }
  auto second = decode();  // number 1 again
  first = nullptr;
  store.Sweep();
  EXPECT_EQ(store.statistics().values, 1);
  EXPECT_EQ(second->name.data(), second->generate_name.data());
  EXPECT_EQ(second->name, kLong);
  second = nullptr;
  store.Sweep();
  EXPECT_EQ(store.statistics().values, 0);
}

TEST(SharingStoreTest, SharesKeysOfMaps) {
  for (const Encoding encoding : kEncodings) {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
    for (int i = 0; i < 3; ++i) {
      metav1::ObjectMeta meta;
      meta.annotations = {{"example.com/a-longer-key", absl::StrCat(i)}};
      objects.push_back(Decode<metav1::ObjectMeta>(decoder, encoding, Encode(meta, encoding)));
      EXPECT_EQ(*objects.back(), meta);
    }
    EXPECT_EQ(objects[1]->annotations.begin()->key.data(),
              objects[2]->annotations.begin()->key.data());
  }
}

TEST(SharingStoreTest, StopsLookingWhereNothingRepeatsAndNoticesWhenItDoes) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const auto lookups_of = [&](int count, auto name) {
    const uint64_t before = store.statistics().lookups;
    for (int i = 0; i < count; ++i) {
      const std::string json =
          absl::StrCat(R"({"name":"a name that is long enough )", name(i), "\"}");
      Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json);
    }
    return store.statistics().lookups - before;
  };
  EXPECT_EQ(lookups_of(256, [](int i) { return i; }), 256) << "tried at first";
  EXPECT_EQ(lookups_of(3200, [](int i) { return 1000 + i; }), 100) << "one in 32";
  lookups_of(5000, [](int) { return 7; });
  EXPECT_EQ(lookups_of(320, [](int) { return 7; }), 320) << "worthwhile again";
}

TEST(SharingStoreTest, KeepsToItsBound) {
  SharingStore store({.max_bytes = 4096});
  SharedDecoder decoder({}, &store);
  std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
  const auto decode = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      for (int twice = 0; twice < 2; ++twice) {
        const metav1::ObjectMeta meta = WithLabels(absl::StrCat(kLong, i), "n");
        objects.push_back(Decode<metav1::ObjectMeta>(decoder, Encoding::kProtobuf,
                                                     Encode(meta, Encoding::kProtobuf)));
        EXPECT_EQ(*objects.back(), meta);
        EXPECT_LE(store.statistics().bytes, 4096);
      }
    }
  };
  decode(0, 100);
  const SharingStatistics full = store.statistics();
  EXPECT_GT(full.values, 10);
  EXPECT_LT(full.values, 100);
  EXPECT_GT(full.not_added, 0);
  objects.clear();
  decode(100, 200);
  EXPECT_GT(store.statistics().swept, 0) << "what nobody has makes room";
  EXPECT_GT(store.statistics().added, full.added);
}

TEST(SharingStoreTest, SweepsByItself) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  for (int i = 0; i < 10000; ++i) {
    for (int twice = 0; twice < 2; ++twice) {
      const metav1::ObjectMeta meta = WithLabels(absl::StrCat(kLong, i), "n");
      Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, Encode(meta, Encoding::kJson));
    }
  }
  const SharingStatistics statistics = store.statistics();
  EXPECT_GT(statistics.added, 5000);
  EXPECT_GT(statistics.sweeps, 0);
  EXPECT_LT(statistics.bytes, size_t{600} << 10) << "nobody has them";
  EXPECT_EQ(statistics.values, statistics.added - statistics.swept);
}

// ---- values that must not be shared

TEST(SharingStoreTest, WhatWasFoundLastIsNoOtherValue) {
  for (const Encoding encoding : kEncodings) {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    const std::string longer = absl::StrCat(kLong, ", and more");
    for (int i = 0; i < 4; ++i) {
      // The values begin with the same bytes.
      for (const absl::string_view name : {kLong, absl::string_view(longer)}) {
        metav1::ObjectMeta meta;
        meta.name = name;
        meta.finalizers = {kLong};
        if (name != kLong) meta.finalizers = {kLong, "b"};
        EXPECT_EQ(*Decode<metav1::ObjectMeta>(decoder, encoding, Encode(meta, encoding)), meta);
      }
      if (i == 2) store.Sweep();  // no object has the values: the last hits are removed
    }
    EXPECT_GT(store.statistics().hits, 0);
    EXPECT_GT(store.statistics().swept, 0);
  }
}

TEST(SharingStoreTest, JsonThatIsKeptAsItIsIsCheckedOnce) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const auto read = [&](absl::string_view raw, absl::string_view type = "t") {
    const PaddedBuffer json(
        absl::StrCat(R"({"managedFields":[{"fieldsType":")", type, R"(","fieldsV1":)", raw, "}]}"));
    return decoder.DecodeJson<metav1::ObjectMeta>(json);
  };
  const std::string raw = R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}}})";
  std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
  for (int i = 0; i < 4; ++i) {
    // The list differs each time, so only the text in it can be shared.
    const auto object = read(raw, absl::StrCat("t", i));
    ASSERT_TRUE(object.ok()) << object.status();
    EXPECT_EQ((*object)->managed_fields[0].fields_v1->view(), raw);
    objects.push_back(*object);
  }
  EXPECT_EQ(objects[2]->managed_fields[0].fields_v1->view().data(),
            objects[3]->managed_fields[0].fields_v1->view().data());
  // Text that is not JSON fails every time, even if an equal string is in the store.
  const absl::string_view broken = "[1,2,3,4,5,6,7,8,9,10,11,12,,13,14,15]";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(read("{}", broken).ok());
  for (const absl::string_view text :
       {broken, absl::string_view(R"({"f:metadata":{"f:labels" {".":{},"f:app":{}}}})")}) {
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(read(text).ok()) << text;
  }
  EXPECT_TRUE(read(raw).ok());
}

TEST(SharingStoreTest, KindsOfValuesDoNotMix) {
  const Projection no_command = *Projection::Make<sink::Sink>({.drop = {"metadata.labels[app]"}});
  const metav1::ObjectMeta meta = [] {
    metav1::ObjectMeta result = WithLabels(kLong, "n");
    result.annotations = result.labels;
    return result;
  }();
  sink::Sink object;
  object.metadata = meta;
  SharingStore store;
  SharedDecoder whole({}, &store);
  SharedDecoder projected({.projection = &no_command}, &store);
  std::vector<std::shared_ptr<const sink::Sink>> objects;
  for (int i = 0; i < 4; ++i) {
    for (const Encoding encoding : kEncodings) {
      const std::string bytes = Encode(object, encoding);
      objects.push_back(Decode<sink::Sink>(whole, encoding, bytes));
      EXPECT_EQ(*objects.back(), object);
      objects.push_back(Decode<sink::Sink>(projected, encoding, bytes));
      EXPECT_TRUE(objects.back()->metadata.labels.empty());
      EXPECT_EQ(objects.back()->metadata.annotations, meta.annotations);
    }
  }
}

TEST(SharingStoreTest, ADuplicateDoesNotChangeWhatIsShared) {
  struct Case {
    absl::string_view name;
    absl::string_view first;   // JSON that is shared
    absl::string_view second;  // the same JSON with the field once more
  };
  const std::vector<Case> cases = {
      {"map", R"({"labels":{"a":"aaaaaaaaaaaaaaaaaaaa","b":"bbbbbbbbbbbbbbbbbbbb"}})",
       R"({"labels":{"a":"aaaaaaaaaaaaaaaaaaaa","b":"bbbbbbbbbbbbbbbbbbbb"},"labels":{"a":"x","0":"y"}})"},
      {"list, shorter",
       R"({"ownerReferences":[{"name":"aaaaaaaaaaaaaaaaaaaa","kind":"A"},{"name":"b","kind":"B"}]})",
       R"({"ownerReferences":[{"name":"aaaaaaaaaaaaaaaaaaaa","kind":"A"},{"name":"b","kind":"B"}],)"
       R"("ownerReferences":[{"kind":"C"}]})"},
      {"list, longer", R"({"ownerReferences":[{"name":"aaaaaaaaaaaaaaaaaaaa","kind":"A"}]})",
       R"({"ownerReferences":[{"name":"aaaaaaaaaaaaaaaaaaaa","kind":"A"}],)"
       R"("ownerReferences":[{"kind":"C"},{"kind":"D"},{"uid":"e"}]})"},
      {"list, emptied", R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"]})",
       R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"],"finalizers":[]})"},
      {"list, emptied and filled", R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"]})",
       R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"],"finalizers":["f"],"finalizers":[null,null]})"},
      {"list, null", R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"]})",
       R"({"finalizers":["aaaaaaaaaaaaaaaaaaaa","b","c","d","e"],"finalizers":null})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    SharingStore store;
    SharedDecoder decoder({}, &store);
    SharedDecoder alone;
    Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, c.first);
    const auto shared = Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, c.first);
    const std::string before = Encode(*shared, Encoding::kJson);
    const uint64_t hits = store.statistics().hits;
    const auto both = Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, c.second);
    EXPECT_GT(store.statistics().hits, hits);
    EXPECT_EQ(*both, *Decode<metav1::ObjectMeta>(alone, Encoding::kJson, c.second));
    EXPECT_EQ(Encode(*shared, Encoding::kJson), before);
  }
}

// Concatenated protobuf messages are merged: the second is decoded into the values of the first.
TEST(SharingStoreTest, JoinedMessagesDoNotChangeWhatIsShared) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  SharedDecoder alone;
  oracle::Dice dice(kSeed);
  for (const oracle::KitchenType& type : oracle::KitchenTypes()) {
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(absl::StrCat(type.name, " ", i, ", seed ", kSeed));
      std::string parts[2];
      for (std::string& part : parts) {
        SampleObject object(*type.message);
        internal::FillRandomly(dice, object.get(), *type.message, {.survives = true});
        part = Encode(object.get(), *type.message, Encoding::kProtobuf);
      }
      std::shared_ptr<const void> first;
      for (int j = 0; j < 3; ++j) {
        const PaddedBuffer bytes(parts[0]);
        first = *decoder.DecodeAny(*type.message, Encoding::kProtobuf, bytes.view());
      }
      const char* shared = static_cast<const char*>(first.get());
      const std::string before = Encode(shared, *type.message, Encoding::kJson);
      const PaddedBuffer joined(absl::StrCat(parts[0], parts[1], parts[0]));
      const auto with = decoder.DecodeAny(*type.message, Encoding::kProtobuf, joined.view());
      const auto without = alone.DecodeAny(*type.message, Encoding::kProtobuf, joined.view());
      ASSERT_TRUE(with.ok() && without.ok()) << with.status() << without.status();
      EXPECT_TRUE(kube::table::EqualMessages(static_cast<const char*>(with->get()),
                                             static_cast<const char*>(without->get()),
                                             *type.message));
      EXPECT_EQ(Encode(shared, *type.message, Encoding::kJson), before);
    }
  }
}

TEST(SharingStoreTest, InvalidUtf8IsReplacedAlsoInWhatIsShared) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const std::string json = "{\"labels\":{\"a\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xff\"}}";
  for (int i = 0; i < 4; ++i) {
    const auto object = Decode<metav1::ObjectMeta>(decoder, Encoding::kJson, json);
    EXPECT_EQ(*object->labels.find("a"), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xEF\xBF\xBD");
  }
}

TEST(SharingStoreTest, DepthIsLimitedAsWithoutIt) {
  const auto nested = [](int depth) {
    std::string json;
    for (int i = 0; i < depth; ++i) absl::StrAppend(&json, R"({"items":)");
    json += "{}";
    json.append(static_cast<size_t>(depth), '}');
    return json;
  };
  for (const int max_depth : {1, 10, 100, 128, 200, 1000}) {
    SharingStore store;
    SharedDecoder decoder({.max_depth = max_depth}, &store);
    SharedDecoder alone({.max_depth = max_depth});
    for (const int depth :
         {0, 1, 9, 10, 60, 64, 65, 70, 99, 100, 130, 140, 198, 199, 200, 999, 1000}) {
      const PaddedBuffer json(nested(depth));
      const bool want = alone.DecodeJson<sink::Schema>(json).ok();
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(decoder.DecodeJson<sink::Schema>(json).ok(), want)
            << depth << " of " << max_depth;
      }
    }
  }
}

TEST(SharingStoreTest, StrictModeReportsOfEachObject) {
  SharingStore store;
  SharedDecoder decoder({.field_validation = FieldValidation::kStrict}, &store);
  const PaddedBuffer json(
      R"({"ownerReferences":[{"name":"aaaaaaaaaaaaaaaaaaaa","unknownField":"x"}]})");
  for (int i = 0; i < 4; ++i) {
    const auto object = decoder.DecodeJson<metav1::ObjectMeta>(json);
    EXPECT_THAT(std::string(object.status().message()), testing::HasSubstr("unknownField"));
  }
}

// ---- failures

TEST(SharingStoreTest, AFailureDropsWhatItHeld) {
  for (const Encoding encoding : kEncodings) {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    const std::string whole = Encode(WithLabels(kLong, "n"), encoding);
    Decode<metav1::ObjectMeta>(decoder, encoding, whole);
    Decode<metav1::ObjectMeta>(decoder, encoding, whole);
    EXPECT_EQ(store.statistics().values, 1);
    // JSON lacks its end, and protobuf ends with half a field.
    const std::string broken = encoding == Encoding::kJson ? whole.substr(0, whole.size() - 1)
                                                           : absl::StrCat(whole, "\x0a");
    for (int i = 0; i < 3; ++i) {
      const PaddedBuffer bytes(broken);
      EXPECT_FALSE(decoder.DecodeAny(metav1::ObjectMeta::kMessage, encoding, bytes.view()).ok());
    }
    EXPECT_GT(store.statistics().hits, 0);
    store.Sweep();
    EXPECT_EQ(store.statistics().values, 0);
  }
}

TEST(SharingStoreTest, ASecondAttemptIsNoSecondSighting) {
  SharingStore store;
  SharedDecoder decoder({}, &store);
  const std::string json = Encode(WithLabels(kLong, "n"), Encoding::kJson);
  const PaddedBuffer part(json.substr(0, json.size() - 1));
  const PaddedBuffer whole(json);
  EXPECT_FALSE(decoder.DecodeJsonPrefix(metav1::ObjectMeta::kMessage, part.view()).ok());
  EXPECT_TRUE(decoder.DecodeJson<metav1::ObjectMeta>(whole).ok());
  EXPECT_EQ(store.statistics().values, 0);
  EXPECT_TRUE(decoder.DecodeJson<metav1::ObjectMeta>(whole).ok());
  EXPECT_EQ(store.statistics().values, 1) << "this one is";
}

// ---- lifetimes

TEST(SharingStoreTest, ObjectsOutliveIt) {
  for (const Encoding encoding : kEncodings) {
    std::vector<std::shared_ptr<const metav1::ObjectMeta>> objects;
    {
      SharingStore store;
      SharedDecoder decoder({}, &store);
      const std::string bytes = Encode(WithLabels(kLong, "n"), encoding);
      for (int i = 0; i < 4; ++i) {
        objects.push_back(Decode<metav1::ObjectMeta>(decoder, encoding, bytes));
      }
    }
    metav1::ObjectMeta copy = *objects[3];
    const std::weak_ptr<const metav1::ObjectMeta> weak = objects[3];
    const std::shared_ptr<const String> part(objects[2], objects[2]->labels.find("app"));
    objects.clear();
    EXPECT_TRUE(weak.expired());
    EXPECT_EQ(*part, kLong);
    EXPECT_EQ(copy, WithLabels(kLong, "n"));
    copy.labels["app"] = "changed";
    copy.labels["more"] = kLong;
    EXPECT_EQ(*copy.labels.find("app"), "changed");
    EXPECT_EQ(*part, kLong);
  }
}

// ---- random objects

// Decodes a few objects of each type many times, in both encodings.
TEST(SharingStoreTest, SharingChangesNothing) {
  for (const oracle::KitchenType& type : oracle::KitchenTypes()) {
    oracle::Dice dice(kSeed);
    SharingStore store({.max_bytes = size_t{100} << 10});
    SharedDecoder decoder({}, &store);
    std::vector<std::string> pool[2];
    std::deque<std::shared_ptr<const void>> cache;
    for (int i = 0; i < 100; ++i) {
      SCOPED_TRACE(absl::StrCat(type.name, " ", i, ", seed ", kSeed));
      const size_t which = dice() % 2;
      const Encoding encoding = kEncodings[which];
      std::string bytes;
      if (pool[which].size() < 10) {
        SampleObject object(*type.message);
        internal::FillRandomly(dice, object.get(), *type.message, {.survives = true});
        bytes = Encode(object.get(), *type.message, encoding);
        pool[which].push_back(bytes);
      } else {
        bytes = pool[which][dice() % pool[which].size()];
      }
      const PaddedBuffer buffer(bytes);
      SampleObject value(*type.message);
      ASSERT_TRUE(codec::DecodeInto(value.get(), *type.message, encoding, buffer.view(), {}).ok());
      const auto shared = decoder.DecodeAny(*type.message, encoding, buffer.view());
      ASSERT_TRUE(shared.ok()) << shared.status();
      const char* object = static_cast<const char*>(shared->get());
      EXPECT_TRUE(kube::table::EqualMessages(object, value.get(), *type.message)) << bytes;
      EXPECT_EQ(Encode(object, *type.message, encoding),
                Encode(value.get(), *type.message, encoding));
      cache.push_back(*shared);
      if (cache.size() > 20) cache.pop_front();
    }
    cache.clear();
    store.Sweep();
    EXPECT_EQ(store.statistics().values, 0) << type.name;
    EXPECT_EQ(store.statistics().bytes, 0) << type.name;
  }
}

// ---- threads

// Hands objects from the thread that decodes them to threads that read, copy and drop them.
class Exchange {
 public:
  void Put(std::shared_ptr<const metav1::ObjectMeta> object) {
    const base::MutexLock lock(mutex_);
    objects_.push_back(std::move(object));
    if (objects_.size() > 64) objects_.pop_front();
  }
  std::shared_ptr<const metav1::ObjectMeta> Get(size_t i) {
    const base::MutexLock lock(mutex_);
    return objects_.empty() ? nullptr : objects_[i % objects_.size()];
  }
  std::shared_ptr<const metav1::ObjectMeta> Take() {
    const base::MutexLock lock(mutex_);
    if (objects_.empty()) return nullptr;
    std::shared_ptr<const metav1::ObjectMeta> object = std::move(objects_.front());
    objects_.pop_front();
    return object;
  }

 private:
  base::Mutex mutex_;
  std::deque<std::shared_ptr<const metav1::ObjectMeta>> objects_ ABSL_GUARDED_BY(mutex_);
};

// Reads, copies and drops objects until its context is done.
void Use(const Context& ctx, Exchange& exchange, uint64_t seed) {
  oracle::Dice dice(seed);
  while (!ctx.done()) {
    const auto object = dice() % 3 == 0 ? exchange.Take() : exchange.Get(dice());
    if (object == nullptr) continue;
    metav1::ObjectMeta copy = *object;
    KUBE_CHECK(copy == *object);
    copy.labels["app"] = "changed";
    KUBE_CHECK(*object->labels.find("app") != "changed");
  }
}

TEST(SharingStoreThreadsTest, ObjectsAreFree) {
  Exchange exchange;
  base::Thread users[3];
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        users[i]
            .Start(Context(), "user", [&exchange, i](const Context& ctx) { Use(ctx, exchange, i); })
            .ok());
  }
  // Stores are destroyed while their objects are in use.
  oracle::Dice dice(kSeed);
  for (int round = 0; round < 20; ++round) {
    SharingStore store({.max_bytes = 8192});
    SharedDecoder decoder({}, &store);
    for (int i = 0; i < 300; ++i) {
      const Encoding encoding = kEncodings[dice() % 2];
      const metav1::ObjectMeta meta =
          WithLabels(absl::StrCat(kLong, dice() % 100), absl::StrCat("name ", kLong, i % 7));
      auto object = Decode<metav1::ObjectMeta>(decoder, encoding, Encode(meta, encoding));
      ASSERT_EQ(*object, meta);
      exchange.Put(std::move(object));
      if (i % 50 == 0) store.Sweep();
    }
  }
}

}  // namespace
}  // namespace kube::codec
