#include "apimachinery/table/ops.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

enum class Owner { kBlock, kNode };

// Like a decoder, makes an object that owns nothing. Its memory is freed with this object;
// AddressSanitizer detects if anything else frees it.
class Borrowed {
 public:
  Borrowed(const Part& part, Owner owner) : owner_(owner), bits_(Take(sizeof(Part))) {
    std::memcpy(bits_, static_cast<const void*>(&part), sizeof(Part));
    Fields(bits_, Part::kMessage);
  }

  const Part& part() const { return *reinterpret_cast<const Part*>(bits_); }
  // The mutable object that a const_cast would give.
  Part& mutable_part() { return *reinterpret_cast<Part*>(bits_); }

 private:
  char* Take(size_t size) { return memory_.emplace_back(std::make_unique<char[]>(size)).get(); }

  void Text(char* at) {
    const auto rep = Load<StringRep>(at);
    if (rep.is_inline()) return;
    char* copy = Take(rep.size());
    std::memcpy(copy, rep.data(), rep.size());
    Store(at, owner_ == Owner::kBlock ? StringRep::InBlock(copy, rep.size())
                                      : StringRep::InNode(copy, rep.size()));
  }

  void Block(char* at, Type type, bool map) {
    const auto* block = Load<const ListBlock*>(at);
    if (block == nullptr) return;
    const size_t stride = map ? EntrySize(type) : type.size;
    const size_t bytes = ListBlock::Bytes(block->size, stride);
    auto* copy = reinterpret_cast<ListBlock*>(Take(bytes));
    std::memcpy(copy, block, bytes);
    copy->capacity_and_flags =
        block->size | ListBlock::kInBlock | (owner_ == Owner::kNode ? ListBlock::kInNode : 0);
    Store(at, copy);
    char* element = copy->elements();
    for (size_t i = 0; i < copy->size; ++i, element += stride) {
      if (map) Text(element);
      Value(element + (map ? sizeof(StringRep) : 0), type);
    }
  }

  void Value(char* at, Type type) {
    switch (StorageOf(type.kind)) {
      case Storage::kString:
        return Text(at);
      case Storage::kList:
        return Block(at, kStringType, false);
      case Storage::kMessage:
        return Fields(at, *type.message);
      default:
        return;
    }
  }

  void Fields(char* value, const Message& message) {
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      char* at = value + field.offset;
      const Type type = ValueType(message, field);
      switch (field.shape) {
        case Shape::kValue:
        case Shape::kOpt:
          Value(at, type);
          break;
        case Shape::kBox:
          if (const auto box = Load<BoxRep>(at)) {
            char* copy = Take(type.size);
            std::memcpy(copy, box.value(), type.size);
            Value(copy, type);
            Store(at, owner_ == Owner::kBlock ? BoxRep::InBlock(copy) : BoxRep::InNode(copy));
          }
          break;
        case Shape::kList:
          Block(at, type, false);
          break;
        case Shape::kMap:
          Block(at, type, true);
          break;
      }
    }
  }

  const Owner owner_;
  std::vector<std::unique_ptr<char[]>> memory_;
  char* const bits_;
};

TEST(CopyTest, OfAnOwnedObjectIsOnItsOwn) {
  const Part want = FullPart();
  Part copy;
  {
    const Part original = FullPart();
    copy = original;
  }
  EXPECT_EQ(copy, want);
}

TEST(CopyTest, OfABorrowedObjectOwnsEverything) {
  const Part want = FullPart();
  for (const Owner owner : {Owner::kBlock, Owner::kNode}) {
    Part copy;
    List<Part> list;
    Map<Part> map;
    Box<Part> box;
    {
      const Borrowed borrowed(want, owner);
      EXPECT_EQ(borrowed.part(), want);
      copy = borrowed.part();
      list.push_back(borrowed.part());
      map["key"] = borrowed.part();
      box = borrowed.part();
      const List<Part> parts(borrowed.part().parts);
      EXPECT_EQ(parts, want.parts);
    }
    EXPECT_EQ(copy, want);
    EXPECT_EQ(list[0], want);
    EXPECT_EQ(map["key"], want);
    EXPECT_EQ(*box, want);
  }
}

TEST(CopyTest, StringsOfEverySizeAreOwned) {
  for (size_t size = 0; size <= 80; ++size) {
    const std::string text(size, 'x');
    List<String> copy;
    {
      const Borrowed borrowed({.tags = {text}}, Owner::kBlock);
      copy = borrowed.part().tags;
    }
    EXPECT_EQ(copy[0], text) << size;
  }
}

