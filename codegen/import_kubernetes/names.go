package main

import (
	"strings"
	"unicode"
)

// Names that the rules of splitWords read wrongly: the words of each.
var irregularWords = map[string]string{
	"$ref":            "ref",
	"$schema":         "schema",
	"openAPIV3Schema": "open api v3 schema",
}

// snakeCase is the C++ name of a JSON name: hostIPC is host_ipc, podIPs pod_ips, x-kubernetes-map-type
// x_kubernetes_map_type.
func snakeCase(jsonName string) string {
	return strings.Join(splitWords(jsonName), "_")
}

// splitWords gives the words of a name in lower case.
func splitWords(name string) []string {
	if words, ok := irregularWords[name]; ok {
		return strings.Fields(words)
	}
	var words []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		for len(part) > 0 {
			n := wordLength(part)
			words = append(words, strings.ToLower(part[:n]))
			part = part[n:]
		}
	}
	return words
}

// wordLength is the length of the first word: "host" of hostIPC, "IP" of IPFamilies, "IPs" of IPsAllowed and of IPs.
func wordLength(s string) int {
	upper := 0
	for upper < len(s) && unicode.IsUpper(rune(s[upper])) {
		upper++
	}
	lower := upper
	for lower < len(s) && !unicode.IsUpper(rune(s[lower])) {
		lower++
	}
	switch {
	case upper <= 1, upper == len(s):
		return lower
	case s[upper] == 's' && lower == upper+1:
		return lower
	case unicode.IsDigit(rune(s[upper])):
		return lower
	}
	return upper - 1
}

// lowerCamelCase is the JSON name that protoc gives a field: pod_ips is podIps.
func lowerCamelCase(snake string) string {
	var out strings.Builder
	up := false
	for _, r := range snake {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		out.WriteRune(r)
	}
	return out.String()
}

// upperCamelCase is the Go name that most fields have: api_key is ApiKey.
func upperCamelCase(snake string) string {
	return lowerCamelCase("_" + snake)
}

// plural is the resource of a kind that says nothing else, as Kubernetes' own generators form it.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}
