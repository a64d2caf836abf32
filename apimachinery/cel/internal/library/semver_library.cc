// Functions of semantic versions.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/library/semver.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

constexpr absl::string_view kTypeName = "kubernetes.Semver";

const TypePtr& SemverType() {
  static base::NoDestructor<const TypePtr> type(StructType(kTypeName));
  return *type;
}

class SemverValue final : public OpaqueValue {
 public:
  explicit SemverValue(Semver version) : version_(std::move(version)) {}

  const Semver& version() const { return version_; }
  const TypePtr& type() const override { return SemverType(); }
  Value Equals(const Value& other) const override;
  std::string ToString() const override { return version_.ToString(); }

 private:
  const Semver version_;
};

const Semver& VersionOf(const Value& value) {
  return static_cast<const SemverValue&>(value.opaque()).version();
}

Value SemverValue::Equals(const Value& other) const {
  if (!IsOpaque(other, kTypeName)) return NoSuchOverload();
  return Value::FromBool(version_.Compare(VersionOf(other)) == 0);
}

absl::StatusOr<Semver> ParseArguments(const Call& call) {
  return ParseSemver(call[0].text(), /*normalize=*/call.size() > 1 && call[1].boolean());
}

Value StringToSemver(const Call& call) {
  absl::StatusOr<Semver> version = ParseArguments(call);
  if (!version.ok()) return Value::Error(std::string(version.status().message()));
  return Value::FromOpaque(std::make_shared<const SemverValue>(*std::move(version)));
}

Value IsSemver(const Call& call) { return Value::FromBool(ParseArguments(call).ok()); }

int Order(const Call& call) { return VersionOf(call[0]).Compare(VersionOf(call[1])); }

Value IsGreaterThan(const Call& call) { return Value::FromBool(Order(call) > 0); }
Value IsLessThan(const Call& call) { return Value::FromBool(Order(call) < 0); }
Value CompareTo(const Call& call) { return Value::FromInt(Order(call)); }

template <uint64_t Semver::*Part>
Value Number(const Call& call) {
  return Value::FromInt(static_cast<int64_t>(VersionOf(call[0]).*Part));
}

}  // namespace

void AddSemverFunctions(Functions& functions) {
  const TypePtr& semver = SemverType();
  const TypePtr& text = StringType();
  functions.AddGlobal("semver", "string_to_semver", {text}, semver, StringToSemver);
  functions.AddGlobal("semver", "string_bool_to_semver", {text, BoolType()}, semver,
                      StringToSemver);
  functions.AddGlobal("isSemver", "is_semver_string", {text}, BoolType(), IsSemver);
  functions.AddGlobal("isSemver", "is_semver_string_bool", {text, BoolType()}, BoolType(),
                      IsSemver);
  functions.AddMember("isGreaterThan", "semver_is_greater_than", {semver, semver}, BoolType(),
                      IsGreaterThan);
  functions.AddMember("isLessThan", "semver_is_less_than", {semver, semver}, BoolType(),
                      IsLessThan);
  functions.AddMember("compareTo", "semver_compare_to", {semver, semver}, IntType(), CompareTo);
  functions.AddMember("major", "semver_major", {semver}, IntType(), Number<&Semver::major_number>);
  functions.AddMember("minor", "semver_minor", {semver}, IntType(), Number<&Semver::minor_number>);
  functions.AddMember("patch", "semver_patch", {semver}, IntType(), Number<&Semver::patch_number>);
}

}  // namespace kube::cel::internal