TEST(CopyTest, ValueByValue) {
  const Part original = FullPart();
  const Type type = TypeOf<Part>();
  alignas(Part) char bits[sizeof(Part)];
  std::memcpy(bits, static_cast<const void*>(&original), sizeof(Part));
  CopyValue(bits, reinterpret_cast<const char*>(&original), type);
  EXPECT_TRUE(EqualValues(bits, reinterpret_cast<const char*>(&original), type));
  DestroyValue(bits, type);
}

TEST(CopyTest, EmptyListsAndMapsStayThere) {
  const Part original = {
      .data = Bytes::Empty(), .parts = List<Part>::Empty(), .labels = Map<String>::Empty()};
  const Part copy = original;
  EXPECT_FALSE(copy.data.is_null());
  EXPECT_FALSE(copy.parts.is_null());
  EXPECT_FALSE(copy.labels.is_null());
  EXPECT_TRUE(copy.tags.is_null());
  EXPECT_TRUE(copy.sizes.is_null());

  // Also if all elements were erased, so that there is an owned block.
  Part erased = {.tags = {"a"}, .labels = {{"a", "b"}}};
  erased.tags.pop_back();
  erased.labels.erase("a");
  const Part copy_of_erased = erased;
  EXPECT_FALSE(copy_of_erased.tags.is_null());
  EXPECT_FALSE(copy_of_erased.labels.is_null());
}

TEST(CopyTest, DeepObjects) {
  Part root;
  for (int depth = 0; depth < 1000; ++depth) {
    Part parent{.name = "a name of more than fifteen bytes"};
    parent.child = std::move(root);
    root = std::move(parent);
  }
  const Part copy = root;
  EXPECT_EQ(copy, root);
}

// Callers never get a mutable object that refers to memory of another owner. If one casts const
// away and changes it, nothing is freed twice; the owner frees what the value pointed to.
TEST(BorrowedTest, ChangingItFreesNothing) {
  const Part full = FullPart();
  for (const Owner owner : {Owner::kBlock, Owner::kNode}) {
    Borrowed borrowed(full, owner);
    Part& part = borrowed.mutable_part();

    part.tags.push_back("new");
    EXPECT_EQ(part.tags.size(), full.tags.size() + 1);
    EXPECT_EQ(part.tags[1], full.tags[1]);
    part.groups.insert(part.groups.begin(), {"first"});
    EXPECT_EQ(part.groups[1], full.groups[0]);
    part.parts.erase(part.parts.begin());
    EXPECT_EQ(part.parts[0], full.parts[1]);
    part.labels["new"] = "value";
    EXPECT_EQ(part.labels.size(), full.labels.size() + 1);
    EXPECT_TRUE(part.extra.erase("none"));
    EXPECT_EQ(*part.extra.find("scopes"), *full.extra.find("scopes"));
    part.name = "another name of more than fifteen bytes";
    part.child.reset();
    part.index.clear();

    const Part copy = part;
    EXPECT_EQ(copy, part);
    part = Part();
  }
}

TEST(GrowTest, KeepsTheElements) {
  const Type type = TypeOf<int32_t>();
  ListBlock* block = GrowList(nullptr, 3, type);
  EXPECT_EQ(block->size, 0u);
  EXPECT_EQ(block->capacity(), 3u);
  EXPECT_TRUE(block->is_owned());
  Store(AppendToList(block, type), int32_t{7});
  block = GrowList(block, 1000, type);
  EXPECT_EQ(block->size, 1u);
  EXPECT_EQ(block->capacity(), 1000u);
  EXPECT_EQ(Load<int32_t>(block->elements()), 7);
  DestroyList(block, type);

  block = GrowList(EmptyListBlock(), 2, type);
  EXPECT_NE(block, EmptyListBlock());
  EXPECT_EQ(block->size, 0u);
  DestroyList(block, type);
}

TEST(GrowDeathTest, TooManyElementsEndTheProgram) {
  EXPECT_DEATH((void)GrowList(nullptr, size_t{1} << 30, TypeOf<bool>()), "too large");
}

TEST(InsertTest, OpensAGapOfZeros) {
  const Type type = TypeOf<int32_t>();
  ListBlock* block = nullptr;
  for (int32_t i = 1; i <= 3; ++i) Store(AppendToList(block, type), i);
  char* gap = InsertInList(block, 1, 2, type);
  EXPECT_EQ(gap, block->elements() + 4);
  std::vector<int32_t> elements;
  for (size_t i = 0; i < block->size; ++i)
    elements.push_back(Load<int32_t>(block->elements() + 4 * i));
  EXPECT_THAT(elements, testing::ElementsAre(1, 0, 0, 2, 3));
  DestroyList(block, type);
}

TEST(BoxTest, MadeOfZeros) {
  const BoxRep box = MakeBox(TypeOf<Part>());
  EXPECT_TRUE(box.is_owned());
  const Part zero;
  EXPECT_TRUE(EqualMessages(box.value(), &zero, Part::kMessage));
  DestroyBox(box, TypeOf<Part>());
}

