// Command url_oracle answers what Go's net/url and path packages make of a text. A request is the name of a function, a tab,
// and the text in hexadecimal; the answer is the function's result, or "error: " and the error:
//
//	parse		a URL -> its parts
//	request		what a request's first line has -> its parts
//	resolve		a URL, a line break, a reference in it -> the parts of what it means
//	host		a URL's host -> name and port
//	unescape	a path -> itself, in hexadecimal
//	escape		the same, backwards
//	clean		a path -> the shortest one, in hexadecimal
package main

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"strings"

	"kube/tests/oracle"
)

func describe(u *url.URL) string {
	user := "none"
	if u.User != nil {
		user = "<" + u.User.String() + ">"
	}
	return fmt.Sprintf("scheme=%s opaque=%s user=%s host=%x omits=%t path=%s forces=%t query=%s fragment=%s text=%s name=%x port=%s",
		u.Scheme, u.Opaque, user, u.Host, u.OmitHost, u.EscapedPath(), u.ForceQuery, u.RawQuery, u.EscapedFragment(), u,
		u.Hostname(), u.Port())
}

func described(u *url.URL, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return describe(u), nil
}

func resolve(text string) (string, error) {
	first, second, _ := strings.Cut(text, "\n")
	base, err := url.Parse(first)
	if err != nil {
		return "", err
	}
	return described(base.Parse(second))
}

func unescape(text string) (string, error) {
	plain, err := url.PathUnescape(text)
	return hex.EncodeToString([]byte(plain)), err
}

func host(text string) (string, error) {
	u := &url.URL{Host: text}
	return fmt.Sprintf("%x %x", u.Hostname(), u.Port()), nil
}

var functions = map[string]func(string) (string, error){
	"parse":    func(text string) (string, error) { return described(url.Parse(text)) },
	"request":  func(text string) (string, error) { return described(url.ParseRequestURI(text)) },
	"resolve":  resolve,
	"host":     host,
	"unescape": unescape,
	"escape":   func(text string) (string, error) { return (&url.URL{Path: text}).EscapedPath(), nil },
	"clean":    func(text string) (string, error) { return hex.EncodeToString([]byte(path.Clean("/" + text))), nil },
}

func main() { oracle.Serve(functions) }
