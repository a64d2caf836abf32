// Functions of IP addresses and networks.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/library/netip.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

constexpr absl::string_view kIpTypeName = "net.IP";
constexpr absl::string_view kCidrTypeName = "net.CIDR";

const TypePtr& IpType() {
  static base::NoDestructor<const TypePtr> type(OpaqueType(kIpTypeName));
  return *type;
}

const TypePtr& CidrType() {
  static base::NoDestructor<const TypePtr> type(OpaqueType(kCidrTypeName));
  return *type;
}

class IpValue final : public OpaqueValue {
 public:
  explicit IpValue(IpAddr address) : address_(std::move(address)) {}

  const IpAddr& address() const { return address_; }
  const TypePtr& type() const override { return IpType(); }
  Value Equals(const Value& other) const override;
  size_t cost_size() const override { return static_cast<size_t>(address_.bits()) / 8; }
  std::string ToString() const override { return address_.ToString(); }

 private:
  const IpAddr address_;
};

class CidrValue final : public OpaqueValue {
 public:
  explicit CidrValue(IpPrefix prefix) : prefix_(std::move(prefix)) {}

  const IpPrefix& prefix() const { return prefix_; }
  const TypePtr& type() const override { return CidrType(); }
  Value Equals(const Value& other) const override;
  size_t cost_size() const override { return static_cast<size_t>(prefix_.length + 7) / 8; }
  std::string ToString() const override { return prefix_.ToString(); }

 private:
  const IpPrefix prefix_;
};

const IpAddr& IpOf(const Value& value) {
  return static_cast<const IpValue&>(value.opaque()).address();
}

const IpPrefix& CidrOf(const Value& value) {
  return static_cast<const CidrValue&>(value.opaque()).prefix();
}

Value IpValue::Equals(const Value& other) const {
  if (!IsOpaque(other, kIpTypeName)) return NoSuchOverload();
  return Value::FromBool(address_ == IpOf(other));
}

Value CidrValue::Equals(const Value& other) const {
  if (!IsOpaque(other, kCidrTypeName)) return NoSuchOverload();
  return Value::FromBool(prefix_ == CidrOf(other));
}

absl::StatusOr<IpAddr> ParseIp(absl::string_view text) {
  const std::string quoted = text::Quoted(text);
  absl::StatusOr<IpAddr> address = ParseIpAddr(text);
  if (!address.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("IP Address ", quoted,
                     " parse error during conversion from string: ", address.status().message()));
  }
  if (!address->zone.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("IP address ", quoted, " with zone value is not allowed"));
  }
  if (address->IsMapped()) {
    return absl::InvalidArgumentError(
        absl::StrCat("IPv4-mapped IPv6 address ", quoted, " is not allowed"));
  }
  return address;
}

absl::StatusOr<IpPrefix> ParseCidr(absl::string_view text) {
  absl::StatusOr<IpPrefix> prefix = ParseIpPrefix(text);
  if (!prefix.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "network address parse error during conversion from string: ", prefix.status().message()));
  }
  if (prefix->address.IsMapped()) {
    return absl::InvalidArgumentError(
        absl::StrCat("IPv4-mapped IPv6 address ", text::Quoted(text), " is not allowed"));
  }
  return prefix;
}

Value FromStatus(const absl::Status& status) { return Value::Error(std::string(status.message())); }

// As upstream, with the words about the parse twice.
Value CidrError(const absl::Status& status) {
  return Value::Error(absl::StrCat("network address parse error during conversion from string: ",
                                   status.message()));
}

Value MakeIp(IpAddr address) {
  return Value::FromOpaque(std::make_shared<const IpValue>(std::move(address)));
}

Value MakeCidr(IpPrefix prefix) {
  return Value::FromOpaque(std::make_shared<const CidrValue>(std::move(prefix)));
}

Value StringToIp(const Call& call) {
  absl::StatusOr<IpAddr> address = ParseIp(call[0].text());
  return address.ok() ? MakeIp(*std::move(address)) : FromStatus(address.status());
}

Value IpIsCanonical(const Call& call) {
  const absl::StatusOr<IpAddr> address = ParseIp(call[0].text());
  if (!address.ok()) return FromStatus(address.status());
  return Value::FromBool(address->ToString() == call[0].text());
}

Value IsIp(const Call& call) { return Value::FromBool(ParseIp(call[0].text()).ok()); }
Value Family(const Call& call) { return Value::FromInt(IpOf(call[0]).is_v4 ? 4 : 6); }
Value ToText(const Call& call) { return Value::FromString(call[0].opaque().ToString()); }