// ---- equality and hashes

TEST(EqualTest, EveryMemberCounts) {
  const Part full = FullPart();
  const Message& message = Part::kMessage;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    Part part = full;
    // Zero; for the Opt<int32_t>, whose value is zero, absent.
    Part taken;
    const size_t size = field.shape == Shape::kOpt     ? field.element_size + size_t{1}
                        : field.shape == Shape::kValue ? ValueType(message, field).size
                                                       : sizeof(void*);
    std::memcpy(reinterpret_cast<char*>(&taken) + field.offset,
                reinterpret_cast<char*>(&part) + field.offset, size);
    std::memset(reinterpret_cast<char*>(&part) + field.offset, 0, size);
    EXPECT_FALSE(part == full) << message.field_name(field);
    EXPECT_NE(HashMessage(&part, message), HashMessage(&full, message))
        << message.field_name(field);
  }
}

TEST(EqualTest, IsSemantic) {
  const struct {
    const char* name;
    Part a;
    Part b;
    bool equal;
  } cases[] = {
      {"zero", {}, {}, true},
      {"null and empty list", {}, {.parts = List<Part>::Empty()}, true},
      {"null and empty map", {}, {.labels = Map<String>::Empty()}, true},
      {"null and empty bytes", {}, {.data = Bytes::Empty()}, true},
      {"in a list", {.groups = {{}}}, {.groups = {List<String>::Empty()}}, true},
      {"list of null, and null", {.groups = {{}}}, {}, false},
      {"absent and zero", {}, {.count = 0}, false},
      {"absent and empty text", {}, {.note = ""}, false},
      {"absent and zero struct", {}, {.limit = Size{}}, false},
      {"one list is longer", {.tags = {"a"}}, {.tags = {"a", "b"}}, false},
      {"another order", {.tags = {"b", "a"}}, {.tags = {"a", "b"}}, false},
      {"maps have no order",
       {.flags = {{"b", true}, {"a", false}}},
       {.flags = {{"a", false}, {"b", true}}},
       true},
      {"other key", {.labels = {{"a", "x"}}}, {.labels = {{"b", "x"}}}, false},
      {"other value", {.labels = {{"a", "x"}}}, {.labels = {{"a", "y"}}}, false},
      {"value in a padded entry", {.flags = {{"a", true}}}, {.flags = {{"a", false}}}, false},
      {"0 and -0", {.weight = 0.0}, {.weight = -0.0}, true},
      {"NaN",
       {.weight = std::numeric_limits<double>::quiet_NaN()},
       {.weight = std::numeric_limits<double>::quiet_NaN()},
       false},
      {"deep",
       {.child = Part{.child = Part{.name = "a"}}},
       {.child = Part{.child = Part{.name = "b"}}},
       false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.a == c.b, c.equal) << c.name;
    EXPECT_EQ(c.b == c.a, c.equal) << c.name;
    if (c.equal) {
      EXPECT_EQ(HashMessage(&c.a, Part::kMessage), HashMessage(&c.b, Part::kMessage)) << c.name;
    }
  }
}

