// Command spdy_oracle answers what spdystream, with which Kubernetes speaks SPDY, makes of bytes and of frames. A request is the
// name of a function, a tab, and a text in hexadecimal; the answer is the function's result:
//
//	read	the bytes of one direction of a connection -> its frames, a line each
//	write	frames, a line each -> the bytes, in hexadecimal
//	serve	a number of streams, a line break and the bytes of a client -> the bytes of a server that echoes them
//	dial	data of streams in hexadecimal, separated by blanks, a line break and the bytes of a server that echoes them ->
//		the bytes of a client that opens these streams, and what each of them reads
//
// A frame is a line: "SYN_STREAM id associated priority slot flags headers", "SYN_REPLY id flags headers", "HEADERS id flags
// headers", "RST_STREAM id status", "SETTINGS flags id:flags:value ...", "PING id", "GOAWAY id status", "WINDOW_UPDATE id delta"
// or "DATA id flags hexadecimal". Headers are NAME=VALUE,VALUE, sorted and in hexadecimal.
package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"

	"github.com/moby/spdystream/spdy"

	"kube/tests/oracle"
)

func describeHeaders(headers http.Header) string {
	var pairs []string
	for name, values := range headers {
		var digits []string
		for _, value := range values {
			digits = append(digits, hex.EncodeToString([]byte(value)))
		}
		pairs = append(pairs, fmt.Sprintf(" %x=%s", strings.ToLower(name), strings.Join(digits, ",")))
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "")
}

func describe(frame spdy.Frame) string {
	switch f := frame.(type) {
	case *spdy.SynStreamFrame:
		return fmt.Sprintf("SYN_STREAM %d %d %d %d %d%s", f.StreamId, f.AssociatedToStreamId, f.Priority, f.Slot, f.CFHeader.Flags,
			describeHeaders(f.Headers))
	case *spdy.SynReplyFrame:
		return fmt.Sprintf("SYN_REPLY %d %d%s", f.StreamId, f.CFHeader.Flags, describeHeaders(f.Headers))
	case *spdy.HeadersFrame:
		return fmt.Sprintf("HEADERS %d %d%s", f.StreamId, f.CFHeader.Flags, describeHeaders(f.Headers))
	case *spdy.RstStreamFrame:
		return fmt.Sprintf("RST_STREAM %d %d", f.StreamId, f.Status)
	case *spdy.SettingsFrame:
		line := fmt.Sprintf("SETTINGS %d", f.CFHeader.Flags)
		for _, setting := range f.FlagIdValues {
			line += fmt.Sprintf(" %d:%d:%d", setting.Id, setting.Flag, setting.Value)
		}
		return line
	case *spdy.PingFrame:
		return fmt.Sprintf("PING %d", f.Id)
	case *spdy.GoAwayFrame:
		return fmt.Sprintf("GOAWAY %d %d", f.LastGoodStreamId, f.Status)
	case *spdy.WindowUpdateFrame:
		return fmt.Sprintf("WINDOW_UPDATE %d %d", f.StreamId, f.DeltaWindowSize)
	case *spdy.DataFrame:
		return fmt.Sprintf("DATA %d %d %x", f.StreamId, f.Flags, f.Data)
	}
	return fmt.Sprintf("%T", frame)
}

func read(text string) (string, error) {
	framer, err := spdy.NewFramer(io.Discard, strings.NewReader(text))
	oracle.Check(err)
	var lines []string
	for {
		frame, err := framer.ReadFrame()
		if errors.Is(err, io.EOF) {
			return strings.Join(lines, "\n"), nil
		}
		if err != nil {
			return "", err
		}
		lines = append(lines, describe(frame))
	}
}

func number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 32)
	oracle.Check(err)
	return n
}

func plain(digits string) string {
	text, err := hex.DecodeString(digits)
	oracle.Check(err)
	return string(text)
}

func headersOf(words []string) http.Header {
	headers := http.Header{}
	for _, word := range words {
		name, values, _ := strings.Cut(word, "=")
		for _, value := range strings.Split(values, ",") {
			headers[plain(name)] = append(headers[plain(name)], plain(value))
		}
	}
	return headers
}

func settingsOf(words []string) []spdy.SettingsFlagIdValue {
	var settings []spdy.SettingsFlagIdValue
	for _, word := range words {
		parts := strings.Split(word, ":")
		settings = append(settings, spdy.SettingsFlagIdValue{
			Id:    spdy.SettingsId(number(parts[0])),
			Flag:  spdy.SettingsFlag(number(parts[1])),
			Value: uint32(number(parts[2])),
		})
	}
	return settings
}

func frameOf(line string) spdy.Frame {
	words := strings.Split(line, " ")
	at := func(i int) uint64 { return number(words[i]) }
	id := func(i int) spdy.StreamId { return spdy.StreamId(at(i)) }
	header := func(i int) spdy.ControlFrameHeader {
		return spdy.ControlFrameHeader{Flags: spdy.ControlFlags(at(i))}
	}
	switch words[0] {
	case "SYN_STREAM":
		return &spdy.SynStreamFrame{CFHeader: header(5), StreamId: id(1), AssociatedToStreamId: id(2), Priority: uint8(at(3)),
			Slot: uint8(at(4)), Headers: headersOf(words[6:])}
	case "SYN_REPLY":
		return &spdy.SynReplyFrame{CFHeader: header(2), StreamId: id(1), Headers: headersOf(words[3:])}
	case "HEADERS":
		return &spdy.HeadersFrame{CFHeader: header(2), StreamId: id(1), Headers: headersOf(words[3:])}
	case "RST_STREAM":
		return &spdy.RstStreamFrame{StreamId: id(1), Status: spdy.RstStreamStatus(at(2))}
	case "SETTINGS":
		return &spdy.SettingsFrame{CFHeader: header(1), FlagIdValues: settingsOf(words[2:])}
	case "PING":
		return &spdy.PingFrame{Id: uint32(at(1))}
	case "GOAWAY":
		return &spdy.GoAwayFrame{LastGoodStreamId: id(1), Status: spdy.GoAwayStatus(at(2))}
	case "WINDOW_UPDATE":
		return &spdy.WindowUpdateFrame{StreamId: id(1), DeltaWindowSize: uint32(at(2))}
	case "DATA":
		return &spdy.DataFrame{StreamId: id(1), Flags: spdy.DataFlags(at(2)), Data: []byte(plain(words[3]))}
	}
	oracle.Exit(fmt.Errorf("no frame %q", line))
	return nil
}

func write(text string) (string, error) {
	var out bytes.Buffer
	framer, err := spdy.NewFramer(&out, strings.NewReader(""))
	oracle.Check(err)
	for _, line := range strings.Split(text, "\n") {
		if err := framer.WriteFrame(frameOf(line)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(out.Bytes()), nil
}

var functions = map[string]func(string) (string, error){
	"read":  read,
	"write": write,
	"serve": serve,
	"dial":  dial,
}

func main() { oracle.Serve(functions) }