template <bool (IpAddr::*Test)() const>
Value TestIp(const Call& call) {
  return Value::FromBool((IpOf(call[0]).*Test)());
}

Value StringToCidr(const Call& call) {
  absl::StatusOr<IpPrefix> prefix = ParseCidr(call[0].text());
  return prefix.ok() ? MakeCidr(*std::move(prefix)) : CidrError(prefix.status());
}

Value IsCidr(const Call& call) { return Value::FromBool(ParseCidr(call[0].text()).ok()); }

Value ContainsIp(const Call& call) {
  if (!call[1].is_string()) return Value::FromBool(CidrOf(call[0]).Contains(IpOf(call[1])));
  const absl::StatusOr<IpAddr> address = ParseIp(call[1].text());
  if (!address.ok()) return FromStatus(address.status());
  return Value::FromBool(CidrOf(call[0]).Contains(*address));
}

bool ContainsPrefix(const IpPrefix& outer, const IpPrefix& inner) {
  return outer.length <= inner.length && outer.Contains(inner.address);
}

Value ContainsCidr(const Call& call) {
  if (!call[1].is_string()) {
    return Value::FromBool(ContainsPrefix(CidrOf(call[0]), CidrOf(call[1])));
  }
  const absl::StatusOr<IpPrefix> prefix = ParseCidr(call[1].text());
  if (!prefix.ok()) return CidrError(prefix.status());
  return Value::FromBool(ContainsPrefix(CidrOf(call[0]), *prefix));
}

Value CidrIp(const Call& call) { return MakeIp(CidrOf(call[0]).address); }
Value PrefixLength(const Call& call) { return Value::FromInt(CidrOf(call[0]).length); }
Value Masked(const Call& call) { return MakeCidr(CidrOf(call[0]).Masked()); }

void AddIpFunctions(Functions& functions) {
  const TypePtr& ip = IpType();
  const TypePtr& text = StringType();
  const TypePtr& yes_no = BoolType();
  functions.AddGlobal("ip", "string_to_ip", {text}, ip, StringToIp);
  functions.AddGlobal("ip.isCanonical", "ip_is_canonical", {text}, yes_no, IpIsCanonical);
  functions.AddGlobal("isIP", "is_ip", {text}, yes_no, IsIp);
  functions.AddGlobal("string", "ip_to_string", {ip}, text, ToText);
  functions.AddMember("family", "ip_family", {ip}, IntType(), Family);
  functions.AddMember("isUnspecified", "ip_is_unspecified", {ip}, yes_no,
                      TestIp<&IpAddr::IsUnspecified>);
  functions.AddMember("isLoopback", "ip_is_loopback", {ip}, yes_no, TestIp<&IpAddr::IsLoopback>);
  functions.AddMember("isLinkLocalMulticast", "ip_is_link_local_multicast", {ip}, yes_no,
                      TestIp<&IpAddr::IsLinkLocalMulticast>);
  functions.AddMember("isLinkLocalUnicast", "ip_is_link_local_unicast", {ip}, yes_no,
                      TestIp<&IpAddr::IsLinkLocalUnicast>);
  functions.AddMember("isGlobalUnicast", "ip_is_global_unicast", {ip}, yes_no,
                      TestIp<&IpAddr::IsGlobalUnicast>);
}

}  // namespace

void AddAddressFunctions(Functions& functions) {
  AddIpFunctions(functions);
  const TypePtr& cidr = CidrType();
  const TypePtr& text = StringType();
  const TypePtr& yes_no = BoolType();
  functions.AddGlobal("cidr", "string_to_cidr", {text}, cidr, StringToCidr);
  functions.AddGlobal("isCIDR", "is_cidr", {text}, yes_no, IsCidr);
  functions.AddGlobal("string", "cidr_to_string", {cidr}, text, ToText);
  functions.AddMember("containsIP", "cidr_contains_ip_string", {cidr, text}, yes_no, ContainsIp);
  functions.AddMember("containsIP", "cidr_contains_ip_ip", {cidr, IpType()}, yes_no, ContainsIp);
  functions.AddMember("containsCIDR", "cidr_contains_cidr_string", {cidr, text}, yes_no,
                      ContainsCidr);
  functions.AddMember("containsCIDR", "cidr_contains_cidr", {cidr, cidr}, yes_no, ContainsCidr);
  functions.AddMember("ip", "cidr_ip", {cidr}, IpType(), CidrIp);
  functions.AddMember("prefixLength", "cidr_prefix_length", {cidr}, IntType(), PrefixLength);
  functions.AddMember("masked", "cidr_masked", {cidr}, cidr, Masked);
}

}  // namespace kube::cel::internal
