#include "apimachinery/codec/json/json_text_decoder.h"

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

using kube::table::kValueType;

// Returns the value of the text as JSON, using owned memory, or the place and cause of the error.
template <typename Memory>
std::string Decode(absl::string_view json, int max_depth) {
  const PaddedBuffer text(json);
  Memory memory;
  Builder<Memory> builder(memory);
  const DecodeContext context;
  JsonTextDecoder<Builder<Memory>> decoder(builder, text.view(), kube::text::IsValidUtf8(json),
                                           context);
  alignas(8) char value[16] = {};
  const char* after = decoder.DecodeShallowValue(value, text.data(), max_depth);
  std::string out;
  EXPECT_TRUE(AppendJsonValue(out, value, kValueType).ok());  // also after an error
  if (Memory::kOwned) kube::table::DestroyValue(value, kValueType);
  return after != nullptr ? out : decoder.error().path + ": " + decoder.error().cause;
}

TEST(JsonTextDecoderTest, DecodesIntoEitherMemory) {
  struct Case {
    const char* name;
    absl::string_view json;
    absl::string_view result;
  };
  const Case kCases[] = {
      {"all types", R"({"l":[null,true,1,1.5,"s",{}],"k":"a text that is not inside"})",
       R"({"k":"a text that is not inside","l":[null,true,1,1.5,"s",{}]})"},
      {"escapes", R"(["\u0041 text that is not inside\n",""])",
       R"(["A text that is not inside\n",""])"},
      {"the last of a key", R"({"a":["a text that is not inside"],"a":2})", R"({"a":2})"},
      {"an error inside", R"({"a":["a text that is not inside",[1,x]]})",
       "a[1][1]: expected a value"},
      {"as deep as it may be", "[[[]]]", "[[[]]]"},
      {"too deep", R"([{"a":[[]]}])", "[0].a[0]: nested too deeply"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(Decode<HeapMemory>(c.json, 3), c.result);
    EXPECT_EQ(Decode<ScratchMemory>(c.json, 3), c.result);
  }
}

}  // namespace
}  // namespace kube::codec::internal