TEST(EqualTest, TheSamePointersAreEqual) {
  // A NaN shows that the values were not compared.
  const Part nan = {.parts = {{.weight = std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_TRUE(nan == nan);
  EXPECT_FALSE(nan == Part(nan));
}

struct Bits {
  alignas(8) char bytes[24] = {};
};

Bits TextBits(absl::string_view text, int64_t rest = 0) {
  Bits bits;
  Store(bits.bytes, StringRep::Inline(text.data(), text.size()));
  Store(bits.bytes + sizeof(StringRep), rest);
  return bits;
}

Bits NumberBits(int64_t low, int64_t high = 0) {
  Bits bits;
  Store(bits.bytes, low);
  Store(bits.bytes + sizeof(low), high);
  return bits;
}

// Covers the kinds whose classes are not needed here.
TEST(EqualTest, KindsByTheirBits) {
  const struct {
    const char* name;
    Kind kind;
    Bits a;
    Bits b;
    bool equal;
  } cases[] = {
      {"quantity: text", Kind::kQuantity, TextBits("1"), TextBits("1"), true},
      {"quantity: value", Kind::kQuantity, TextBits("1"), TextBits("1000m"), true},
      {"quantity: binary", Kind::kQuantity, TextBits("1Ki"), TextBits("1024"), true},
      {"quantity: exponent", Kind::kQuantity, TextBits("1e3"), TextBits("1k"), true},
      {"quantity: zero value", Kind::kQuantity, TextBits(""), TextBits("0"), true},
      {"quantity: other value", Kind::kQuantity, TextBits("1"), TextBits("2"), false},
      {"quantity: no quantity", Kind::kQuantity, TextBits("x"), TextBits("y"), false},
      {"quantity: same nonsense", Kind::kQuantity, TextBits("x"), TextBits("x"), true},
      {"quantity: half nonsense", Kind::kQuantity, TextBits("x"), TextBits("0"), false},
      {"raw extension", Kind::kRawExtension, TextBits("{}"), TextBits("{ }"), false},
      {"fields v1", Kind::kFieldsV1, TextBits("{}"), TextBits("{}"), true},
      {"raw json", Kind::kRawJson, TextBits("1"), TextBits("1.0"), false},
      {"int or string: number", Kind::kIntOrString, TextBits("", 80), TextBits("", 80), true},
      {"int or string: other number", Kind::kIntOrString, TextBits("", 80), TextBits("", 81),
       false},
      {"int or string: other type", Kind::kIntOrString, TextBits("", 0),
       TextBits("", int64_t{1} << 32), false},
      {"int or string: other text", Kind::kIntOrString, TextBits("a", int64_t{1} << 32),
       TextBits("b", int64_t{1} << 32), false},
      {"time", Kind::kTime, NumberBits(5), NumberBits(5), true},
      {"other time", Kind::kTime, NumberBits(5), NumberBits(6), false},
      {"micro time", Kind::kMicroTime, NumberBits(5, 1), NumberBits(5, 2), false},
      {"micro time: what is behind it", Kind::kMicroTime, NumberBits(5, 1),
       NumberBits(5, 1 | int64_t{7} << 32), true},
      {"duration", Kind::kDuration, NumberBits(5), NumberBits(-5), false},
  };
  for (const auto& c : cases) {
    const Type type = {c.kind, SizeOf(c.kind), nullptr};
    EXPECT_EQ(EqualValues(c.a.bytes, c.b.bytes, type), c.equal) << c.name;
    if (c.equal) {
      EXPECT_EQ(HashValue(c.a.bytes, type, 1), HashValue(c.b.bytes, type, 1)) << c.name;
    } else {
      EXPECT_NE(HashValue(c.a.bytes, type, 1), HashValue(c.b.bytes, type, 1)) << c.name;
    }

    // In lists, plain numbers are compared at once.
    ListBlock* a = nullptr;
    ListBlock* b = nullptr;
    for (int i = 0; i < 3; ++i) {
      std::memcpy(AppendToList(a, type), c.a.bytes, type.size);
      std::memcpy(AppendToList(b, type), i == 1 ? c.b.bytes : c.a.bytes, type.size);
    }
    EXPECT_EQ(EqualLists(a, b, type), c.equal) << c.name;
    DestroyList(a, type);
    DestroyList(b, type);
  }
}

// The classes of leaf values and the functions over field tables, which only know their bits, must
// agree.
template <typename T>
void ExpectListsAgree(const std::vector<T>& values) {
  for (const T& a : values) {
    for (const T& b : values) {
      const List<T> x = {a};
      const List<T> y = {b};
      EXPECT_EQ(x == y, a == b) << x << " " << y;
      if (a == b) {
        EXPECT_EQ(absl::HashOf(x), absl::HashOf(y)) << x << " " << y;
      }
    }
    List<T> copy;
    {
      const List<T> original = {a};
      copy = original;
    }
    EXPECT_EQ(copy[0], a);
  }
}

TEST(EqualTest, AgreesWithTheClasses) {
  ExpectListsAgree<Quantity>({"", "0", "1", "1000m", "1Gi", "1024Mi", "no quantity", "other",
                              "1.00000000000000000000000000000000"});
  ExpectListsAgree<Time>({Time(), Time::FromUnixSeconds(0), Time::FromUnixSeconds(1)});
  ExpectListsAgree<MicroTime>(
      {MicroTime(), MicroTime::FromUnix(0, 0), MicroTime::FromUnix(0, 1000)});
  ExpectListsAgree<IntOrString>({0, 80, "", "80", "a name of more than fifteen bytes"});
  ExpectListsAgree<RawJson>({RawJson(), "", "{}", "{ }", R"({"key":"longer than that"})"});
  ExpectListsAgree<String>({"", "a", "a text of more than fifteen bytes"});
  ExpectListsAgree<Bytes>({Bytes(), "", "a", "a text of more than fifteen bytes"});
  ExpectListsAgree<double>({0.0, -0.0, 1.5});
}

TEST(HashTest, TheSeedCounts) {
  const int32_t value = 1;
  const auto* bits = reinterpret_cast<const char*>(&value);
  EXPECT_NE(HashValue(bits, TypeOf<int32_t>(), 1), HashValue(bits, TypeOf<int32_t>(), 2));
}

}  // namespace
}  // namespace kube::table
