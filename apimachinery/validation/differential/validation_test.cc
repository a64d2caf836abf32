// Compares each function with Go on texts that are nearly valid; the messages must be equal byte
// for byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/format.h"
#include "apimachinery/validation/ip.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/object_meta.h"
#include "apimachinery/validation/value.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::validation {
namespace {

using field::ErrorList;
using field::Path;
using oracle::GoCases;

constexpr uint64_t kSeed = 20240603;

Path At() { return Path("spec").Child("it"); }

std::string Listed(const Messages& messages) { return absl::StrJoin(messages, " | "); }

std::string Listed(const ErrorList& errors) {
  return absl::StrJoin(errors, " | ", [](std::string* out, const field::Error& error) {
    absl::StrAppend(out, error.ToString(), " (", error.origin, ")");
  });
}

struct Function {
  std::string name;
  std::function<std::string(absl::string_view)> answer;
};

void Check(const std::vector<std::string>& texts, const std::vector<Function>& functions) {
  std::cout << "seed " << kSeed << std::endl;
  GoCases cases("validation_oracle");
  for (const Function& function : functions) {
    for (const std::string& text : texts) cases.Add(function.name, text, function.answer(text));
  }
  cases.Check();
}

Function OfMessages(const char* name, Messages (*check)(absl::string_view)) {
  return {name, [check](absl::string_view text) { return Listed(check(text)); }};
}
Function OfErrors(const char* name, ErrorList (*check)(const Path&, absl::string_view)) {
  return {name, [check](absl::string_view text) { return Listed(check(At(), text)); }};
}
Function OfErrors(const char* name, ErrorList (*check)(absl::string_view, const Path&)) {
  return {name, [check](absl::string_view text) { return Listed(check(text, At())); }};
}
Function OfName(const char* name, Messages (*check)(absl::string_view, bool)) {
  return {name, [check](absl::string_view text) {
            return absl::StrCat(Listed(check(text, false)), ";", Listed(check(text, true)));
          }};
}
Function OfLimit(const char* name, ErrorList (*check)(const Path&, absl::string_view, int)) {
  return {name, [check](absl::string_view text) {
            return absl::StrJoin({0, 1, 3, 7}, ";", [&](std::string* out, int limit) {
              absl::StrAppend(out, Listed(check(At(), text, limit)));
            });
          }};
}

std::vector<std::string> Names(size_t count) {
  std::vector<std::string> samples = {
      "",
      "a",
      "web-0",
      "example.com",
      "example.com.",
      "www.example.com",
      "a.b.c.d",
      "*.example.com",
      "*.*.com",
      "_sip._tcp.example.com",
      "a.-b",
      "acme.io/foo",
      "acme.io/foo/bar?x",
      "Example.COM/MyName",
      "/name",
      "prefix/",
      "a/b/c",
      "my_name",
      "9name",
      "http",
      "http--alt",
      "-x",
      "x-",
      "X-Header-Name",
      "50%",
      "%",
      "1.5%",
      "MY_ENV.NAME",
      "..",
      ".",
      "..data",
      "key.name",
      "0",
      "-0",
      "007",
      "-456",
      "+1",
      "01234567-89ab-cdef-0123-456789abcdef",
      "01234567-89AB-cdef-0123-456789abcdef",
      "example.com/pool/1",
      "requests.example.com/gpu",
      "sub.kubernetes.io/gpu",
      "example.com/my_device",
      "foregroundDeletion",
      "Strict",
      "a\n",
      "a\\b",
      "\xc5\xbfmall.\xe2\x84\xaa",
      "\xc4\xb0stanbul/K\xe2\x84\xaa",
      "h\xc3\xa9llo",
      "\xe2\x80\xa8\xf0\x9f\x98\x80",
      "\xff\xfe",
      std::string("a\0b", 3),
      "tab\there",
      "\x7f",
  };
  for (const size_t size : {15, 16, 32, 33, 63, 64, 128, 129, 253, 254}) {
    samples.push_back(std::string(size, 'a'));
    samples.push_back(std::string(size / 2, 'a') + "." + std::string(size - size / 2 - 1, 'b'));
    samples.push_back("example.com/" + std::string(size, 'a'));
    samples.push_back(std::string(size, 'a') + "/x");
  }
  oracle::TextMaker maker(
      kSeed, samples,
      {"a", "z", "A", "Z", "0", "9",  "-",    "_",        ".",   "/",           "%", "*",
       "=", " ", "~", ":", ",", "\n", "\xff", "\xc3\xa9", "abc", "example.com", "--"});
  return maker.Make(count);
}

// behaviour.md: COD-7
TEST(ValidationAgainstGo, Names) {
  Check(
      Names(800),
      {OfMessages("dns1123_label", IsDns1123Label),
       OfMessages("dns1123_subdomain", IsDns1123Subdomain),
       OfMessages("dns1123_subdomain_underscore", IsDns1123SubdomainWithUnderscore),
       OfMessages("dns1035_label", IsDns1035Label),
       OfMessages("wildcard", IsWildcardDns1123Subdomain),
       OfMessages("content_label", content::IsDns1123Label),
       OfMessages("content_subdomain", content::IsDns1123Subdomain),
       OfMessages("content_caseless", content::IsDns1123SubdomainCaseless),
       OfMessages("qualified_name", IsQualifiedName), OfMessages("label_value", IsValidLabelValue),
       OfErrors("fqn", IsFullyQualifiedName), OfErrors("fqdn", IsFullyQualifiedDomainName),
       OfErrors("domain_path", IsDomainPrefixedPath), OfErrors("domain_key", IsDomainPrefixedKey),
       OfName("name_subdomain", NameIsDnsSubdomain), OfName("name_label", NameIsDnsLabel),
       OfName("name_1035", NameIsDns1035Label), OfName("name_path", NameIsPathSegment)});
}

TEST(ValidationAgainstGo, Values) {
  Check(Names(800), {OfMessages("c_identifier", IsCIdentifier),
                     OfMessages("port_name", IsValidPortName),
                     OfMessages("percent", IsValidPercent),
                     OfMessages("http_header", IsHttpHeaderName),
                     OfMessages("env_var", IsEnvVarName),
                     OfMessages("relaxed_env_var", IsRelaxedEnvVarName),
                     OfMessages("config_map_key", IsConfigMapKey),
                     OfMessages("path_name", IsValidPathSegmentName),
                     OfMessages("path_prefix", IsValidPathSegmentPrefix),
                     OfMessages("decimal", IsDecimalInteger),
                     OfErrors("field_manager", ValidateFieldManager),
                     OfErrors("field_validation", ValidateFieldValidation),
                     OfErrors("finalizer", ValidateFinalizerName),
                     {"annotation", [](absl::string_view text) {
                        return Listed(ValidateAnnotations({{text, "value"}}, At()));
                      }}});
}

TEST(ValidationAgainstGo, Formats) {
  Check(Names(800),
        {OfErrors("short_name", ShortName), OfErrors("long_name", LongName),
         OfErrors("long_name_caseless", LongNameCaseless), OfErrors("label_key", LabelKey),
         OfErrors("format_label_value", LabelValue), OfErrors("path_segment", PathSegmentName),
         OfErrors("uuid", Uuid), OfErrors("pool_name", ResourcePoolName),
         OfErrors("extended_resource", ExtendedResourceName),
         OfErrors("resource_name", ResourceFullyQualifiedName), OfLimit("max_length", MaxLength),
         OfLimit("min_length", MinLength), OfLimit("max_bytes", MaxBytes)});
}

std::vector<std::string> Addresses(size_t count) {
  const std::vector<std::string> hosts = {"10.9.8.7",
                                          "010.0.0.1",
                                          "1.2.3.04",
                                          "256.1.1.1",
                                          "1.2.3",
                                          "1.2.3.4.5",
                                          "::",
                                          "::1",
                                          "1::",
                                          "2001:db8::ffff",
                                          "2001:DB8::FFFF",
                                          "1:2:3:4:5:6:7:8",
                                          "1:2:3:4:5:6:7::",
                                          "::2:3:4:5:6:7:8",
                                          "1:2:3:4:5:6:7:8::",
                                          "1::2::3",
                                          "::ffff:1.2.3.4",
                                          "::ffff:01.2.3.4",
                                          "::1.2.3.4",
                                          "1:2:3:4:5:6:1.2.3.4",
                                          "1:2:3:4:5:1.2.3.4",
                                          "00001::",
                                          "0001::",
                                          "fe80:0abc:0:0:0:0:0:0",
                                          "fe80::1%eth0",
                                          "1:0:0:2:0:0:0:3",
                                          "0:0:1::",
                                          "::ffff:0:0",
                                          "",
                                          "1.2.3.4\n",
                                          "99999.1.1.1",
                                          "::99999"};
  std::vector<std::string> samples = hosts;
  for (const std::string& host : hosts) {
    for (const char* prefix : {"/0", "/8", "/24", "/024", "/32", "/33", "/64", "/88", "/96", "/120",
                               "/128", "/129", "/", "/8/8", "/x"}) {
      samples.push_back(host + prefix);
    }
  }
  oracle::TextMaker maker(kSeed, samples,
                          {"1", "0", "255", "ffff", "00", ".", ":", "::", "/", "24", "a", "1.2.3.4",
                           "2001:db8", "::ffff:"});
  return maker.Make(count);
}

TEST(ValidationAgainstGo, Addresses) {
  const auto lax = LegacyIpOptions{.strict = false};
  Check(
      Addresses(3000),
      {OfErrors("ip", IsValidIp),
       OfErrors("cidr", IsValidCidr),
       OfErrors("interface", IsValidInterfaceAddress),
       {"ip_legacy",
        [](absl::string_view text) { return Listed(IsValidIpForLegacyField(At(), text)); }},
       {"ip_sloppy",
        [&](absl::string_view text) { return Listed(IsValidIpForLegacyField(At(), text, lax)); }},
       {"cidr_legacy",
        [](absl::string_view text) { return Listed(IsValidCidrForLegacyField(At(), text)); }},
       {"cidr_sloppy",
        [&](absl::string_view text) { return Listed(IsValidCidrForLegacyField(At(), text, lax)); }},
       {"ip_warnings", [](absl::string_view text) { return Listed(GetWarningsForIp(At(), text)); }},
       {"cidr_warnings",
        [](absl::string_view text) { return Listed(GetWarningsForCidr(At(), text)); }}});
}

// One error of each kind, as the oracle makes them.
std::string FieldErrors(absl::string_view view) {
  const std::string text(view);
  const ErrorList errors = {
      field::Invalid(At(), text, text),
      field::Invalid(At(), field::JsonText(text), ""),
      field::TypeInvalid(At(), text, "detail"),
      field::NotFound(At(), text),
      field::Required(At(), text),
      field::Duplicate(At(), field::JsonText(text)),
      field::NotSupported(At(), text, {view, "b"}),
      field::NotSupported(At(), text, {}),
      field::Forbidden(At(), text),
      field::TooShort(At(), text, 1),
      field::InternalError(At(), text),
      field::Invalid(At(), text, text),
  };
  const ErrorList rest = field::FilterOut(
      errors, [](const field::Error& e) { return e.type == field::ErrorType::kInvalid; });
  const auto aggregate = [](const ErrorList& list) {
    return std::string(field::ToAggregate(list).message());
  };
  return absl::StrCat(Listed(errors), ";", aggregate(errors), ";", Listed(rest), ";",
                      aggregate({errors.front()}));
}

std::string PathText(absl::string_view text) {
  Path path;
  for (const absl::string_view step : absl::StrSplit(text, '\x1f')) {
    if (step.empty()) continue;
    if (step[0] == 'c') {
      path = path.Child(step.substr(1));
    } else if (step[0] == 'k') {
      path = path.Key(step.substr(1));
    } else {
      path = path.Index(step.size());
    }
  }
  return path.ToString();
}

TEST(ValidationAgainstGo, ErrorsAndPaths) {
  Check(Names(1000), {{"errors", FieldErrors}});
  Check({"", "cspec",
         "cspec\x1f"
         "ccontainers\x1fi\x1f"
         "cimage",
         "kkey", "i", "k",
         "c\x1f"
         "ca",
         "cmetadata\x1f"
         "clabels\x1fka.b/c\x1f"
         "cd",
         "ca\x1fk\x1fi12"},
        {{"path", PathText}});
}

std::string Numbers(absl::string_view text) {
  const int n = std::stoi(std::string(text));
  const ErrorList errors = {
      field::Invalid(At(), n, "wrong"),
      field::Invalid(At(), n / 8.0, "wrong"),
      field::Invalid(At(), n > 0, "wrong"),
      field::Invalid(Path(), field::JsonValue{"null"}, "wrong"),
      field::TooLong(At(), n),
      field::TooLongCharacters(At(), n),
      field::TooShort(At(), "", n),
      field::TooMany(At(), n, n),
      field::TooMany(At(), 5, n),
      field::TooFew(At(), 5, n),
  };
  const int items = std::max(n, 0);
  return absl::StrCat(Listed(errors), ";", Listed(Minimum(At(), n, 3)), ";",
                      Listed(Maximum(At(), n, 3)), ";", Listed(MaxItems(At(), items, 3)), ";",
                      Listed(MinItems(At(), items, 3)));
}

TEST(ValidationAgainstGo, Numbers) {
  const auto number = [](auto check) {
    return [check](absl::string_view text) { return Listed(check(std::stoll(std::string(text)))); };
  };
  Check({"-2147483648", "-6", "-5", "-1", "0", "1", "99", "100", "101", "65535", "65536",
         "2147483647"},
        {{"port", number(IsValidPortNum)},
         {"in_range", number([](int64_t n) { return IsInRange(static_cast<int>(n), -5, 100); })},
         {"group", number(IsValidGroupId)},
         {"user", number(IsValidUserId)}});
  Check({"-9223372036854775808", "9223372036854775807", "2147483648"},
        {{"group", number(IsValidGroupId)}, {"user", number(IsValidUserId)}});
  Check({"-8000000", "-1", "0", "1", "2", "3", "4", "100", "8000000", "80000000"},
        {{"numbers", Numbers}});
}

}  // namespace
}  // namespace kube::validation
