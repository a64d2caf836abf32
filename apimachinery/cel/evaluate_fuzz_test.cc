// Any expression, with a small budget: nothing crashes or hangs, the same program gives the same
// result again, and the budget is kept.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace {

namespace cel = kube::cel;

constexpr uint64_t kCostLimit = 20'000;

std::string TextOf(const cel::Program::Result& result) {
  return result.value.ok() ? FormatValue(*result.value) : result.value.status().ToString();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  cel::Environment environment;
  environment.AddVariable("self", cel::DynType());
  environment.AddVariable("n", cel::IntType());
  environment.AddVariable("text", cel::StringType());
  const absl::StatusOr<cel::Program> program = cel::Program::Compile(text, environment);
  if (!program.ok()) {
    KUBE_CHECK(!program.status().message().empty());
    return 0;
  }
  const kube::unstructured::Value self =
      kube::unstructured::ParseJson(
          R"({"items": [{"name": "a", "port": 80}, {"name": "b", "port": 443}],
              "labels": {"a": "b"}, "spec": {"replicas": 3, "ratio": 0.5, "none": null}})")
          .value();
  const cel::Variables variables = {{"self", cel::ToValue(self)},
                                    {"n", cel::Value::FromInt(3)},
                                    {"text", cel::Value::FromString("ab")}};
  kube::Context context;
  const cel::Program::Result result = program->Evaluate(context, variables, kCostLimit);
  KUBE_CHECK_EQ(TextOf(result), TextOf(program->Evaluate(context, variables, kCostLimit)));
  if (result.value.ok()) KUBE_CHECK(result.cost <= kCostLimit);
  return 0;
}
